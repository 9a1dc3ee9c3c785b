"""Where the windows of a run are rendered: here, by a cluster, or by a server of speech.

Imports nothing of Dask, and no client of HTTP.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from audiomill.flows.console import say
from audiomill.flows.errors import UsageError
from audiomill.flows.execution.executor import Executor
from audiomill.flows.execution.row_source import RowPlace, RowSource
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.shard_source import shard_source_of
from audiomill.flows.job import Job
from audiomill.flows.key_file import read_key
from audiomill.flows.options import EXECUTORS, RenderOptions
from audiomill.flows.settings import Settings
from audiomill.flows.web_address import is_web_address
from audiomill.renderers.host.installation import this_installation
from audiomill.renderers.store.store import ShardStore

if TYPE_CHECKING:
    from audiomill.flows.cluster.cluster import Cluster

_ADDRESS = re.compile(r"(?:(?:tcp|tls|ws|wss|ucx)://)?(?:\[[0-9a-fA-F:]+\]|[^\s:/\[\]]+):\d{1,5}")


class RenderingPlace(Protocol):
    """Where the windows of a run are rendered."""

    def executor(self, local: Executor) -> Executor:
        """The executor of one book, which runs by `local` what must be done here."""
        ...

    def workers(self) -> str:
        """Who renders, and how fast, for people; "" in this process."""
        ...


class ThisProcess:
    """This process."""

    def executor(self, local: Executor) -> Executor:
        """Implement `RenderingPlace.executor`."""
        return local

    def workers(self) -> str:
        """Implement `RenderingPlace.workers`."""
        return ""

    def row_source(self, job: Job, store: ShardStore, context: RunContext) -> RowSource:
        """Implement `RowPlace.row_source`."""
        return shard_source_of(job, store, context)


@dataclass(frozen=True, slots=True)
class ClusterChoice:
    """A cluster, as a run uses it."""

    scheduler: str
    workers_within_s: float
    priority: int  # of the run's windows; higher ones go first
    books_at_once: int = 16


@dataclass(frozen=True, slots=True)
class ServerChoice:
    """A server of speech, as a run uses it."""

    url: str
    key: str = ""
    books_at_once: int = 2  # one is encoded here while the next is rendered there


def chosen_place(
    settings: Settings, options: RenderOptions | None = None
) -> ClusterChoice | ServerChoice | None:
    """Who renders; None for this process. An executor that is named wins.

    Raises UsageError if none is named, or Dask is not installed; for a priority without a cluster.
    """
    options = options or {}
    chosen, priority = options.get("executor") or settings.executor, options.get("priority", 0)
    if chosen not in EXECUTORS:
        raise UsageError(f"--executor {chosen}: choose one of {', '.join(EXECUTORS)}.")
    if priority and chosen != "dask":
        raise UsageError("--priority orders the windows of a cluster. Add --executor dask.")
    if chosen == "threads":
        return None
    if chosen == "server":
        return _server_choice(settings)
    return _cluster_choice(settings, priority)


def chosen_cluster(settings: Settings, executor: str | None) -> ClusterChoice | None:
    """The cluster that renders what a server of speech says; None for this process.

    An executor that is named wins. Raises UsageError for a server that is named.
    """
    if executor == "server":
        raise UsageError("This is the server of speech. Choose --executor dask or threads.")
    return _cluster_choice(settings) if (executor or settings.executor) == "dask" else None


def _cluster_choice(settings: Settings, priority: int = 0) -> ClusterChoice:
    """The cluster that the settings name. Raises UsageError."""
    require_dask()
    scheduler = scheduler_address(settings.dask_scheduler)
    return ClusterChoice(scheduler, settings.workers_within_s, priority)


def chosen_server(settings: Settings, executor: str | None) -> ServerChoice | None:
    """The server of speech that renders what is heard; None for this process.

    An executor that is named wins. Raises UsageError for a cluster that is named.
    """
    if executor == "dask":
        raise UsageError(
            "A cluster is asked by a server of speech: audiomill serve --speech --executor dask."
            " Here, choose --executor server or threads."
        )
    return _server_choice(settings) if (executor or settings.executor) == "server" else None


def _server_choice(settings: Settings) -> ServerChoice:
    """The server of speech that the settings name. Raises UsageError."""
    url = settings.speech_server.rstrip("/")
    if not is_web_address(url) or urlsplit(url).path:
        raise UsageError(
            f"speech_server {settings.speech_server}: write it like http://127.0.0.1:8880."
        )
    key = read_key(settings.speech_key_file, "speech_key_file") if settings.speech_key_file else ""
    return ServerChoice(url, key)


@contextmanager
def place_of_windows(choice: ClusterChoice | ServerChoice | None) -> Generator[RenderingPlace]:
    """The place where windows are rendered, while the block runs; None: this process.

    Raises ExecutorError if the cluster does not answer.
    """
    # Imported here: each takes a while, and Dask needs its extra.
    match choice:
        case None:
            yield ThisProcess()
        case ServerChoice(url, key):
            from audiomill.flows.cluster.server_executor import RenderingServer

            yield RenderingServer(url, key)
        case ClusterChoice():
            with _connected(choice) as cluster:
                yield cluster


@contextmanager
def place_of_rows(choice: ClusterChoice | None) -> Generator[RowPlace]:
    """The place where texts are rendered, while the block runs; None: this process.

    Raises ExecutorError if the cluster does not answer.
    """
    if choice is None:
        yield ThisProcess()
        return
    with _connected(choice) as cluster:
        yield cluster


@contextmanager
def _connected(choice: ClusterChoice) -> Generator[Cluster]:
    from audiomill.flows.cluster.cluster import Cluster

    with Cluster(choice.scheduler, choice.workers_within_s, say, choice.priority) as cluster:
        yield cluster


def scheduler_address(address: str | None) -> str:
    """The address of a scheduler, checked. Raises UsageError if there is none, or it is none."""
    if not address:
        raise UsageError(
            "Which cluster? Name its scheduler in AUDIOMILL_DASK_SCHEDULER, for example"
            " tcp://10.0.0.1:8786, or as dask_scheduler in audiomill.toml."
        )
    if not _ADDRESS.fullmatch(address):
        raise UsageError(
            f"{address} is no address of a Dask scheduler; write it like tcp://10.0.0.1:8786."
        )
    return address


def require_dask() -> None:
    """Raise UsageError if Dask is not installed."""
    if find_spec("distributed") is None:
        raise UsageError(f"A cluster needs Dask. {this_installation().hint('dask')}")
