"""The comparison of two results: which is faster, what else differs, what is refused."""

import json
from copy import deepcopy

import pytest

from audiomill.flows.bench.compare import (
    NotComparable,
    compare,
    comparison_table,
    read_result,
)
from audiomill.flows.bench.statistics import FACTORS
from support.case_files import each_row

WALLS = [10.0, 10.1, 10.2, 10.1, 10.0]
VARIANT = {
    "name": "kokoro float32, cuda, planned",
    "mode": "synthesis only",
    "speed": 500.0,
    "wall_s": WALLS,
    "spread": FACTORS[5] * 0.2 / 10.1,
    "peak_ram_bytes": 1 << 30,
    "peak_gpu_bytes": 2 << 30,
    "batch_fill": 0.95,
}
RESULT = {
    "schema": 5,
    "benchmark": "audiomill bench",
    "commit": "a" * 40,
    "weights": "random",
    "text": {"title": "T", "sha256": "0" * 64, "words": 60, "passages": 9, "voice": "af_heart"},
    "repeat": 5,
    "machine": {"cpu": "X", "cores": 8, "load_before": 0.1, "load_after": 2.0},
    "devices": {"cuda": {"gpu": "G"}},
    "versions": {"torch": "2.6.0"},
    "variants": [VARIANT],
    "warnings": [],
}


@pytest.fixture
def saved(tmp_path):
    """Writes a result with some values changed, by names joined with `__`, and reads it."""

    def write(name, **changes):
        result = deepcopy(RESULT)
        for path, value in changes.items():
            *parents, last = path.split("__")
            target = result
            for parent in parents:
                target = target[int(parent) if parent.isdigit() else parent]
            target[last] = value
        (tmp_path / name).write_text(json.dumps(result))
        return read_result(tmp_path / name)

    return write


def faster(by, **changes):
    walls = [wall / by for wall in WALLS]
    return [VARIANT | {"wall_s": walls, "speed": 500.0 * by} | changes]


@each_row
def test_a_difference_counts_when_it_is_more_than_the_spread(saved, by, word):
    comparison = compare(saved("a"), saved("b", variants=faster(by)))
    (pair,) = comparison.pairs
    assert pair.ratio == pytest.approx(by)
    assert pair.verdict == word
    assert word in comparison_table(comparison)


def test_the_larger_of_both_spreads_counts(saved):
    wide = faster(1.1, spread=0.2)
    assert compare(saved("a"), saved("b", variants=wide)).pairs[0].verdict == "within the spread"
    assert compare(saved("a", variants=wide), saved("b")).pairs[0].verdict == "within the spread"


def test_a_variant_that_was_measured_once_is_not_judged(saved):
    once = faster(2.0, spread=None)
    (pair,) = compare(saved("a"), saved("b", variants=once)).pairs
    assert (pair.verdict, pair.spread) == ("measured once", None)


def test_differences_of_the_machines_are_listed_except_their_load(saved):
    other = {
        "machine__cpu": "Y",
        "machine__load_before": 1.0,
        "devices__cuda": {"gpu": "H"},
        "versions__torch": "2.9.0",
        "versions__onnx": "1.17",
        "commit": "b" * 40,
    }
    comparison = compare(saved("a"), saved("b", **other))
    assert comparison.differences == {
        "machine.cpu": ("X", "Y"),
        "devices.cuda.gpu": ("G", "H"),
        "versions.torch": ("2.6.0", "2.9.0"),
        "versions.onnx": (None, "1.17"),
        "commit": ("a" * 40, "b" * 40),
    }


def test_a_variant_that_one_lacks_is_named(saved):
    rounded = VARIANT | {"name": "kokoro tf32, cuda, planned"}
    comparison = compare(saved("a"), saved("b", variants=[VARIANT, rounded]))
    assert comparison.only_a == ()
    assert comparison.only_b == (("synthesis only", "kokoro tf32, cuda, planned"),)
    assert "Only in B: kokoro tf32, cuda, planned" in comparison_table(comparison)


@each_row
def test_results_that_cannot_be_compared_are_refused_with_the_reason(saved, changes, why):
    with pytest.raises(NotComparable, match=why):
        compare(saved("a"), saved("b", **changes))


def test_a_machine_that_is_not_described_only_differs(saved):
    comparison = compare(saved("a"), saved("b", machine=None))
    assert comparison.differences["machine.cpu"] == ("X", None)
    assert len(comparison.pairs) == 1


@pytest.mark.parametrize("content", ["", "[]", "{", "null", '{"benchmark": 1}', "\0"])
def test_a_file_that_is_no_result_is_refused(tmp_path, content):
    (tmp_path / "x.json").write_text(content)
    with pytest.raises(NotComparable, match="no result"):
        read_result(tmp_path / "x.json")


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(NotComparable, match="No such file"):
        read_result(tmp_path / "x.json")


def test_the_folder_of_a_result_stands_for_it(tmp_path, saved):
    result = saved("bench.json")
    assert read_result(tmp_path) == result
