"""Which variants are measured, how their engines are opened, and which are skipped."""

from typing import ClassVar

import pytest

from audiomill.flows.bench import engines
from audiomill.flows.bench.corpus import BenchPassage, BenchText
from audiomill.flows.bench.engines import EnginePool
from audiomill.flows.bench.passes import BenchOutput, PassRunner
from audiomill.flows.bench.results.statistics import Pass, Stages
from audiomill.flows.bench.variants import Device, Mode, variants_of
from audiomill.renderers.base import EngineFailed
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.host.remote_object import RemoteError
from audiomill.renderers.kokoro.options import KokoroOptions
from support.bench_data import LINES, bench_options

CPU = Device("cpu", {one: f"there is no {one} on a CPU" for one in ("tf32", "bf16", "fp16")})
CUDA = Device("cuda", {})
PASSAGE = BenchPassage(0, 0, 1, dict.fromkeys(("planned", "sentence", "adaptive"), LINES))
TEXT = BenchText("T", "", "af_heart", (PASSAGE,))
RESULTS = {"run": Pass(1.0, 1.0, 1.0, (1.0,)), "cancel": 0.0, "facts": {}, "stages": Stages()}


class FakeRemote:
    """Replaces a child process: keeps how it was opened, and returns each result at once."""

    opened: ClassVar[list] = []

    def __init__(self, make, *arguments):
        self.opened.append((make.__name__, arguments))

    def call(self, method, *_, on_progress=None):  # noqa: ARG002
        return RESULTS.get(method)

    def close(self):
        pass


@pytest.fixture
def opened(monkeypatch):
    """The name of the opener and the arguments of each child process."""
    monkeypatch.setattr(engines, "RemoteObject", FakeRemote)
    monkeypatch.setattr(FakeRemote, "opened", [])
    monkeypatch.setattr(engines, "as_text", lambda _options, text: text)
    monkeypatch.setattr(engines, "write_source", lambda *_: "source.html")
    return FakeRemote.opened


def measured(options, devices, folder):
    with EnginePool(options, KokoroOptions(), TEXT, folder) as pool:
        runner = PassRunner(pool, 1, BenchOutput(""))
        runner.run(variants_of(options, devices), devices)
    return runner.measurements


def test_each_engine_is_opened_in_the_precision_that_its_row_names(opened, tmp_path):
    options = bench_options(rivals=("upstream",), end_to_end=True)
    measurements = measured(options, (CPU, CUDA), tmp_path)
    places = []
    for make, arguments in opened:
        (told,) = (one for one in arguments if isinstance(one, KokoroOptions | EngineOptions))
        kokoro = told.of(KokoroOptions()) if isinstance(told, EngineOptions) else told
        places.append((make, kokoro.device, kokoro.precision))
    of_pytorch = [("cpu", "float32"), ("cuda", "float32"), ("cuda", "tf32")]
    assert set(places) == {
        (f"{kind}_run", *place)
        for kind in ("kokoro", "upstream", "pipeline", "upstream_pipeline")
        for place in of_pytorch
    } | {
        (f"{kind}_run", "cuda", precision)
        for kind in ("kokoro", "pipeline")
        for precision in ("bf16", "fp16")
    }
    assert {(one.device, one.precision) for one in measurements.passes} == {
        *of_pytorch,
        ("cuda", "bf16"),
        ("cuda", "fp16"),
    }
    assert measurements.skipped == []


def test_a_precision_that_does_not_work_on_a_gpu_is_skipped(opened, monkeypatch, tmp_path):
    class BrokenRemote(FakeRemote):
        def __init__(self, make, *arguments):
            if arguments[0].precision in broken:
                raise RemoteError("no compiler")
            super().__init__(make, *arguments)

    monkeypatch.setattr(engines, "RemoteObject", BrokenRemote)
    broken = ("bf16", "fp16", "tf32")
    measurements = measured(bench_options(rivals=()), (CUDA,), tmp_path)
    assert {one.precision for one in measurements.passes} == {"float32"}
    assert {(one.variant.precision, one.reason) for one in measurements.skipped} == {
        (one, "no compiler") for one in broken
    }
    broken = ("float32", "tf32", "bf16", "fp16")
    with pytest.raises(EngineFailed, match="no compiler"):
        measured(bench_options(rivals=("upstream",)), (CUDA,), tmp_path)


def test_when_one_variant_fails_the_others_keep_their_engine(opened, monkeypatch, tmp_path):
    class FullRemote(FakeRemote):
        def call(self, method, *arguments, on_progress=None):
            if 65536 in arguments:
                raise RemoteError("no memory")
            calls.append(method)
            return super().call(method, *arguments, on_progress=on_progress)

    calls = []
    monkeypatch.setattr(engines, "RemoteObject", FullRemote)
    options = bench_options(rivals=(), batch_frames=(0, 65536))
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
    options = bench_options(precisions=("float32", "tf32"), rivals=("upstream",), end_to_end=True)
    measurements = measured(options, (CPU,), tmp_path)
    assert {one.precision for one in measurements.passes} == {"float32"}
    assert {(one.variant.precision, one.reason) for one in measurements.skipped} == {
        ("tf32", "there is no tf32 on a CPU")
    }
    assert {one.variant.mode for one in measurements.skipped} == set(Mode)
    assert len(measurements.skipped) == len(measurements.passes) == 6
