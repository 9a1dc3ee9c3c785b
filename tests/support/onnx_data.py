"""Small ONNX graphs that draw random numbers, as exporters write them."""

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper

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
