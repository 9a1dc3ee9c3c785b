"""The comparison with rivals: its rows, how they are opened, the reference, what is printed."""

import json
import sys

import pytest

from audiomill.flows.bench import engines
from audiomill.flows.bench.command import result_of
from audiomill.flows.bench.compare import compare, read_result
from audiomill.flows.bench.engines import EnginePool
from audiomill.flows.bench.passes import BenchOutput, PassRunner
from audiomill.flows.bench.statistics import Pass
from audiomill.flows.bench.variants import Mode
from audiomill.renderers.host.hardware import this_machine
from audiomill.renderers.kokoro.options import KokoroOptions
from benchmarks.rivals import __main__ as command
from benchmarks.rivals import comparison
from benchmarks.rivals.comparison import (
    RIVALS,
    RivalOpener,
    RivalResult,
    variants_of,
    with_reference,
)
from benchmarks.rivals.report import drawn_chart, rival_table
from benchmarks.rivals.roofline import Cost
from benchmarks.rivals.upstream import UPSTREAM_CHUNKINGS
from support.bench_data import CPU, CUDA, TEXT, FakeRemote, bench_options
from support.paths import ROOT

pytestmark = pytest.mark.prove

SILENT = BenchOutput("")


@pytest.fixture(autouse=True)
def _own_signals(monkeypatch):
    monkeypatch.setattr("signal.signal", lambda *_: None)


def names_of(options, devices=(CPU, CUDA), rivals=RIVALS):
    return [one.name for one in variants_of(options, rivals, devices)]


def test_rivals_come_after_ours_in_each_mode():
    names = names_of(bench_options())
    assert names[:6] == [
        "kokoro, cpu, planned",
        "kokoro float32, cuda, planned",
        "kokoro tf32, cuda, planned",
        "kokoro bf16, cuda, planned",
        "kokoro fp16, cuda, planned",
        "upstream, cpu, sentence",
    ]
    assert names[-2:] == ["onnx, cpu, planned", "onnx int8, cpu, planned"]
    modes = [one.mode for one in variants_of(bench_options(end_to_end=True), RIVALS, (CPU,))]
    assert modes == [Mode.SYNTHESIS] * 5 + [Mode.END_TO_END] * 3


def test_rivals_have_their_own_chunkings_and_precisions():
    variants = variants_of(bench_options(end_to_end=True), RIVALS, (CPU, CUDA))
    for mode in Mode:
        upstream = [one for one in variants if (one.mode, one.engine) == (mode, "upstream")]
        places = [("cpu", "float32"), ("cuda", "float32"), ("cuda", "tf32")]
        assert [(one.device, one.precision, one.chunking) for one in upstream] == [
            (*place, chunking) for place in places for chunking in UPSTREAM_CHUNKINGS
        ]
    assert names_of(bench_options(), (CUDA,), ("onnx",))[-1] == "kokoro fp16, cuda, planned"


def test_each_rival_is_opened_in_the_precision_that_its_row_names(monkeypatch, tmp_path):
    monkeypatch.setattr(engines, "ChildObject", FakeRemote)
    monkeypatch.setattr(FakeRemote, "opened", opened := [])
    monkeypatch.setattr(engines, "write_source", lambda *_: "source.html")
    monkeypatch.setattr(comparison, "as_text", lambda _options, text: text)
    options = bench_options(end_to_end=True)
    with EnginePool(RivalOpener(options, KokoroOptions(), TEXT, tmp_path)) as pool:
        runner = PassRunner(pool, 1, SILENT)
        runner.run(variants_of(options, ("upstream",), (CPU, CUDA)), (CPU, CUDA))
    of_pytorch = [("cpu", "float32"), ("cuda", "float32"), ("cuda", "tf32")]
    theirs = [one for one in opened if one[0].startswith("upstream")]
    assert {(make, told[0].device, told[0].precision) for make, told in theirs} == {
        (make, *place) for make in ("upstream_run", "upstream_pipeline_run") for place in of_pytorch
    }
    assert runner.measurements.skipped == []


def comparison_of(walls_s):
    """A comparison in which each row took so many seconds for a second of audio."""
    variants = variants_of(bench_options(), RIVALS, (CPU,))
    passes = [[Pass(wall_s, 1.0, wall_s, (wall_s,))] for wall_s in walls_s]
    options = bench_options()
    runner = PassRunner(EnginePool(RivalOpener(options, KokoroOptions(), TEXT, ROOT)), 1, SILENT)
    runner.measurements.passes.update(zip(variants, passes, strict=True))
    result = with_reference(result_of(options, this_machine(), TEXT, runner))
    ceilings = {"cpu": {"float32_flops": 1e12, "copy_bytes_per_s": 2e10}}
    return RivalResult(result, Cost(flop=5e10, values=1e8), ceilings)


def test_the_reference_is_the_fastest_row_of_upstream(tmp_path):
    document = comparison_of((1.0, 4.0, 3.0, 2.0, 1.5)).json()
    assert document["references"] == {"synthesis only": "upstream, cpu, adaptive"}
    assert [one["ratio"] for one in document["variants"]] == [3.0, 0.75, 1.0, 1.5, 2.0]
    ours, *_, int8 = document["variants"]
    assert (ours["flop_per_s"], ours["ceiling_share"]) == (5e10, 0.05)
    assert (ours["bytes_per_s"], ours["copy_share"]) == (4e8, 0.02)
    assert (int8["ceiling_share"], int8["copy_share"]) == (None, None)
    (tmp_path / "bench.json").write_text(json.dumps(document))
    assert len(compare(read_result(tmp_path), read_result(tmp_path)).pairs) == 5


def test_it_is_printed_and_drawn():
    comparison = comparison_of((1.0, 4.0, 3.0, 2.0, 1.5))
    printed = rival_table(comparison)
    assert "cpu at most: float32 1 TFLOP/s, copies 20 GB/s" in printed
    titles, ours, *_ = printed.splitlines()[5:]
    assert "TFLOP/s  of ceiling   GB/s  of copy  RAM MiB" in titles
    assert ours.startswith("kokoro, cpu, planned")
    assert " 5.0% " in ours
    assert drawn_chart(comparison.result).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--rivals=everything"], "unknown everything; known: upstream, onnx"),
        (["--engine=tone"], "leave --engine out"),
    ],
)
def test_options_that_make_no_sense_are_refused(monkeypatch, capsys, words, message):
    monkeypatch.setattr(sys, "argv", ["rivals", *words])
    assert command.main() == 2
    assert message in capsys.readouterr().err
