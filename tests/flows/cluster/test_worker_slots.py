"""Each worker process sees one GPU, and calls it its first."""

from audiomill.flows.cluster.worker_slots import worker_slots
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.kokoro.options import KokoroOptions
from support.case_files import each_row

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
