"""What watches over a worker: its heartbeats, its slots, its end."""

import asyncio
from types import SimpleNamespace

from audiomill.flows.cluster import worker
from audiomill.flows.cluster.heartbeats import QUIET_LOOKS, SILENT_LOOKS, Heartbeats
from audiomill.flows.cluster.worker import MAX_MISSED, watch
from audiomill.flows.cluster.worker_slots import worker_slots
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.kokoro.options import KokoroOptions
from support.case_files import each_row


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


def looked(n_workers: int, n_looks: int) -> Heartbeats:
    """All workers send heartbeats, except the one of address "0"."""
    heartbeats = Heartbeats()
    for look in range(n_looks + 1):
        heartbeats.look({str(one): 0.0 if one == 0 else float(look) for one in range(n_workers)})
    return heartbeats


def test_a_worker_without_heartbeats_is_first_quiet_and_then_silent():
    states = [
        (heartbeats.is_quiet("0"), heartbeats.is_silent("0"))
        for heartbeats in (looked(2, n) for n in range(SILENT_LOOKS + 1))
    ]
    quiet = SILENT_LOOKS - QUIET_LOOKS
    assert states == [*[(False, False)] * QUIET_LOOKS, *[(True, False)] * quiet, (True, True)]


def test_others_are_neither_and_one_that_is_back_is_not_any_more():
    heartbeats = looked(2, SILENT_LOOKS)
    assert not (heartbeats.is_quiet("1") or heartbeats.is_silent("1"))
    assert not heartbeats.is_silent("unknown")
    heartbeats.look({"0": 1.0})
    assert not (heartbeats.is_quiet("0") or heartbeats.is_silent("0"))


def test_workers_of_a_large_cluster_may_be_slower():
    assert not looked(2000, SILENT_LOOKS).is_silent("0")
    assert looked(2000, SILENT_LOOKS + 40).is_silent("0")


OPTIONS = EngineOptions((KokoroOptions(device="auto", batch_frames=4096),))
GPUS = ("cuda:0", "cuda:1", "cuda:2")


@each_row
def test_there_is_a_process_for_each_gpu(visible, seen):
    slots = worker_slots("host", OPTIONS, GPUS, 1, visible)
    assert [slot.name for slot in slots] == ["host-0", "host-1", "host-2"]
    assert [slot.environment["CUDA_VISIBLE_DEVICES"] for slot in slots] == seen
    assert {slot.options.of(KokoroOptions()).device for slot in slots} == {"cuda:0"}
    assert {slot.options.of(KokoroOptions()).batch_frames for slot in slots} == {4096}
    assert [slot.device for slot in slots] == list(GPUS)


def test_a_chosen_gpu_is_counted_among_those_that_are_visible():
    (slot,) = worker_slots("host", OPTIONS, ("cuda:1",), 1, "4,6")
    assert slot.environment == {"CUDA_VISIBLE_DEVICES": "6"}
    assert slot.name == "host"


def test_a_machine_without_a_gpu_has_as_many_as_are_asked_for():
    slots = worker_slots("host", OPTIONS, ("cpu",), 3, None)
    assert [(slot.name, slot.device, slot.environment) for slot in slots] == [
        (f"host-{number}", "cpu", {}) for number in range(3)
    ]
    assert {slot.options.of(KokoroOptions()).device for slot in slots} == {"cpu"}
