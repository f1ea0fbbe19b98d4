"""clearway: a laboratory and a toolbox for Rush Hour, the sliding-block puzzle.

>>> import clearway
>>> board = clearway.Board("BB...CD..E.CDAAE.CD..E..F...GGF.HHH.")
>>> answer = clearway.solve(board)
>>> answer.moves, board.verify(*answer.solution)
(8, True)
"""

from clearway import tiles, types
from clearway._native import VERSION as __version__
from clearway._native import Board
from clearway._rows import rows
from clearway.boards import Suite, read, read_text, suite, suites
from clearway.comparing import compare
from clearway.errors import Error, InputError, InternalError, LimitError, Notice, UsageError
from clearway.evolving import Run, evolve
from clearway.grading import Grade, grade, grade_many
from clearway.making import Puzzle, enumerate_shard, generate
from clearway.policies import Policy
from clearway.solving import Analysis, Answer, Improvement, analyze, solve, solve_many

__all__ = [
    "Analysis",
    "Answer",
    "Board",
    "Error",
    "Grade",
    "Improvement",
    "InputError",
    "InternalError",
    "LimitError",
    "Notice",
    "Policy",
    "Puzzle",
    "Run",
    "Suite",
    "UsageError",
    "__version__",
    "analyze",
    "compare",
    "enumerate_shard",
    "evolve",
    "generate",
    "grade",
    "grade_many",
    "read",
    "read_text",
    "rows",
    "solve",
    "solve_many",
    "suite",
    "suites",
    "tiles",
    "types",
]
