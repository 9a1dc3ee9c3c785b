"""The rewritten graph: durations come out, and nothing else changes."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto

from audiomill.renderers.engine.errors import WeightsUnfit
from audiomill.renderers.kokoro.onnx_session import rewritten, with_style
from audiomill.renderers.onnx.reading import read_onnx
from audiomill.renderers.onnx.sessions import SeededModel
from support.onnx_data import model_of

# A model that is no more than the operators that are looked for.
SUM = "sigmoid = Sigmoid(style) sum = ReduceSum<keepdims=1>(sigmoid, last)"
FRAMES = "rounded = Round(long) frames = Clip(rounded, least) audio = Add(frames, frames)"
TIMED = f"{SUM} long = Div(sum, speed) {FRAMES}"
AUDIO = "float[] audio"


def inputs(*, speed="float", style=256):
    return f"int64[1, n] tokens, float[1, {style}] style, {speed}[1] speed"


def written(path, nodes=TIMED, **described):
    weights = "int64[1] last={-1}, float least={1}"
    described = {"inputs": inputs(), "outputs": AUDIO, "weights": weights, "opset": 17} | described
    model = model_of(nodes, **described)
    large = onnx.numpy_helper.from_array(np.ones((40, 30), np.float32), "large")
    model.graph.initializer.append(large)
    onnx.save(model, path)
    return path


def run(path, speed=2.0):
    graph = rewritten(read_onnx(path))
    outputs = [name for name in (graph.audio, graph.durations) if name]
    inputs = {"tokens": np.zeros((1, 2), np.int64), "style": np.full((1, 256), 0.3, np.float32)}
    inputs["speed"] = np.array([speed], np.float32)
    return graph, SeededModel(graph.model, outputs).run(inputs, 5)


def test_durations_are_found_by_the_operators_that_make_them(tmp_path):
    _, (audio, durations) = run(written(tmp_path / "model.onnx"), speed=0.5)
    expected = round(256 / (1 + np.exp(-0.3)) / 0.5)
    assert durations.tolist() == [expected]
    assert durations.dtype == np.int64
    assert audio.item() == 2 * expected


def test_casts_between_them_do_not_matter(tmp_path):
    cast = "sum16 = Cast<to=10>(sum) sum32 = Cast<to=1>(sum16)"
    nodes = f"{SUM} {cast} long = Div(sum32, speed) {FRAMES}"
    _, (_, durations) = run(written(tmp_path / "model.onnx", nodes))
    assert durations.tolist() == [round(256 / (1 + np.exp(-0.3)) / 2)]


def test_an_output_of_that_name_is_taken_as_it_is(tmp_path):
    path, outputs = tmp_path / "model.onnx", f"{AUDIO}, int64[] duration"
    nodes = f"{TIMED} duration = Cast<to=7>(frames)"
    graph, results = run(written(path, nodes, outputs=outputs))
    assert graph.durations == "duration"
    assert len(results) == 2


def test_a_model_without_durations_or_noise_is_left_as_it_is(tmp_path):
    graph, (audio,) = run(written(tmp_path / "model.onnx", "audio = Mul(style, speed)"))
    assert graph.durations == ""
    np.testing.assert_allclose(audio, 0.6, rtol=1e-6)


def test_a_whole_speed_becomes_any_speed(tmp_path):
    """Exports that were traced with a whole number make a float of it first."""
    nodes = "fast = Cast<to=1>(speed) audio = Mul(style, fast)"
    path = written(tmp_path / "model.onnx", nodes, inputs=inputs(speed="int32"))
    graph, (audio,) = run(path, speed=1.5)
    np.testing.assert_allclose(audio, 0.45, rtol=1e-6)
    assert graph.speed.dtype == TensorProto.FLOAT


def test_a_speed_that_is_used_as_a_whole_number_stays_one(tmp_path):
    nodes = "twice = Add(speed, speed) audio = Cast<to=1>(twice)"
    path = written(tmp_path / "model.onnx", nodes, inputs=inputs(speed="int64"))
    graph = rewritten(read_onnx(path))
    assert graph.speed.dtype == TensorProto.INT64


def test_large_weights_stay_in_the_file(tmp_path):
    nodes = "sum = ReduceSum<keepdims=0>(large) audio = Mul(sum, speed)"
    graph, (audio,) = run(written(tmp_path / "model.onnx", nodes))
    assert audio == 2400
    assert len(graph.model.weights["large"]) < 200


@pytest.mark.parametrize(
    ("described", "found"),
    [
        ({"inputs": "int64[1, n] tokens, float[1] speed"}, "it takes tokens, speed"),
        ({"inputs": "int64[1, n] text"}, "it takes text, and not tokens"),
        ({"outputs": ""}, "it gives nothing"),
        ({"inputs": inputs(style=128)}, r"its styles are of \(1, 128\)"),
    ],
)
def test_another_model_is_refused(tmp_path, described, found):
    path = written(tmp_path / "model.onnx", **described)
    with pytest.raises(WeightsUnfit, match=f"no.* Kokoro model.*{found}"):
        with_style(rewritten(read_onnx(path)))


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99])
def test_a_file_that_was_cut_is_refused(tmp_path, share):
    whole = written(tmp_path / "model.onnx")
    cut = tmp_path / "cut.onnx"
    cut.write_bytes(whole.read_bytes()[: int(share * whole.stat().st_size)])
    with pytest.raises(WeightsUnfit, match=r"cut\.onnx is cut short, or is no ONNX file"):
        read_onnx(cut)


@pytest.mark.parametrize("content", [b"<html>Not Found</html>", b"version https://git-lfs", b"PK"])
def test_what_is_no_model_is_refused(tmp_path, content):
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    with pytest.raises(WeightsUnfit, match="is cut short, or is no ONNX file"):
        read_onnx(path)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(WeightsUnfit, match="cannot be read: No such file"):
        read_onnx(tmp_path / "model.onnx")
