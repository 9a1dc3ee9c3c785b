"""Which variants are measured, how their engines are opened, and which are skipped."""

import pytest

from audiomill.flows.bench import engines
from audiomill.flows.bench.engines import EnginePool
from audiomill.flows.bench.model_alone import ModelOpener, model_variants
from audiomill.flows.bench.passes import BenchOutput, PassRunner
from audiomill.flows.bench.variants import Mode, Variant
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.host.child_object import ChildObjectError
from audiomill.renderers.kokoro.bench_model import KokoroBenchModel
from audiomill.renderers.kokoro.options import KokoroOptions
from support.bench_data import CPU, CUDA, TEXT, FakeRemote, bench_options

MODEL = KokoroBenchModel(KokoroOptions())


@pytest.fixture
def opened(monkeypatch):
    """The name of the opener and the arguments of each child process."""
    monkeypatch.setattr(engines, "ChildObject", FakeRemote)
    monkeypatch.setattr(FakeRemote, "opened", [])
    monkeypatch.setattr(engines, "write_source", lambda *_: "source.html")
    return FakeRemote.opened


def measured(options, devices, folder):
    with EnginePool(ModelOpener(options, MODEL, TEXT, folder)) as pool:
        runner = PassRunner(pool, 1, BenchOutput(""))
        runner.run(model_variants(options, MODEL, devices), devices)
    return runner.measurements


def test_each_variant_is_opened_in_the_precision_that_its_row_names(opened, tmp_path):
    measurements = measured(bench_options(end_to_end=True), (CPU, CUDA), tmp_path)
    places = [("cpu", "float32"), *(("cuda", one) for one in ("float32", "tf32", "bf16", "fp16"))]
    assert {(make, one.options.device, one.options.precision) for make, (one, *_) in opened} == {
        (make, *place) for make in ("model_run", "model_pipeline_run") for place in places
    }
    assert {(one.device, one.precision) for one in measurements.passes} == {*places}
    assert measurements.skipped == []


def test_a_precision_that_does_not_work_on_a_gpu_is_skipped(opened, monkeypatch, tmp_path):
    class BrokenRemote(FakeRemote):
        def __init__(self, make, *arguments):
            if arguments[0].options.precision in broken:
                raise ChildObjectError("no compiler")
            super().__init__(make, *arguments)

    monkeypatch.setattr(engines, "ChildObject", BrokenRemote)
    broken = ("bf16", "fp16", "tf32")
    measurements = measured(bench_options(), (CUDA,), tmp_path)
    assert {one.precision for one in measurements.passes} == {"float32"}
    assert {(one.variant.precision, one.reason) for one in measurements.skipped} == {
        (one, "no compiler") for one in broken
    }
    broken = ("float32", "tf32", "bf16", "fp16")
    with pytest.raises(EngineFailed, match="no compiler"):
        measured(bench_options(), (CUDA,), tmp_path)


def test_when_one_variant_fails_the_others_keep_their_engine(opened, monkeypatch, tmp_path):
    class FullRemote(FakeRemote):
        def call(self, method, *arguments, on_progress=None):
            if 65536 in arguments:
                raise ChildObjectError("no memory")
            calls.append(method)
            return super().call(method, *arguments, on_progress=on_progress)

    calls = []
    monkeypatch.setattr(engines, "ChildObject", FullRemote)
    options = bench_options(batch_frames=(0, 65536))
    measurements = measured(options, (CPU,), tmp_path)
    assert [one.batch_frames for one in measurements.passes] == [0]
    assert [(one.variant.batch_frames, one.reason) for one in measurements.skipped] == [
        (65536, "no memory")
    ]
    # An engine that is opened again is warmed up again.
    assert len(opened) == 2
    assert calls == ["warm_up", "facts", "warm_up", "run", "cancel"]


@pytest.mark.usefixtures("opened")
def test_a_precision_that_a_device_lacks_is_skipped_with_the_reason(tmp_path):
    options = bench_options(precisions=("float32", "tf32"), end_to_end=True)
    measurements = measured(options, (CPU,), tmp_path)
    assert {one.precision for one in measurements.passes} == {"float32"}
    assert {(one.variant.precision, one.reason) for one in measurements.skipped} == {
        ("tf32", "there is no tf32 on a CPU")
    }
    assert {one.variant.mode for one in measurements.skipped} == set(Mode)
    assert len(measurements.skipped) == len(measurements.passes) == 2


def test_a_sweep_has_a_row_for_each_combination():
    options = bench_options(batch_frames=(0, 2048), chunkings=("planned", "sentence"))
    variants = model_variants(options, MODEL, (CPU, CUDA))
    assert len(variants) == len(set(variants)) == 20
    assert len({one.name for one in variants}) == 20
    assert variants[0] == Variant(Mode.SYNTHESIS, "kokoro", "cpu", "float32", "planned", 0)


def test_a_requested_precision_is_a_row_on_every_device():
    variants = model_variants(bench_options(precisions=("tf32",)), MODEL, (CPU, CUDA))
    assert {(one.device, one.precision) for one in variants} == {("cpu", "tf32"), ("cuda", "tf32")}


def test_the_first_row_of_a_mode_is_its_reference(opened, tmp_path):
    measurements = measured(bench_options(end_to_end=True), (CUDA, CPU), tmp_path)
    assert opened
    assert [(mode, one.device) for mode, one in measurements.references().items()] == [
        (mode, "cuda") for mode in Mode
    ]
