"""`python -m audiomill`: the command line."""

import sys

from audiomill.flows.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
