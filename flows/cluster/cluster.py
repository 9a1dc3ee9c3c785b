"""A cluster as one run of the program uses it, for all its books."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent import futures
from pathlib import Path
from typing import Self
from uuid import uuid4

from audiomill.flows.cluster.connection import SchedulerConnection
from audiomill.flows.cluster.dispatch import Dispatcher, RemoteJob
from audiomill.flows.cluster.progress_relay import ProgressRelay
from audiomill.flows.cluster.remote_window import RemoteWindow
from audiomill.flows.execution.windows import WindowResult, WindowTask
from audiomill.renderers.registry import open_renderer
from audiomill.renderers.store.store import ShardStore


class Cluster:
    """The workers behind a scheduler. Thread-safe."""

    def __init__(
        self, scheduler: str, workers_within_s: float, tell: Callable[[str], None]
    ) -> None:
        """`tell` shows the user a line. A run without workers ends after `workers_within_s`."""
        self._connection = SchedulerConnection(scheduler, tell)
        self._tell = tell
        self._workers_within_s = workers_within_s
        self._relay = ProgressRelay()
        self._topic = f"audiomill {uuid4().hex}"
        self._dispatchers: dict[str, Dispatcher] = {}  # by engine
        self._identities: dict[str, str] = {}  # by the place of a store

    def __enter__(self) -> Self:
        """Connect. Raises SchedulerUnreachable."""
        self._connection.subscribe(self._topic, self._relay.handle)
        self._connection.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._connection.__exit__(*error)

    def render(
        self, task: WindowTask, store: ShardStore, job: RemoteJob
    ) -> futures.Future[WindowResult]:
        """Have a window rendered. Raises StoreError, RenderError; the rest is in the future."""
        window = RemoteWindow(
            task,
            place_of(store),
            self._identity_of(store),
            _fingerprints(task),
            self._topic,
            uuid4().hex,
        )
        return self._connection.call(self._rendered(window, job))

    async def _rendered(self, window: RemoteWindow, job: RemoteJob) -> WindowResult:
        engine = window.task.engine
        if engine not in self._dispatchers:
            self._dispatchers[engine] = Dispatcher(
                self._connection, engine, self._tell, self._workers_within_s
            )
        self._relay.begin(window.token, window.task.window.estimated_s, job.context)
        is_done = False
        try:
            result = await self._dispatchers[engine].render(window, job)
            is_done = True
        finally:
            self._relay.end(window.token, is_done=is_done)
        return result

    def _identity_of(self, store: ShardStore) -> str:
        if store.location not in self._identities:
            self._identities[store.location] = store.give_identity()
        return self._identities[store.location]


def place_of(store: ShardStore) -> str:
    """The store's URL or absolute path."""
    location = store.location
    return location if "://" in location else str(Path(location).absolute())


def _fingerprints(task: WindowTask) -> Mapping[str, str]:
    renderer = open_renderer(task.engine, task.options)
    voices = dict.fromkeys(request.voice for request in task.window.requests)
    return {voice: renderer.fingerprint(voice) for voice in voices}
