"""Has a run's windows rendered by a server of speech that runs on this machine.

    run ── ServerExecutor ── the rows that the store lacks ──▶ audiomill serve --speech
     ▲                                                              │
     └────────────────────────── store ◀────────────────────────────┘

So books share an engine, and its batches, with all who have texts said: one copy of the weights,
and whoever listens goes first. This process loads no engine.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import ParamSpec, TypeVar

from audiomill.flows.cluster.row_wire import (
    ROWS_PATH,
    RowOutcome,
    WantedRows,
    read_outcome,
    wanted_bytes,
    wanted_rows,
)
from audiomill.flows.console import say
from audiomill.flows.errors import UsageError
from audiomill.flows.execution.executor import Executor
from audiomill.flows.execution.run_context import RunContext, Step
from audiomill.flows.execution.shard_source import N_STORE_THREADS, looked_up
from audiomill.flows.execution.windows import WindowResult, WindowTask, window_result
from audiomill.flows.web_address import connection_to
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.planning import estimate_s
from audiomill.renderers.engine.protocol import Request, Usage
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.host.process_pool import ProcessPool, TaskPool
from audiomill.renderers.host.threads import Future
from audiomill.renderers.host.waiting import RunWaiter, Waiter, in_words
from audiomill.renderers.store.store import Miss, ShardStore

P = ParamSpec("P")
T = TypeVar("T")
SILENT_S = 30.0  # without even an empty line, after which the server counts as gone
CONNECT_S = 5.0
RETRY_S = 2.0


class RenderingServer:
    """A server of speech as one run of the program uses it. Implements `RenderingPlace`."""

    def __init__(self, url: str, key: str) -> None:
        """`url` has no slash at its end; `key` is "" for a server that wants none."""
        self._url = url
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}

    def executor(self, local: Executor) -> Executor:
        """The executor of one book, which runs by `local` what must be done here."""
        return ServerExecutor(local, self)

    def workers(self) -> str:
        """Who renders, for people."""
        return f"by {self._url}"

    def render(self, wanted: WantedRows, waiter: Waiter) -> Iterator[RowOutcome | None]:
        """The outcome of each row as it comes, and None meanwhile.

        While the server does not answer, it is asked again for what is left. Raises EngineFailed.
        """
        left = {row.key: row for row in wanted.rows}
        answered_s, is_notified = waiter.now_s(), False
        while left:
            rows = replace(wanted, rows=tuple(left.values()))
            try:
                for outcome in self._outcomes(rows):
                    answered_s, is_notified = waiter.now_s(), False
                    if outcome:
                        left.pop(outcome.key, None)
                    yield outcome
            except (OSError, HTTPException, ValueError) as error:
                if waiter.now_s() - answered_s > waiter.outage_s:
                    raise EngineFailed(self._absent(error)) from error
                if not is_notified:
                    waiter.tell(f"{self._absent(error)} Waiting {in_words(waiter.outage_s)}.")
                is_notified = True
                waiter.sleep(RETRY_S)

    def _outcomes(self, rows: WantedRows) -> Iterator[RowOutcome | None]:
        with closing(self._connected()) as connection:
            connection.request("POST", ROWS_PATH, wanted_bytes(rows), self._headers)
            with connection.getresponse() as answer:
                if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
                    raise ConnectionError("it has too many books")
                if answer.status != HTTPStatus.OK:
                    raise EngineFailed(f"{self._url}: {_refusal(answer)}")
                for line in answer:
                    yield read_outcome(line) if line.strip() else None

    def _connected(self) -> HTTPConnection:
        """A connection for one request. Raises OSError."""
        connection = connection_to(self._url, CONNECT_S)
        connection.connect()
        connection.sock.settimeout(SILENT_S)
        return connection

    def _absent(self, error: Exception) -> str:
        reason = " ".join(str(error).split()) or type(error).__name__
        return (
            f"The server of speech at {self._url} does not answer ({reason}). Start it with"
            " audiomill serve --speech, or render here with --executor threads."
        )


def _refusal(answer: HTTPResponse) -> str:
    """Why a server refuses, as it says so."""
    try:
        return str(json.loads(answer.read())["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return f"it is no server of audiomill, or an older one (status {answer.status})."


class ServerExecutor(Executor):
    """Runs the stages of one book by `local`, and has its windows rendered by a server."""

    renders_here = False

    def __init__(self, local: Executor, server: RenderingServer) -> None:
        self._local, self._server = local, server

    def submit(
        self, title: str, stage: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        """Implement `Executor.submit`."""
        return self._local.submit(title, stage, *args, **kwargs)

    def of(self, name: str) -> ServerExecutor:
        """Implement `Executor.of`."""
        return ServerExecutor(self._local.of(name), self._server)

    def task_pool(self, local: ProcessPool) -> TaskPool:
        """Implement `Executor.task_pool`."""
        return self._local.task_pool(local)

    def wait_all(self) -> None:
        """Implement `Executor.wait_all`."""
        self._local.wait_all()

    def submit_window(
        self, task: WindowTask, store: ShardStore, context: RunContext
    ) -> Future[WindowResult]:
        """Implement `Executor.submit_window`."""
        return self._local.submit(task.title, render_at_server, task, store, context, self._server)


def render_at_server(
    task: WindowTask, store: ShardStore, context: RunContext, server: RenderingServer
) -> WindowResult:
    """Have those segments of a window rendered that the store lacks.

    Raises UsageError for a paid service, RenderError, StoreError, Interrupted.
    """
    if open_renderer(task.engine, task.options).limits.is_paid:  # its budget holds for one process
        raise UsageError(
            f"{task.engine} is paid for, so it is asked from here: --executor threads."
        )
    with ThreadPoolExecutor(N_STORE_THREADS) as readers:
        before = looked_up(task.window.requests, store, readers)
        started = time.perf_counter()
        _render(task, before.missing, store, context, server)
        ended = time.perf_counter()
        keys = [request.key for request in before.missing]
        rendered = list(map(stored_by_server, readers.map(store.check, keys)))
    return window_result(
        task,
        [*before.shards, *rendered],
        n_rendered=len(rendered),
        damaged=before.damaged,
        intervals=((started, ended),) if rendered else (),
        usage=Usage(n_takes=len(rendered)),
    )


def _render(
    task: WindowTask,
    missing: Sequence[Request],
    store: ShardStore,
    context: RunContext,
    server: RenderingServer,
) -> None:
    limits = open_renderer(task.engine, task.options).limits
    durations_s = {one.key: estimate_s(one, limits) for one in missing}
    cached_s = task.window.estimated_s - sum(durations_s.values())
    if len(missing) < len(task.window.requests):  # the rest was there, and took no time
        context.progress.extend(Step.RENDER, -cached_s)
    if not missing:
        return
    wanted = wanted_rows(task.engine, store.give_identity(), missing)
    waiter = RunWaiter(context.check, say, task.outage_s)
    for outcome in context.until_cancelled(server.render(wanted, waiter)):
        if outcome and outcome.error:
            raise EngineFailed(outcome.error)
        if outcome:
            context.progress.advance(Step.RENDER, durations_s.get(outcome.key, 0.0))


def stored_by_server(found: T | Miss) -> T:
    """What a store has of a segment that the server has rendered. Raises EngineFailed."""
    if isinstance(found, Miss):
        raise EngineFailed(
            f"The server of speech has rendered {found.key[:12]}, but it is {found.reason} here"
            f" ({found.detail}). Check that both have the same store."
        )
    return found
