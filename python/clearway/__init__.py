"""clearway: a laboratory and a toolbox for Rush Hour, the sliding-block puzzle."""

from clearway._native import Board
from clearway.errors import Error, InputError, InternalError, LimitError, Notice, UsageError

__all__ = ["Board", "Error", "InputError", "InternalError", "LimitError", "Notice", "UsageError"]
