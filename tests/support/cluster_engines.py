"""`python -m support.cluster_engines WORDS` is `audiomill WORDS` with the engine "card".

The card makes the tones of the engine "tone", one batch at a time, and sleeps as long as a GPU
would take that renders `AUDIOMILL_TEST_PACE` times faster than real time. It writes to the file
`AUDIOMILL_TEST_LOG` which segments it begins and ends (`support.cluster`). Some words are faults:

    DEADLY    the process dies
    BROKEN    the engine fails
    HANGING   it never returns, where the worker's name is in AUDIOMILL_TEST_HANGS

With `AUDIOMILL_TEST_FULL` its disk is full.
With `AUDIOMILL_TEST_CODE` it says that it has other code than it has.

Also the main module of the workers' own processes, which import it by its name.
"""

import errno
import os
import sys
import threading
import time
from pathlib import Path

from audiomill.flows.cluster import worker_card
from audiomill.inputs import own_code
from audiomill.renderers.engine import registry
from audiomill.renderers.engine.declaration import Engine
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.protocol import Batch, Rendered
from audiomill.renderers.host.waiting import UNATTENDED, Waiter
from audiomill.renderers.store.local_files import OsFileSystem
from audiomill.renderers.tone.renderer import ToneRenderer
from support.cluster import BROKEN, DEADLY, HANGING


class CardRenderer(ToneRenderer):
    """A GPU that is none."""

    name = "card"

    def __init__(self) -> None:
        self._pace = float(os.environ.get("AUDIOMILL_TEST_PACE", "1e9"))
        self._log = os.environ.get("AUDIOMILL_TEST_LOG", "")
        self._hangs = os.environ.get("AUDIOMILL_TEST_HANGS", "")
        self._card = threading.Lock()

    def render(self, batch: Batch, waiter: Waiter = UNATTENDED) -> list[Rendered]:
        with self._card:
            self._note("begins", batch)
            started = time.monotonic()
            self._fail(batch)
            rendered = super().render(batch, waiter)
            audio_s = sum(one.samples.size for one in rendered) / self.sample_rate
            time.sleep(max(0.0, audio_s / self._pace - (time.monotonic() - started)))
            self._note("ends", batch)
        return rendered

    def _fail(self, batch: Batch) -> None:
        if os.environ.get("AUDIOMILL_TEST_FAILS"):
            raise EngineFailed("The card is not there.")
        words = " ".join(request.spoken for request in batch.requests)
        if DEADLY in words:
            os._exit(9)
        if BROKEN in words:
            raise EngineFailed("The card is broken")
        if HANGING in words and Path(self._hangs).exists():
            Path(self._hangs).unlink()
            threading.Event().wait()

    def _note(self, verb: str, batch: Batch) -> None:
        """One write for the batch: many processes append to the file."""
        if self._log:
            lines = (f"{verb} {os.getpid()} {request.key}\n" for request in batch.requests)
            with Path(self._log).open("ab", buffering=0) as log:
                log.write("".join(lines).encode())


def _full(_files: OsFileSystem, _descriptor: int, _data: memoryview) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


if code := os.environ.get("AUDIOMILL_TEST_CODE"):
    own_code.code_digest = worker_card.code_digest = lambda: code
if os.environ.get("AUDIOMILL_TEST_FULL"):
    OsFileSystem.write = _full
registry.ENGINES["card"] = Engine("card", lambda _options: CardRenderer())

if __name__ == "__main__":
    from audiomill.flows.cli.main import main

    sys.exit(main())
