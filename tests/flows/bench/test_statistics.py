"""The figures of passes: medians, spread, cadence, shares; and the rows of the table."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows.bench.results.statistics import (
    FACTORS,
    Pass,
    figures_of,
    gaps_of,
    quantile,
    shares,
)
from audiomill.flows.bench.variants import (
    UPSTREAM_CHUNKINGS,
    Device,
    Mode,
    Variant,
    reference,
    variants_of,
)
from support.bench_data import bench_options

ONE = Pass(
    wall_s=2.0,
    audio_s=10.0,
    first_s=0.5,
    finished_s=(0.5, 0.5, 2.0),
    real=90,
    computed=100,
    n_batches=2,
    peak_ram_bytes=7,
)
TIMES = st.floats(0.001, 1e6)
CPU, CUDA = (
    Device("cpu", {"tf32": "there is none", "bf16": "nor this", "fp16": "nor that"}),
    Device("cuda", {}),
)


def test_the_figures_of_one_pass():
    figures = figures_of([ONE], n_chars=140)
    assert figures.speed == 5.0
    assert figures.real_time_factor == 0.2
    assert figures.characters_per_s == 70.0
    assert figures.first_audio_s == 0.5
    assert (figures.cadence_median_s, figures.cadence_p95_s) == (0.75, 1.5)
    assert figures.batch_rows == 1.5
    assert figures.batch_fill == 0.9
    assert figures.padding_share == pytest.approx(0.1)
    assert figures.spread is None
    assert figures.peak_gpu_bytes is None
    assert figures.cancellation_s is None


def test_of_several_passes_the_median_and_the_highest_peak_count():
    passes = [
        replace(ONE, wall_s=wall_s, peak_ram_bytes=peak, peak_gpu_bytes=peak)
        for wall_s, peak in ((4.0, 1), (2.0, 9), (3.0, 5))
    ]
    figures = figures_of(passes, n_chars=30)
    assert figures.wall_s == (4.0, 2.0, 3.0)
    assert figures.speed == pytest.approx(10.0 / 3.0)
    assert figures.characters_per_s == 10.0
    assert figures.spread == pytest.approx(FACTORS[3] * 2 / 3)
    assert (figures.peak_ram_bytes, figures.peak_gpu_bytes) == (9, 9)


def test_a_figure_without_data_is_none():
    bare = replace(ONE, finished_s=(2.0,), real=0, computed=0, n_batches=0)
    figures = figures_of([bare], n_chars=1)
    assert figures.cadence_median_s is None
    assert figures.batch_rows is None
    assert figures.batch_fill is None
    assert figures.padding_share is None


@given(st.lists(TIMES, min_size=1), st.floats(0.01, 1.0))
def test_a_quantile_is_a_value_that_enough_others_do_not_exceed(values, share):
    value = quantile(values, share)
    assert value in values
    assert sum(one <= value for one in values) >= share * len(values) * (1 - 1e-9)


@given(st.lists(TIMES).map(sorted))
def test_gaps_add_up(finished_s):
    assert sum(gaps_of(finished_s)) == pytest.approx(
        finished_s[-1] - finished_s[0] if finished_s else 0
    )


@given(st.dictionaries(st.text(max_size=3), st.none() | TIMES, min_size=1))
def test_shares_add_up_to_the_whole(seconds):
    found = shares(seconds)
    assert {name for name, share in found.items() if share is None} == {
        name for name, one in seconds.items() if one is None
    }
    if any(one is not None for one in seconds.values()):
        assert sum(share for share in found.values() if share is not None) == pytest.approx(1)


def test_a_sweep_has_a_row_for_each_combination():
    options = bench_options(batch_frames=(0, 2048), chunkings=("planned", "sentence"), rivals=())
    variants = variants_of(options, (CPU, CUDA))
    assert len(variants) == len(set(variants)) == 20
    assert len({one.name for one in variants}) == 20
    assert variants[0] == Variant(Mode.SYNTHESIS, "kokoro", "cpu", "float32", "planned", 0)


def test_the_default_is_every_precision_that_a_device_supports():
    of_pytorch = [("cpu", "float32"), ("cuda", "float32"), ("cuda", "tf32")]
    for mode in Mode:
        for engine, places in (
            ("kokoro", [*of_pytorch, ("cuda", "bf16"), ("cuda", "fp16")]),
            ("upstream", of_pytorch),  # it has no switch for the others
        ):
            rows = [
                (one.device, one.precision)
                for one in variants_of(bench_options(end_to_end=True), (CPU, CUDA))
                if (one.mode, one.engine) == (mode, engine)
            ]
            assert list(dict.fromkeys(rows)) == places


def test_a_requested_precision_is_a_row_on_every_device():
    variants = variants_of(bench_options(precisions=("tf32",), rivals=("upstream",)), (CPU, CUDA))
    assert {(one.device, one.precision) for one in variants} == {("cpu", "tf32"), ("cuda", "tf32")}


def test_a_precision_is_named_where_there_is_more_than_one():
    names = [one.name for one in variants_of(bench_options(), (CPU, CUDA))]
    assert names[:6] == [
        "kokoro, cpu, planned",
        "kokoro float32, cuda, planned",
        "kokoro tf32, cuda, planned",
        "kokoro bf16, cuda, planned",
        "kokoro fp16, cuda, planned",
        "upstream, cpu, sentence",
    ]
    assert names[-2:] == ["onnx float32, cpu, planned", "onnx int8, cpu, planned"]


def test_rivals_have_their_own_chunkings_and_precisions():
    rivals = [one for one in variants_of(bench_options(), (CPU, CUDA)) if one.is_rival]
    upstream = {(one.device, one.chunking) for one in rivals if one.engine == "upstream"}
    assert upstream == {
        (device, chunking) for device in ("cpu", "cuda") for chunking in UPSTREAM_CHUNKINGS
    }
    onnx = [(one.device, one.precision) for one in rivals if one.engine == "onnx"]
    assert onnx == [("cpu", "float32"), ("cpu", "int8")]


def test_end_to_end_rows_come_after_synthesis():
    modes = [one.mode for one in variants_of(bench_options(end_to_end=True), (CPU,))]
    assert modes == [Mode.SYNTHESIS] * 5 + [Mode.END_TO_END] * 3


def test_the_reference_of_a_mode_is_the_fastest_upstream_row():
    ours, sentence, adaptive, _, _ = variants_of(bench_options(), (CPU,))
    medians_s = {ours: 1.0, sentence: 3.0, adaptive: 2.0}
    assert reference(medians_s, Mode.SYNTHESIS) == adaptive
    assert reference({ours: 1.0}, Mode.SYNTHESIS) == ours
    assert reference({ours: 1.0}, Mode.END_TO_END) is None
