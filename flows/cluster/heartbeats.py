"""Knows which workers have sent no heartbeat for long: stopped, swapped out, or cut off.

The scheduler itself takes a worker for gone only after five to ten minutes. It is asked again and
again, and each answer in which the time of the last heartbeat is the same counts. No clock does: a
scheduler or a flow that slept would find all workers silent.
"""

from __future__ import annotations

from collections.abc import Mapping

# Answers of the scheduler, of which there is one a second at most.
QUIET_LOOKS = 10  # after which a person is told
SILENT_LOOKS = 30  # after which others get what the worker has
# Workers of a large cluster send heartbeats at a lower rate: one in n / 200 + 1 seconds.
_WORKERS_FOR_A_LOOK = 50


class Heartbeats:
    """How many answers of the scheduler had nothing new of each worker."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[float, int]] = {}  # (last heartbeat, looks since) by address

    def look(self, last_seen: Mapping[str, float]) -> None:
        """Take note of an answer: when each worker sent its last heartbeat, by its address."""
        known = self._seen
        self._seen = {
            address: (when, known[address][1] + 1 if known.get(address, (None,))[0] == when else 0)
            for address, when in last_seen.items()
        }

    def is_quiet(self, address: str) -> bool:
        """Whether a worker has sent nothing for some seconds."""
        return self._n_looks(address) >= QUIET_LOOKS

    def is_silent(self, address: str) -> bool:
        """Whether a worker has sent nothing for so long that others should have its work."""
        return self._n_looks(address) >= SILENT_LOOKS

    def _n_looks(self, address: str) -> int:
        """Looks without news, beyond those that a large cluster's slower heartbeats explain."""
        return self._seen.get(address, (0.0, 0))[1] - len(self._seen) // _WORKERS_FOR_A_LOOK
