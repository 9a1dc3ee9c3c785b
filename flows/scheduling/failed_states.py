"""The states of runs and tasks that fail as they may: a name and a message, and no traceback.

A page behind a wall, or a book that is no book, is no fault of ours. Prefect shows the traceback of
whatever a flow or a task raises, so these errors are not raised there but are the data of a state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from prefect.client.schemas.objects import State
from prefect.states import Failed

from audiomill.flows.execution.executor import ExecutorError
from audiomill.flows.job import UsageError
from audiomill.inputs.book import SourceError
from audiomill.outputs.types import OutputError
from audiomill.renderers.base import RenderError, StoreError

P = ParamSpec("P")
T = TypeVar("T")

# The first match counts. Notifications are sent by these names (docs/schedules.md).
FAILED_NAMES: tuple[tuple[type[Exception], str], ...] = (
    (UsageError, "Wrong usage"),
    (SourceError, "Unreadable"),
    (RenderError, "Not rendered"),
    (ExecutorError, "Not rendered"),
    (StoreError, "Not written"),
    (OutputError, "Not written"),
)
_EXPECTED = tuple(kind for kind, _ in FAILED_NAMES)


def or_failed_state(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | State[Any]:
    """What `work` returns, or the state of a run that failed with an expected error.

    Whoever asks for the result of that state gets the error itself.
    """
    try:
        return work(*args, **kwargs)
    except _EXPECTED as error:
        name = next(name for kind, name in FAILED_NAMES if isinstance(error, kind))
        return Failed(name=name, message=str(error), data=error)
