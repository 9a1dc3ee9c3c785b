"""`python -m audiomill`: the command line."""

import sys

from audiomill.flows.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
