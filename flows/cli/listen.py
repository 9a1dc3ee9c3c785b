"""`audiomill listen`: a book is heard while it is rendered, here or in a browser.

What was rendered is kept: `audiomill render` makes the finished files of it.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path

from audiomill.flows.speech.begun_sound import begun_sound
from audiomill.flows.speech.kept_beginning import Beginning, KeptBeginning
from audiomill.flows.speech.reading_process import reading_process
from audiomill.flows.speech.ready_reader import (
    beginning_by_reader,
    socket_path,
    wanted_book,
)

# Options that do not decide what is heard at the beginning of a book. Its speed is that of now.
_OF_NO_SOUND = frozenset(("command", "debug", "json", "listen", "play", "speed"))


def run(arguments: argparse.Namespace) -> int:
    """Serve the sound of a book until Ctrl-C, which is no error; or play it here to its end."""
    options = options_of_sound(arguments)
    kept = KeptBeginning(options, arguments.speed)
    beginning = kept.found() or (_found_by_reader(arguments, options) if arguments.play else None)
    with begun_sound(beginning, is_played=arguments.play) as begun, ExitStack() as stack:
        # A book that sounds has been read.
        reader = None if begun else stack.enter_context(reading_process(arguments.source))
        # Imported here: it sounds meanwhile, or is read.
        from audiomill.flows.cli.listen_job import listen

        listen(arguments, kept, begun, reader)
    return 0


def options_of_sound(arguments: argparse.Namespace) -> dict[str, object]:
    """The options that decide what is heard at the beginning of a book, but for its speed."""
    return {key: one for key, one in vars(arguments).items() if key not in _OF_NO_SOUND}


def _found_by_reader(arguments: argparse.Namespace, options: dict[str, object]) -> Beginning | None:
    """How a file begins that was not heard before, if a server has a process ready to read it."""
    if not isinstance(arguments.source, Path) or arguments.executor not in (None, "server"):
        return None
    return beginning_by_reader(wanted_book(sys.argv[1:], options, arguments.source), socket_path())
