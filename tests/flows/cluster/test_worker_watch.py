"""A worker service notices what its nanny does not: that it has no process any more."""

import asyncio
from types import SimpleNamespace

from audiomill.flows.cluster import worker
from audiomill.flows.cluster.worker import MAX_MISSED, watch


class Nanny:
    """Has these processes, one at each look; the last one for ever."""

    name = "one"

    def __init__(self, pids, status="running"):
        self._pids = pids
        self.status = SimpleNamespace(name=status)
        self.n_looks = 0

    @property
    def pid(self):
        return self._pids[min(self.n_looks, len(self._pids) - 1)]


def watched(nanny, monkeypatch, n_looks=1000):
    """How often it was looked at before the watch ended, or was stopped."""
    sleep = asyncio.sleep

    async def look(_duration_s):
        nanny.n_looks += 1
        await sleep(0)

    monkeypatch.setattr(worker.asyncio, "sleep", look)
    asyncio.run(watch(nanny, lambda: nanny.n_looks >= n_looks))
    return nanny.n_looks


def test_a_nanny_without_a_process_is_given_up(monkeypatch):
    assert watched(Nanny([7, 7, None]), monkeypatch) == 2 + MAX_MISSED


def test_a_process_that_is_replaced_is_told(monkeypatch, caplog):
    pids = [7, *[None] * (MAX_MISSED - 1), 8, *[None] * (MAX_MISSED - 1), 9]
    assert watched(Nanny(pids), monkeypatch) == 1000
    assert [record.message for record in caplog.records] == [
        "A process of worker one has ended. Another one took over."
    ] * 2


def test_the_watch_ends_with_the_nanny(monkeypatch):
    assert watched(Nanny([7], status="closed"), monkeypatch) == 0
