"""Whether the windows of a run are rendered by a cluster, and by which. Imports nothing of Dask."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Protocol

from audiomill.flows.console import say
from audiomill.flows.execution.executor import Executor
from audiomill.flows.job import UsageError
from audiomill.flows.options import EXECUTORS, RenderOptions
from audiomill.flows.settings import Settings
from audiomill.renderers.host.installation import this_installation

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


@dataclass(frozen=True, slots=True)
class ClusterChoice:
    """A cluster, as a run uses it."""

    scheduler: str
    workers_within_s: float
    priority: int  # of the run's windows; higher ones go first


def chosen_cluster(
    settings: Settings, options: RenderOptions | None = None
) -> ClusterChoice | None:
    """The cluster that renders; None for this process. An executor that is named wins.

    Raises UsageError if none is named, or Dask is not installed; for a priority without a cluster.
    """
    options = options or {}
    chosen, priority = options.get("executor") or settings.executor, options.get("priority", 0)
    if chosen not in EXECUTORS:
        raise UsageError(f"--executor {chosen}: choose one of {', '.join(EXECUTORS)}.")
    if chosen == "threads":
        if priority:
            raise UsageError("--priority orders the windows of a cluster. Add --executor dask.")
        return None
    require_dask()
    scheduler = scheduler_address(settings.dask_scheduler)
    return ClusterChoice(scheduler, settings.workers_within_s, priority)


@contextmanager
def place_of_windows(cluster: ClusterChoice | None) -> Generator[RenderingPlace]:
    """The place where windows are rendered, while the block runs; None: this process.

    Raises ExecutorError if the cluster does not answer.
    """
    if cluster is None:
        yield ThisProcess()
        return
    # Imported here: it takes half a second, and needs the extra.
    from audiomill.flows.cluster.cluster import Cluster

    with Cluster(cluster.scheduler, cluster.workers_within_s, say, cluster.priority) as connected:
        yield connected


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
