"""A thread that serves one card: brings its process shares of work, takes what it has spoken.

The process starts with the first share. One that dies is replaced, and its work goes back to the
queue; a card that fails several times in a row is given up, and the others go on.
"""

from __future__ import annotations

import logging
from collections import deque
from threading import Thread

from renderers.kokoro.card_process import CardFailed, CardProcess
from renderers.kokoro.card_queue import CardQueue, Share
from renderers.kokoro.card_worker import Make, Told
from renderers.shard import RenderError

LOG = logging.getLogger("audiomill")
LISTEN_S = 0.1  # between two looks at whether there is more to do, or nothing any more
MOST_FAILURES = 3  # of a card in a row
# Shares that a card has: the one it speaks, and the next, so that it does not wait for us.
N_UNDER_WAY = 2

Work = Share[list[Told]]


class CardHand:
    """Takes shares until the queue is closed, or the card is given up."""

    def __init__(self, card: int, device: str, make: Make, queue: CardQueue[list[Told]]) -> None:
        self._card, self._device, self._make, self._queue = card, device, make, queue
        self._process: CardProcess | None = None
        self._n_failures = 0  # since the last answer
        self._thread = Thread(target=self._serve, name=f"card {device}", daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Wait until the process has ended; the queue must be closed."""
        self._thread.join()

    def _serve(self) -> None:
        try:
            while self._n_failures < MOST_FAILURES and (share := self._queue.take(self._card)):
                self._see_to(deque([share]))
        finally:
            self._queue.give_up(self._card)
            self._bury()

    def _see_to(self, under_way: deque[Work]) -> None:
        """Have it spoken, and what else can be taken meanwhile. What is not begun goes back."""
        try:
            self._speak(under_way)
        except CardFailed as error:
            self._n_failures += 1
            LOG.warning("Kokoro has failed on %s: %s.", self._device, error)
            self._queue.fail(self._card, under_way.popleft(), str(error))
            self._bury()
        except RenderError as error:
            for share in under_way:
                share.done.set_exception(error)
            under_way.clear()
            self._queue.refuse(error)
            self._bury()
        while under_way:
            self._queue.give_back(under_way.pop())

    def _speak(self, under_way: deque[Work]) -> None:
        """Raises CardFailed, RenderError: of the first that is under way."""
        is_new = self._process is None
        process = self._process = self._process or CardProcess(self._make)
        process.send(under_way[0].order)
        while under_way and not self._queue.is_closed:
            # A new process has its model to load first, when another card may be free.
            if not is_new and len(under_way) < N_UNDER_WAY:
                self._take_ahead(process, under_way)
            if (spoken := process.hear(LISTEN_S)) is not None:
                under_way.popleft().done.set_result(spoken)
                is_new, self._n_failures = False, 0

    def _take_ahead(self, process: CardProcess, under_way: deque[Work]) -> None:
        if share := self._queue.take_ahead(self._card):
            under_way.append(share)
            process.send(share.order)

    def _bury(self) -> None:
        if self._process:
            self._process.kill()
        self._process = None
