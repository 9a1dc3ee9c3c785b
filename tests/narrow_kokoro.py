"""`audiomill`, but that its Kokoro is narrow: it starts and speaks in a fraction of the time."""

import sys

if __name__ == "__main__":  # worker processes import this file too, and need nothing of it
    from kokoro_reference import built

    from flows.__main__ import main

    with built("narrow"):
        sys.exit(main())
