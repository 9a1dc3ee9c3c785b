"""Upstream's model, by PyTorch and by ONNX Runtime, makes as much audio as ours."""

import sys

import pytest

from audiomill.flows.bench.corpus import BenchPassage, BenchText
from audiomill.renderers.engine.benchmarking import BenchLine
from audiomill.renderers.engine.errors import EngineMissing
from audiomill.renderers.host.child_object import ChildObject
from audiomill.renderers.kokoro.benchmark import RowsEngine
from audiomill.renderers.kokoro.model.config import SAMPLE_RATE
from audiomill.renderers.kokoro.options import KokoroOptions
from benchmarks.rivals.onnx import REQUIRED_PACKAGES, OnnxModels, onnx_run, require_onnx
from benchmarks.rivals.upstream import upstream_run
from support.bench_data import UpstreamSwitches
from support.kokoro_reference import folder

VOICE = "af_heart"
LINES = tuple(BenchLine(said, len(said)) for said in ("wˈʌn.", "tˈuː ænd ɐ bˈɪt mˈɔːɹ.", "fˈIv."))
TEXT = BenchText("T", "", VOICE, (BenchPassage(0, 0, 9, {"planned": LINES}),))


@pytest.fixture(scope="module")
def options():
    return KokoroOptions(weights=folder("reduced"), device="cpu")


@pytest.fixture(scope="module")
def n_samples(options):
    """Of our own audio of all lines."""
    return sum(step.run().n_samples for step in RowsEngine(options, VOICE).steps(LINES, 0))


@pytest.mark.prove_long
def test_upstream_makes_as_many_samples(options, n_samples):
    with ChildObject(upstream_run, options, TEXT) as upstream:
        result = upstream.call("run", "planned", 0)
    assert result.audio_s * SAMPLE_RATE == pytest.approx(n_samples)
    assert len(result.finished_s) == len(LINES)


@pytest.mark.prove_long
def test_float32_is_not_rounded_for_upstream_either(options):
    """By default PyTorch rounds in the convolutions of a GPU."""
    with ChildObject(UpstreamSwitches, options, VOICE) as upstream:
        assert upstream.call("switches") == (False, False)


def test_a_missing_package_is_named_in_the_reason(monkeypatch):
    for name in REQUIRED_PACKAGES:
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(EngineMissing, match="not installed: onnx, onnxruntime"):
        require_onnx()


@pytest.mark.prove_long
def test_onnx_runtime_makes_as_many_samples(tmp_path, options, n_samples):
    with ChildObject(OnnxModels, tmp_path) as builder:
        models = builder.call("export", options)
    assert models["int8"].stat().st_size < 0.6 * models["float32"].stat().st_size
    seconds = {name: audio_s(options, path) for name, path in models.items()}
    assert seconds["float32"] * SAMPLE_RATE == pytest.approx(n_samples)
    # With eight bits some durations are rounded differently.
    assert seconds["int8"] == pytest.approx(seconds["float32"], rel=0.3)


def audio_s(options, path):
    with ChildObject(onnx_run, options, TEXT, path) as onnx:
        return onnx.call("run", "planned", 0).audio_s
