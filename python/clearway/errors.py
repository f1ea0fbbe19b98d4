"""Exceptions."""


class Error(Exception):
    """Base class of all errors that clearway raises."""


class UsageError(Error, ValueError):
    """An unknown option, or an invalid value of one."""


class InputError(Error, ValueError):
    """An invalid board, policy or file."""


class LimitError(Error):
    """A limit, such as that on memory, that is too low to start the work."""


class ClusterError(Error):
    """A Ray cluster that cannot be reached, or whose connection was lost."""


class InternalError(Error):
    """A bug in clearway."""


class Notice(UserWarning):
    """A problem that did not end the work, such as a pack with fewer puzzles than requested."""
