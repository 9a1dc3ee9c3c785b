"""The benchmark of ONNX Runtime: upstream's model, exported here, makes as much audio as ours."""

import pytest

from audiomill.flows.bench.corpus import BenchPassage, BenchText
from audiomill.flows.bench.engines import ArtifactBuilder, onnx_run
from audiomill.renderers.engine.benchmarking import BenchLine
from audiomill.renderers.host.remote_object import RemoteObject
from audiomill.renderers.kokoro.bench.ours import RowsEngine
from audiomill.renderers.kokoro.options import KokoroOptions
from support.kokoro_reference import folder

VOICE = "af_heart"
LINES = tuple(BenchLine(said, len(said)) for said in ("wˈʌn.", "tˈuː ænd ɐ bˈɪt mˈɔːɹ.", "fˈIv."))
TEXT = BenchText("T", "", VOICE, (BenchPassage(0, 0, 9, {"planned": LINES}),))


@pytest.mark.prove
def test_it_makes_as_many_samples(tmp_path):
    options = KokoroOptions(weights=folder("reduced"), device="cpu")
    ours = RowsEngine(options, VOICE)
    n_samples = sum(step.run().n_samples for step in ours.steps(LINES, 0))
    with RemoteObject(ArtifactBuilder, tmp_path) as builder:
        models = builder.call("onnx_models", options)
    assert models["int8"].stat().st_size < 0.6 * models["float32"].stat().st_size
    seconds = {name: audio_s(options, path) for name, path in models.items()}
    assert seconds["float32"] * ours.sample_rate == pytest.approx(n_samples)
    # With eight bits some durations are rounded differently.
    assert seconds["int8"] == pytest.approx(seconds["float32"], rel=0.3)


def audio_s(options, path):
    with RemoteObject(onnx_run, options, TEXT, path) as onnx:
        return onnx.call("run", "planned", 0).audio_s
