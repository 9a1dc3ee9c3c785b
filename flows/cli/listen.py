"""`audiomill listen`: a book is heard while it is rendered, here or in a browser.

What was rendered is kept: `audiomill render` makes the finished files of it.
"""

from __future__ import annotations

import argparse
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from audiomill.flows.speech.kept_beginning import KeptBeginning

# Options that do not decide with what text and in whose voice a book begins.
_OF_NO_TEXT = frozenset(
    ("command", "debug", "executor", "json", "listen", "play", "source", "speed", "store")
)


def run(arguments: argparse.Namespace) -> int:
    """Serve the sound of a book until Ctrl-C, which is no error; or play it here to its end."""
    with _begun(arguments) as beginning:
        # Imported here: meanwhile a server may render the first segment.
        from audiomill.flows.cli.listen_job import listen

        listen(arguments, beginning)
    return 0


@contextmanager
def _begun(arguments: argparse.Namespace) -> Generator[KeptBeginning | None]:
    """The beginning of a book, which is sent to the server that rendered it before.

    None for what is no file.
    """
    options = {key: one for key, one in vars(arguments).items() if key not in _OF_NO_TEXT}
    try:
        beginning = KeptBeginning(Path(arguments.source), options, arguments.speed)
    except OSError:  # an address; or reading tells what is wrong
        yield None
        return
    if arguments.executor in (None, "server"):
        with beginning.sent():
            yield beginning
    else:
        yield beginning
