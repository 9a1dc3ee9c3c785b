"""The rewritten graph: durations come out, and nothing else changes."""

from dataclasses import dataclass

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from audiomill.renderers.engine.errors import WeightsUnfit
from audiomill.renderers.kokoro.onnx_session import rewritten, with_style
from audiomill.renderers.onnx.reading import read_onnx
from audiomill.renderers.onnx.sessions import SeededModel

FLOAT, FLOAT16, INT32, INT64 = (
    *(TensorProto.FLOAT, TensorProto.FLOAT16),
    *(TensorProto.INT32, TensorProto.INT64),
)
# A model that is no more than the operators that are looked for.
DURATIONS = (
    helper.make_node("Sigmoid", ["style"], ["sigmoid"]),
    helper.make_node("ReduceSum", ["sigmoid", "last"], ["sum"], keepdims=1),
    helper.make_node("Div", ["sum", "speed"], ["long"]),
    helper.make_node("Round", ["long"], ["rounded"]),
    helper.make_node("Clip", ["rounded", "least"], ["frames"]),
)
TIMED = (*DURATIONS, helper.make_node("Add", ["frames", "frames"], ["audio"]))


@dataclass(frozen=True)
class Graph:
    """How a test's model differs from the plainest one."""

    nodes: tuple = TIMED
    speed: int = FLOAT
    inputs: tuple[str, ...] = ("tokens", "style", "speed")
    outputs: tuple[tuple[str, int], ...] = (("audio", FLOAT),)
    style: int = 256


def written(path, graph=Graph()):
    shapes = {"style": (FLOAT, [1, graph.style]), "speed": (graph.speed, [1])}
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "graph",
            [
                helper.make_tensor_value_info(name, *shapes.get(name, (INT64, [1, "n"])))
                for name in graph.inputs
            ],
            [helper.make_tensor_value_info(name, dtype, None) for name, dtype in graph.outputs],
            [
                helper.make_tensor("last", INT64, [1], [-1]),
                helper.make_tensor("least", FLOAT, [], [1.0]),
                onnx.numpy_helper.from_array(np.ones((40, 30), np.float32), "large"),
            ],
        ),
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=9,
    )
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
    nodes = (
        *DURATIONS[:2],
        helper.make_node("Cast", ["sum"], ["sum16"], to=FLOAT16),
        helper.make_node("Cast", ["sum16"], ["sum32"], to=FLOAT),
        helper.make_node("Div", ["sum32", "speed"], ["long"]),
        *DURATIONS[3:],
        TIMED[-1],
    )
    _, (_, durations) = run(written(tmp_path / "model.onnx", Graph(nodes)))
    assert durations.tolist() == [round(256 / (1 + np.exp(-0.3)) / 2)]


def test_an_output_of_that_name_is_taken_as_it_is(tmp_path):
    nodes = (*TIMED, helper.make_node("Cast", ["frames"], ["duration"], to=INT64))
    outputs = (("audio", FLOAT), ("duration", INT64))
    graph, results = run(written(tmp_path / "model.onnx", Graph(nodes, outputs=outputs)))
    assert graph.durations == "duration"
    assert len(results) == 2


def test_a_model_without_durations_or_noise_is_left_as_it_is(tmp_path):
    nodes = (helper.make_node("Mul", ["style", "speed"], ["audio"]),)
    graph, (audio,) = run(written(tmp_path / "model.onnx", Graph(nodes)))
    assert graph.durations == ""
    np.testing.assert_allclose(audio, 0.6, rtol=1e-6)


def test_a_whole_speed_becomes_any_speed(tmp_path):
    """Exports that were traced with a whole number make a float of it first."""
    nodes = (
        helper.make_node("Cast", ["speed"], ["fast"], to=FLOAT),
        helper.make_node("Mul", ["style", "fast"], ["audio"]),
    )
    graph, (audio,) = run(written(tmp_path / "model.onnx", Graph(nodes, INT32)), speed=1.5)
    np.testing.assert_allclose(audio, 0.45, rtol=1e-6)
    assert graph.speed.dtype == FLOAT


def test_a_speed_that_is_used_as_a_whole_number_stays_one(tmp_path):
    nodes = (
        helper.make_node("Add", ["speed", "speed"], ["twice"]),
        helper.make_node("Cast", ["twice"], ["audio"], to=FLOAT),
    )
    graph = rewritten(read_onnx(written(tmp_path / "model.onnx", Graph(nodes, INT64))))
    assert graph.speed.dtype == INT64


def test_large_weights_stay_in_the_file(tmp_path):
    nodes = (
        helper.make_node("ReduceSum", ["large"], ["sum"], keepdims=0),
        helper.make_node("Mul", ["sum", "speed"], ["audio"]),
    )
    path = written(tmp_path / "model.onnx", Graph(nodes, inputs=("tokens", "style", "speed")))
    graph, (audio,) = run(path)
    assert audio == 2400
    assert len(graph.model.weights["large"]) < 200


@pytest.mark.parametrize(
    ("graph", "found"),
    [
        (Graph(inputs=("tokens", "speed"), nodes=()), "it takes tokens, speed"),
        (Graph(inputs=("text",), nodes=()), "it takes text, and not tokens"),
        (Graph(outputs=()), "it gives nothing"),
        (Graph(style=128), r"its styles are of \(1, 128\)"),
    ],
)
def test_another_model_is_refused(tmp_path, graph, found):
    path = written(tmp_path / "model.onnx", graph)
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
