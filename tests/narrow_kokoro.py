"""`audiomill`, but that its Kokoro is narrow: it starts and speaks in a fraction of the time."""

import sys
from unittest import mock

if __name__ == "__main__":  # worker processes import this file too, and need nothing of it
    from card_data import narrow_on_card
    from kokoro_reference import built

    from flows.__main__ import main

    with built("narrow"), mock.patch("renderers.kokoro.speaking.load_on_card", narrow_on_card):
        sys.exit(main())
