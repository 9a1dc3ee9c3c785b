"""Has what somebody listens to rendered by a server of speech that runs on this machine.

    a segment that is wanted ─▶ the store lacks it ─▶ server ─▶ store ─▶ its future

As the windows of a run (`cluster/server_executor.py`), but each segment when it is to be heard.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Self

from audiomill.flows.cluster.row_wire import wanted_rows
from audiomill.flows.cluster.server_executor import RenderingServer, stored_by_server
from audiomill.flows.console import say
from audiomill.flows.errors import UsageError
from audiomill.flows.execution.run_context import Interrupted, RunContext
from audiomill.flows.execution.shard_source import N_STORE_THREADS, looked_up
from audiomill.flows.job import Job
from audiomill.flows.speech.scheduler import SpeechTicket, finish_futures
from audiomill.renderers.engine.errors import EngineFailed, RenderError, StoreError
from audiomill.renderers.engine.protocol import Request
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.host.waiting import RunWaiter
from audiomill.renderers.store.shard_reader import ShardReader
from audiomill.renderers.store.store import Miss, ShardStore, StoredShard

N_AT_ONCE = 24  # requests; a server takes some more

# Segments that wait for a key.
_Waiting = dict[str, list[Future[None]]]


class ServerRows:
    """The rows of one book, while it is entered. Any thread may use it."""

    def __init__(
        self, job: Job, store: ShardStore, server: RenderingServer, context: RunContext
    ) -> None:
        """Raises UsageError for a paid service, whose budget holds for one process."""
        if open_renderer(job.engine, job.options).limits.is_paid:
            raise UsageError(
                f"{job.engine} is paid for, so it is asked from here: --executor threads."
            )
        self._job, self._store, self._server, self._context = job, store, server, context
        self._identity = store.give_identity()
        self._asking = ThreadPoolExecutor(N_AT_ONCE, "server")
        self._readers = ThreadPoolExecutor(N_STORE_THREADS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._asking.shutdown(cancel_futures=True)
        self._readers.shutdown()

    def submit_following(
        self,
        requests: Sequence[Request],
        client: str,  # noqa: ARG002  the server tells clients by their address
        due_in_s: float,
    ) -> SpeechTicket:
        """As `SpeechScheduler.submit_following`. Raises StoreError."""
        ticket = SpeechTicket(tuple(Future[None]() for _ in requests))
        missing = looked_up(requests, self._store, self._readers).missing
        waiting: _Waiting = {one.key: [] for one in missing}
        for request, future in zip(requests, ticket.stored, strict=True):
            if request.key in waiting:
                waiting[request.key].append(future)
            else:
                future.set_result(None)
        if missing:
            self._asking.submit(self._ask, missing, waiting, due_in_s)
        return ticket

    def reader(self) -> ShardReader:
        """Reads what is stored; what is damaged meanwhile is rendered again."""
        return ShardReader(self._store, self._render_again)

    def _ask(self, missing: Sequence[Request], waiting: _Waiting, due_in_s: float) -> None:
        """Have segments rendered until all are, or nobody waits for them any more."""
        wanted = wanted_rows(self._job.engine, self._identity, missing, due_in_s)
        waiter = RunWaiter(self._context.check, say, self._job.outage_s)
        try:
            outcomes = self._server.render(wanted, waiter)
            for outcome in self._context.until_cancelled(outcomes):
                if outcome:
                    error = EngineFailed(outcome.error) if outcome.error else None
                    finish_futures(waiting.pop(outcome.key, ()), error)
                if all(one.cancelled() for futures in waiting.values() for one in futures):
                    break
        except (RenderError, StoreError) as error:
            for futures in waiting.values():
                finish_futures(futures, error)
        except Interrupted:
            for futures in waiting.values():
                for future in futures:
                    future.cancel()

    def _render_again(self, request: Request, _miss: Miss) -> StoredShard:
        self.submit_following([request], "", 0.0).stored[0].result()
        return stored_by_server(self._store.get(request.key))
