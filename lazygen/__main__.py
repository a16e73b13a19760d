"""`python -m lazygen` is the command `lazygen`."""

import sys

from lazygen.cli import main

if __name__ == "__main__":
    sys.exit(main())
