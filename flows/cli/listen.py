"""`audiomill listen`: a book is heard while it is rendered, here or in a browser.

What was rendered is kept: `audiomill render` makes the finished files of it.
"""

from __future__ import annotations

import argparse
from contextlib import ExitStack

from audiomill.flows.speech.begun_sound import begun_sound
from audiomill.flows.speech.kept_beginning import KeptBeginning
from audiomill.flows.speech.reading_process import reading_process

# Options that do not decide what is heard at the beginning of a book. Its speed is that of now.
_OF_NO_SOUND = frozenset(("command", "debug", "json", "listen", "play", "speed"))


def run(arguments: argparse.Namespace) -> int:
    """Serve the sound of a book until Ctrl-C, which is no error; or play it here to its end."""
    options = {key: one for key, one in vars(arguments).items() if key not in _OF_NO_SOUND}
    kept = KeptBeginning(options, arguments.speed)
    with begun_sound(kept.found(), is_played=arguments.play) as begun, ExitStack() as stack:
        # A book that sounds has been read before.
        reader = None if begun else stack.enter_context(reading_process(arguments.source))
        # Imported here: it sounds meanwhile, or is read.
        from audiomill.flows.cli.listen_job import listen

        listen(arguments, kept, begun, reader)
    return 0
