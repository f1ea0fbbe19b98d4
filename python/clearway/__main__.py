"""The program: ``python -m clearway`` is what ``clearway`` is."""

import sys

from clearway import _native


def main() -> None:
    """Does what the command line says, and ends the process."""
    _native.program(sys.argv[1:])


if __name__ == "__main__":
    main()
