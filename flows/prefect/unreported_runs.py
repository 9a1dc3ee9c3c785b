"""Tells Prefect of the flow runs that end with this process, which leaves them where they are.

After Ctrl-C a program exits soon, whatever is not done by then. On a busy machine the flow has not
yet reported its end, and without a last word its run would be “Running” for ever.
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from uuid import UUID

from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.signals import stop_where_signals_come

# For which a program that is to end waits for the server, all in all.
LAST_WORD_S = 5.0
INTERRUPTED_RUN = "Interrupted; what was finished is kept."


class UnreportedRuns:
    """The flow runs of this process whose end has not been reported. Thread-safe."""

    def __init__(self) -> None:
        self._ids: set[UUID] = set()

    @contextmanager
    def guard(self, context: RunContext) -> Generator[RunContext]:
        """Handle signals in the current flow run, which is unreported until `forget`."""
        from prefect.runtime import flow_run  # takes seconds, and most runs need no Prefect

        self._ids.add(UUID(flow_run.id))
        with stop_where_signals_come(context, self.cancel) as stopped:
            yield stopped

    def forget(self, flow_run_id: UUID | None) -> None:
        """Forget a flow run whose end the server knows."""
        if flow_run_id is not None:
            self._ids.discard(flow_run_id)

    def cancel(self) -> None:
        """Tell the server that the runs are cancelled. Takes LAST_WORD_S at most; never fails."""
        if not self._ids:
            return
        teller = threading.Thread(target=self._cancel, daemon=True)
        teller.start()
        teller.join(LAST_WORD_S)

    def _cancel(self) -> None:
        import httpx
        from prefect.client.orchestration import get_client
        from prefect.exceptions import PrefectException
        from prefect.states import Cancelled

        with get_client(sync_client=True) as client:
            for one in tuple(self._ids):
                with suppress(httpx.HTTPError, PrefectException):
                    # Not forced: a run whose end is known stays as it ended.
                    client.set_flow_run_state(one, Cancelled(message=INTERRUPTED_RUN))
