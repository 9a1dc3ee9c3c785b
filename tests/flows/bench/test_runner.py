"""Which variants are measured and what each is opened with: in its own precision, or not at all."""

from typing import ClassVar

import pytest

from audiomill.flows.bench import engines as stands
from audiomill.flows.bench.corpus import BenchPassage, BenchText
from audiomill.flows.bench.engines import EnginePool
from audiomill.flows.bench.runner import BenchOutput, Rounds
from audiomill.flows.bench.statistics import Pass, Stages
from audiomill.flows.bench.variants import Device, Mode, variants_of
from audiomill.renderers.base import EngineFailed
from audiomill.renderers.host.remote_object import RemoteError
from audiomill.renderers.options import EngineOptions, KokoroOptions
from support.bench_data import LINES, order

CPU = Device("cpu", {one: f"there is no {one} on a CPU" for one in ("tf32", "bf16")})
CUDA = Device("cuda", {})
PASSAGE = BenchPassage(0, 0, 1, dict.fromkeys(("planned", "sentence", "adaptive"), LINES))
SUBJECT = BenchText("T", "", "af_heart", (PASSAGE,))
ANSWERS = {"run": Pass(1.0, 1.0, 1.0, (1.0,)), "cancel": 0.0, "facts": {}, "stages": Stages()}


class Standing:
    """In a worker's place: keeps what it is opened with, and is through with all at once."""

    opened: ClassVar[list] = []

    def __init__(self, make, *given):
        self.opened.append((make.__name__, given))

    def ask(self, what, *_, heard=None):  # noqa: ARG002
        return ANSWERS.get(what)

    def close(self):
        pass


@pytest.fixture
def opened(monkeypatch):
    """What workers were opened with."""
    monkeypatch.setattr(stands, "RemoteObject", Standing)
    monkeypatch.setattr(Standing, "opened", [])
    monkeypatch.setattr(stands.sources, "as_text", lambda _order, subject: subject)
    monkeypatch.setattr(stands.sources, "write_source", lambda *_: "source.html")
    return Standing.opened


def measured(asked, devices, folder):
    with EnginePool(asked, KokoroOptions(), SUBJECT, folder) as standing:
        rounds = Rounds(standing, 1, BenchOutput(""))
        rounds.run(variants_of(asked, devices), devices)
    return rounds


def test_each_engine_is_opened_in_the_precision_that_its_row_names(opened, tmp_path):
    rounds = measured(order(rivals=("upstream",), end_to_end=True), (CPU, CUDA), tmp_path)
    found = []
    for make, given in opened:
        (options,) = (one for one in given if isinstance(one, KokoroOptions | EngineOptions))
        kokoro = getattr(options, "kokoro", options)
        found.append((make, kokoro.device, kokoro.precision))
    places = [("cpu", "float32"), ("cuda", "float32"), ("cuda", "tf32")]
    assert set(found) == {
        (f"{kind}_stand", *place)
        for kind in ("kokoro", "upstream", "mill", "pipeline")
        for place in places
    } | {(f"{kind}_stand", "cuda", "bf16") for kind in ("kokoro", "mill")}
    assert {(one.device, one.precision) for one in rounds.passes} == {*places, ("cuda", "bf16")}
    assert rounds.passed == []


def test_a_precision_that_does_not_work_on_a_card_is_passed_over(opened, monkeypatch, tmp_path):
    class Broken(Standing):
        def __init__(self, make, *given):
            if given[0].precision in unfit:
                raise RemoteError("no compiler")
            super().__init__(make, *given)

    monkeypatch.setattr(stands, "RemoteObject", Broken)
    unfit = ("bf16", "tf32")
    rounds = measured(order(rivals=()), (CUDA,), tmp_path)
    assert {one.precision for one in rounds.passes} == {"float32"}
    assert {(one.variant.precision, one.reason) for one in rounds.passed} == {
        (one, "no compiler") for one in unfit
    }
    unfit = ("float32", "tf32", "bf16")
    with pytest.raises(EngineFailed, match="no compiler"):
        measured(order(rivals=("upstream",)), (CUDA,), tmp_path)


def test_what_one_variant_fails_at_leaves_the_others_their_engine(opened, monkeypatch, tmp_path):
    class Crowded(Standing):
        def ask(self, what, *given, heard=None):
            if 65536 in given:
                raise RemoteError("no memory")
            asked.append(what)
            return super().ask(what, *given, heard=heard)

    asked = []
    monkeypatch.setattr(stands, "RemoteObject", Crowded)
    rounds = measured(order(rivals=(), batch_frames=(0, 65536)), (CPU,), tmp_path)
    assert [one.batch_frames for one in rounds.passes] == [0]
    assert [(one.variant.batch_frames, one.reason) for one in rounds.passed] == [
        (65536, "no memory")
    ]
    # Opened anew, it is warmed up anew.
    assert len(opened) == 2
    assert asked == ["warm_up", "facts", "warm_up", "run", "cancel"]


@pytest.mark.usefixtures("opened")
def test_a_precision_that_a_device_has_not_is_passed_over_with_the_reason(tmp_path):
    asked = order(precisions=("float32", "tf32"), rivals=("upstream",), end_to_end=True)
    rounds = measured(asked, (CPU,), tmp_path)
    assert {one.precision for one in rounds.passes} == {"float32"}
    assert {(one.variant.precision, one.reason) for one in rounds.passed} == {
        ("tf32", "there is no tf32 on a CPU")
    }
    assert {one.variant.mode for one in rounds.passed} == set(Mode)
    assert len(rounds.passed) == len(rounds.passes) == 6
