"""`audiomill listen`: a book is heard while it is rendered, here or in a browser.

What was rendered is kept: `audiomill render` makes the finished files of it.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path

from audiomill.flows.listen.beginning_cache import (
    BeginningRequest,
    CachedBeginning,
    options_of_sound,
)
from audiomill.flows.listen.beginning_player import playing_beginning
from audiomill.flows.listen.book_reader import reading_process
from audiomill.flows.listen.reader_client import (
    beginning_by_reader,
    socket_path,
    wanted_book,
)


def run(arguments: argparse.Namespace) -> int:
    """Serve the sound of a book until Ctrl-C, which is no error; or play it here to its end."""
    options = options_of_sound(arguments)
    cache = CachedBeginning(options, arguments.speed)
    request = cache.found() or (_found_by_reader(arguments, options) if arguments.play else None)
    with playing_beginning(request, is_played=arguments.play) as beginning, ExitStack() as stack:
        # A book that sounds has been read.
        reader = None if beginning else stack.enter_context(reading_process(arguments.source))
        # Imported here: it sounds meanwhile, or is read.
        from audiomill.flows.listen.job import listen

        listen(arguments, cache, beginning, reader)
    return 0


def _found_by_reader(
    arguments: argparse.Namespace, options: dict[str, object]
) -> BeginningRequest | None:
    """How a file begins that was not heard before, if a server has a process ready to read it."""
    if not isinstance(arguments.source, Path) or arguments.executor not in (None, "server"):
        return None
    return beginning_by_reader(wanted_book(sys.argv[1:], options, arguments.source), socket_path())
