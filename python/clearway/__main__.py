"""The program as a module: ``python -m clearway`` runs the same as ``clearway``."""

import sys

from clearway import _native


def main() -> None:
    """Runs the program with the arguments of this process, and exits."""
    _native.program(sys.argv[1:])


if __name__ == "__main__":
    main()
