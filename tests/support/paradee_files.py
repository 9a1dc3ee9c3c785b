"""Small models of random weights that take and give what Paradee's do, in its folders.

    af_heart/model.onnx         input_ids int64 (1, T), speed float32 (1) ─▶ waveform float32 (1, N)
    af_heart/model_int8.onnx    the same, quantised
    if_sara/…

    tokens ─▶ embedding ─▶ exp ─▶ durations / speed, rounded, at least 1 ─▶ frames of 600 samples
                                                                           and noise

Source: `titl/voice.py` of the package teacher-in-the-loop 0.1.0 for what goes in and out;
FluidInference/paradee-8m-coreml on the Hugging Face Hub for the parts of the graph.
"""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from benchmarks.rivals.onnx import quantise

N_TOKENS, WIDTH, FRAME = 178, 8, 600
VOICES = ("af_heart", "if_sara")
NODES = (
    ("Gather", ("embedding", "input_ids"), "inner", {}),
    ("MatMul", ("inner", "to_duration"), "logits", {}),
    ("Exp", ("logits",), "raw", {}),
    ("Squeeze", ("raw", "last"), "duration", {}),
    ("Div", ("duration", "speed"), "paced", {}),
    ("Round", ("paced",), "rounded", {}),
    ("Clip", ("rounded", "one"), "n_frames", {}),
    ("CumSum", ("n_frames", "along"), "ends", {}),
    ("ReduceMax", ("ends",), "all_frames", {"keepdims": 0}),
    ("Range", ("zero", "all_frames", "one"), "frames", {}),
    ("Unsqueeze", ("frames", "last"), "column", {}),
    ("GreaterOrEqual", ("column", "ends"), "is_over", {}),
    ("Cast", ("is_over",), "over", {"to": TensorProto.INT64}),
    ("ReduceSum", ("over", "along_1"), "token_of_frame", {"keepdims": 0}),
    ("Squeeze", ("inner", "first"), "by_token", {}),
    ("Gather", ("by_token", "token_of_frame"), "by_frame", {}),
    ("MatMul", ("by_frame", "to_samples"), "clean", {}),
    ("RandomNormalLike", ("clean",), "noise", {"scale": 0.01}),
    ("Add", ("clean", "noise"), "noisy", {}),
    ("Tanh", ("noisy",), "limited", {}),
    ("Reshape", ("limited", "row"), "waveform", {}),
)


def write_voices(folder: Path, voices: tuple[str, ...] = VOICES) -> Path:
    """The folder, with both models of each voice."""
    for seed, voice in enumerate(voices):
        (folder / voice).mkdir(parents=True)
        onnx.save(_model(seed), folder / voice / "model.onnx")
        quantise(folder / voice / "model.onnx", folder / voice / "model_int8.onnx")
    return folder


def _model(seed: int) -> onnx.ModelProto:
    nodes = [helper.make_node(op, inputs, [output], **more) for op, inputs, output, more in NODES]
    graph = helper.make_graph(
        nodes,
        "student",
        [
            helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "tokens"]),
            helper.make_tensor_value_info("speed", TensorProto.FLOAT, [1]),
        ],
        [helper.make_tensor_value_info("waveform", TensorProto.FLOAT, [1, "samples"])],
        [numpy_helper.from_array(array, name) for name, array in _weights(seed).items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def _weights(seed: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)

    def normal(*shape: int) -> np.ndarray:
        return random.standard_normal(shape).astype(np.float32)

    return {
        "embedding": normal(N_TOKENS, WIDTH),
        "to_duration": np.abs(normal(WIDTH, 1)) / 3,
        "to_samples": normal(WIDTH, FRAME) / 10,
        "zero": np.float32(0),
        "one": np.float32(1),
        "along": np.int64(1),
        "along_1": np.array([1], np.int64),
        "first": np.array([0], np.int64),
        "last": np.array([-1], np.int64),
        "row": np.array([1, -1], np.int64),
    }
