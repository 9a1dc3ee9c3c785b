"""Renders the rows of many texts in batches that they share, with one engine.

    texts ─▶ what the store lacks ─▶ RowQueue ─▶ batches ─▶ RowSource ─▶ store ─▶ futures

A row is what the store has under one key: one that several texts wait for is rendered once, one
that the store has is not rendered at all, and one whose texts have all been dropped before its
batch begins is never rendered. What is rendered is kept, whoever still waits for it. A batch forms
only once the source has a place for it, so that what comes meanwhile can still go before.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Container, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

from audiomill.flows.execution.executor import ExecutorError
from audiomill.flows.execution.row_source import RowSource
from audiomill.flows.execution.run_context import Interrupted
from audiomill.flows.execution.shard_source import N_STORE_THREADS
from audiomill.flows.speech.row_counts import RowCounts
from audiomill.flows.speech.row_queue import RowQueue, WaitingRow, WantedSegment
from audiomill.renderers.engine.errors import EngineFailed, RenderError, StoreError, reason_of
from audiomill.renderers.engine.planning import estimate_s
from audiomill.renderers.engine.protocol import Batch, Request, ShardInfo
from audiomill.renderers.store.shard_reader import ShardReader

LOG = logging.getLogger("audiomill")
MOST_BATCHES = 256  # at a time, by all machines that render
# Puts what is missing of a text into the queue; the seconds are of the sound stored before it.
AddSegments = Callable[[Sequence[WantedSegment], float], None]


@dataclass(frozen=True, slots=True)
class SpeechTicket:
    """The segments of a text: each future is done once its segment is in the store.

    On leaving it, the rest is dropped.
    """

    stored: tuple[Future[None], ...]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.drop()

    def drop(self) -> None:
        """Render no more of it. What is being rendered is kept."""
        for one in self.stored:
            one.cancel()


class SpeechScheduler:
    """Has rows rendered by a source while it is entered. Any thread may use it.

    On leaving it, rows that have not begun are dropped.
    """

    def __init__(self, source: RowSource) -> None:
        self._source = source
        self._duration_of = partial(estimate_s, limits=source.limits)
        self._queue = RowQueue()
        self._counts = RowCounts()
        self._changed = threading.Condition()  # guards the queue, the counts and the number
        self._n_batches = 0  # that are being rendered
        self._is_closed = False
        self._writers = ThreadPoolExecutor(N_STORE_THREADS)
        self._rendering = ThreadPoolExecutor(MOST_BATCHES, "speech")
        self._serving = threading.Thread(target=self._serve, name="speech", daemon=True)

    def __enter__(self) -> Self:
        self._serving.start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._is_closed = True
            self._queue.drop_all()
            self._changed.notify_all()
        self._serving.join()
        self._rendering.shutdown()
        self._writers.shutdown()

    @property
    def n_waiting(self) -> int:
        """The rows that are waited for and have not begun."""
        with self._changed:
            return self._queue.n_waiting

    @property
    def counts(self) -> RowCounts:
        """What has become of its rows."""
        with self._changed:
            return replace(self._counts.copy(), n_dropped=self._queue.n_dropped)

    def reader(self) -> ShardReader:
        """Reads what is stored; what is damaged meanwhile is rendered again."""
        return self._source.reader()

    def submit(self, requests: Sequence[Request], client: str) -> SpeechTicket:
        """Begin to render the segments of a text that the store lacks, and return at once.

        A future has the error of a segment that cannot be rendered or stored. Raises StoreError.
        """

        def add(wanted: Sequence[WantedSegment], stored_s: float) -> None:
            self._queue.add(wanted, client, time.monotonic(), stored_s)

        return self._submit(requests, add)

    def submit_following(
        self, requests: Sequence[Request], client: str, due_in_s: float
    ) -> SpeechTicket:
        """As `submit`, for segments of which the first is heard in so many seconds.

        Those that nobody hears yet, due in `math.inf`, are rendered when nothing else is to be.
        """
        due_s = time.monotonic() + due_in_s

        def add(wanted: Sequence[WantedSegment], stored_s: float) -> None:
            self._queue.add_following(wanted, client, due_s + stored_s)

        return self._submit(requests, add)

    def _submit(self, requests: Sequence[Request], add: AddSegments) -> SpeechTicket:
        ticket = SpeechTicket(tuple(Future[None]() for _ in requests))
        if self._is_closed:
            ticket.drop()
            return ticket
        lookup = self._source.look_up(Batch(tuple(requests)), self._writers)
        wanted, stored_s = self._wanted(ticket, requests, {one.key for one in lookup.missing})
        with self._changed:
            self._counts.n_stored += len(requests) - len(wanted)
            add(wanted, stored_s)
            if self._is_closed:
                self._queue.drop_all()
            self._changed.notify_all()
        return ticket

    def _wanted(
        self, ticket: SpeechTicket, requests: Sequence[Request], missing: Container[str]
    ) -> tuple[list[WantedSegment], float]:
        """The segments that are missing, and the seconds of sound that are stored before them.

        The futures of those that are stored are done.
        """
        wanted, stored_s = list[WantedSegment](), 0.0
        for request, future in zip(requests, ticket.stored, strict=True):
            duration_s = self._duration_of(request)
            if request.key in missing:
                wanted.append(WantedSegment(request, future, duration_s))
                continue
            future.set_result(None)
            if wanted:
                wanted[-1] = replace(wanted[-1], plays_s=wanted[-1].plays_s + duration_s)
            else:
                stored_s += duration_s
        return wanted, stored_s

    def _serve(self) -> None:
        while rows := self._next_rows():
            self._rendering.submit(self._render_batch, rows)

    def _next_rows(self) -> list[WaitingRow]:
        """Rows to render now; waits for one, and for a place. None once this is closed."""
        with self._changed:
            while not self._is_closed:
                if rows := self._taken():
                    self._n_batches += 1
                    return rows
                # Places that are added count from the end of a batch on: there is one under way.
                self._changed.wait()
        return []

    def _taken(self) -> list[WaitingRow]:
        """Rows that can be rendered now; none if there is no place."""
        if self._n_batches >= min(self._source.n_places, MOST_BATCHES):
            return []
        return self._queue.take(self._source.n_rows, time.monotonic())

    def _render_batch(self, rows: Sequence[WaitingRow]) -> None:
        try:
            self._render(rows)
        finally:
            with self._changed:
                self._n_batches -= 1
                self._changed.notify_all()

    def _render(self, rows: Sequence[WaitingRow]) -> None:
        """Render rows. Of a batch that fails, each row is rendered by itself."""
        by_key = {row.request.key: row for row in rows}
        batch = Batch(tuple(row.request for row in rows))
        try:
            # Again: a row may have been stored after its text was looked up, before it was added.
            lookup = self._source.look_up(batch, self._writers)
            result = self._source.render_missing(lookup, self._writers)
        except (RenderError, StoreError) as error:
            if len(rows) == 1:
                self._finish(rows[0], error)
            else:
                for row in rows:
                    self._render([row])
        except ExecutorError as error:  # nobody renders any of them
            for row in rows:
                self._finish(row, error)
        except Interrupted:
            self._drop(rows)
        except Exception as error:  # an engine's fault; other texts can still be rendered
            LOG.exception("The engine failed.")
            for row in rows:
                self._finish(row, EngineFailed(f"The engine failed: {reason_of(error)}."))
        else:
            self._count(len(lookup.shards), len(lookup.missing))
            for shard in lookup.shards:
                self._finish(by_key[shard.key], None)
            for request, write in zip(lookup.missing, result.writes, strict=True):
                write.add_done_callback(partial(self._finish_stored, by_key[request.key]))

    def _count(self, n_stored: int, n_rendered: int) -> None:
        with self._changed:
            self._counts.n_stored += n_stored
            self._counts.n_rendered += n_rendered
            if n_rendered:
                self._counts.batches[n_rendered] += 1

    def _finish_stored(self, row: WaitingRow, write: Future[ShardInfo]) -> None:
        self._finish(row, write.exception())

    def _drop(self, rows: Sequence[WaitingRow]) -> None:
        """Cancel rows that have begun: the server is stopped."""
        with self._changed:
            waiting = [self._queue.finish(row, time.monotonic()) for row in rows]
        for futures in waiting:
            for future in futures:
                future.cancel()

    def _finish(self, row: WaitingRow, error: BaseException | None) -> None:
        with self._changed:
            self._counts.n_failed += error is not None
            waiting = self._queue.finish(row, time.monotonic())
        finish_futures(waiting, error)


def finish_futures(waiting: Iterable[Future[None]], error: BaseException | None) -> None:
    """Let all who wait for a segment go on, or meet an error."""
    for future in waiting:
        if future.set_running_or_notify_cancel():
            if error is None:
                future.set_result(None)
            else:
                future.set_exception(error)
