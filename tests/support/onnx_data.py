"""Small ONNX graphs that draw random numbers, as exporters write them."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper

from audiomill.renderers.onnx.reading import OnnxModel, read_onnx

OPSET = 15


def model_of(nodes, outputs, *, weights=(), inputs=(("x", TensorProto.FLOAT),)) -> ModelProto:
    """A model with these nodes; inputs and outputs are (name, element type) pairs."""
    graph = helper.make_graph(
        list(nodes),
        "graph",
        [helper.make_tensor_value_info(name, kind, None) for name, kind in inputs],
        [helper.make_tensor_value_info(name, kind, None) for name, kind in outputs],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in weights],
    )
    opset = [helper.make_opsetid("", OPSET)]
    return helper.make_model(graph, opset_imports=opset, ir_version=8)


def as_read(model: ModelProto) -> OnnxModel:
    """The model as it is read from a file. All weights must be small, as the file is gone then."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.onnx"
        path.write_bytes(model.SerializeToString())
        return read_onnx(path)


def stretched_noise() -> ModelProto:
    """x, each value repeated as often as noise says, plus noise of that length: as in VITS.

    lengths = ceil(2 + |noise of x's shape|), y = x repeated, output = y + 0.5 * noise of y's shape
    """
    node = helper.make_node
    return model_of(
        [
            node("RandomNormalLike", ["x"], ["a"], dtype=TensorProto.FLOAT),
            node("Abs", ["a"], ["b"]),
            node("Add", ["b", "two"], ["c"]),
            node("Ceil", ["c"], ["lengths"]),
            node("CumSum", ["lengths", "axis"], ["ends"]),
            node("ReduceSum", ["lengths"], ["total"], keepdims=0),
            node("Range", ["zero", "total", "one"], ["frames"]),
            node("Unsqueeze", ["frames", "last"], ["column"]),
            node("GreaterOrEqual", ["column", "ends"], ["after"]),
            node("Cast", ["after"], ["after_int"], to=TensorProto.INT64),
            node("ReduceSum", ["after_int", "last"], ["which"], keepdims=0),
            node("Gather", ["x", "which"], ["y"]),
            node("RandomNormalLike", ["y"], ["d"], mean=0.0, scale=0.5),
            node("Add", ["y", "d"], ["output"]),
        ],
        [("output", TensorProto.FLOAT)],
        weights=[
            ("two", np.float32(2)),
            ("zero", np.float32(0)),
            ("one", np.float32(1)),
            ("axis", np.int64(0)),
            ("last", np.array([1])),
        ],
    )
