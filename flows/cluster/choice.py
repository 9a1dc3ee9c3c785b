"""Whether the windows of a run are rendered by a cluster, and by which. Imports nothing of Dask."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

from audiomill.flows.console import say
from audiomill.flows.execution.executor import Executor
from audiomill.flows.job import UsageError
from audiomill.flows.settings import Settings
from audiomill.renderers.host.installation import this_installation

ExecutorName = Literal["threads", "dask"]
# Makes the executor of a book of one that runs stages here.
Place = Callable[[Executor], Executor]

_ADDRESS = re.compile(r"(?:(?:tcp|tls|ws|wss|ucx)://)?(?:\[[0-9a-fA-F:]+\]|[^\s:/\[\]]+):\d{1,5}")


@dataclass(frozen=True, slots=True)
class ClusterChoice:
    """A cluster, as a run uses it."""

    scheduler: str
    workers_within_s: float
    priority: int  # of the run's windows; higher ones go first


def chosen_cluster(
    settings: Settings, executor: ExecutorName | None = None, priority: int = 0
) -> ClusterChoice | None:
    """The cluster that renders; None for this process. `executor` wins over the settings.

    Raises UsageError if none is named, or Dask is not installed.
    """
    if (executor or settings.executor) == "threads":
        return None
    require_dask()
    scheduler = scheduler_address(settings.dask_scheduler)
    return ClusterChoice(scheduler, settings.workers_within_s, priority)


@contextmanager
def windows_on(cluster: ClusterChoice | None) -> Generator[Place]:
    """While the block runs, executors may send windows to the cluster. None: they keep them.

    Raises SchedulerUnreachable.
    """
    if cluster is None:
        yield lambda local: local
        return
    # Imported here: it takes half a second, and needs the extra.
    from audiomill.flows.cluster.cluster import Cluster
    from audiomill.flows.cluster.executor import ClusterExecutor

    with Cluster(cluster.scheduler, cluster.workers_within_s, say) as connected:
        yield lambda local: ClusterExecutor(local, connected, cluster.priority)


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
