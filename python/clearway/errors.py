"""What goes wrong, in the words of the command line."""


class Error(Exception):
    """Anything that clearway refuses or cannot do."""


class UsageError(Error, ValueError):
    """An option that there is not, or a value that makes no sense."""


class InputError(Error, ValueError):
    """A board, a policy or a file that is not what it should be."""


class LimitError(Error):
    """There is too little memory or time to begin with."""


class InternalError(Error):
    """A fault of clearway itself."""


class Notice(UserWarning):
    """A fault that did not end the work, such as a pack with fewer puzzles than were asked for."""
