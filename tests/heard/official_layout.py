"""Kokoro's official checkpoint, made of its int8 ONNX release: the weights are dequantised.

They are not the published float32 ones, but within half a step of quantisation of them. Against the
graph itself 95 to 99 % of durations are equal, none more than a frame off, and Whisper writes both
down alike. The graph divides only its first samples by the window of the inverse STFT, so it is
1.5 times as loud.

What has to be undone: weights of MatMul are transposed, the gates of an LSTM are in another order,
ALBERT's shared layers stand once for each use, and weight norms are folded.
"""

import json
import re
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper

from audiomill.renderers.kokoro.model.config import OFFICIAL, parse_config
from audiomill.renderers.kokoro.weights.random_weights import random_parts

GATES = (0, 2, 3, 1)  # ONNX has i o f c, PyTorch i f g o
QUANTISED = ("MatMulInteger", "ConvInteger")
# No output depends on it: upstream's model does not call it either.
UNUSED = {"bert.pooler.weight", "bert.pooler.bias"}

Weights = dict[str, NDArray[np.float64]]


def write_official_layout(release: Path, voices: dict[str, NDArray[np.float32]], out: Path) -> None:
    """Write config.json, kokoro-v1_0.pth, voices/*.pt and voices-v1.0.bin into `out`.

    Raises ValueError if the graph lacks a weight of the checkpoint.
    """
    torch.save(checkpoint(_Graph(release)), out / "kokoro-v1_0.pth")
    (out / "config.json").write_text(json.dumps(OFFICIAL, ensure_ascii=False, indent=2))
    (out / "voices").mkdir()
    for name, pack in voices.items():
        torch.save(torch.from_numpy(pack.copy()), out / "voices" / f"{name}.pt")
    with (out / "voices-v1.0.bin").open("wb") as file:
        np.savez(file, **voices)


class _Graph:
    """The nodes and the constants of an ONNX file."""

    def __init__(self, path: Path) -> None:
        graph = onnx.load(str(path)).graph
        self.nodes = graph.node
        self.constants = {one.name: numpy_helper.to_array(one) for one in graph.initializer}

    def floats(self, name: str) -> NDArray[np.float64]:
        return self.constants[name].astype(np.float64)

    def dequantised(self, name: str, zero_point: str) -> NDArray[np.float64]:
        values = self.floats(name)
        scale = self.floats(name.removesuffix("_quantized") + "_scale")
        zero = self.floats(zero_point)
        if scale.ndim == 1 and len(scale) == values.shape[0] != values.shape[-1]:  # an LSTM's
            scale, zero = (one.reshape(-1, *[1] * (values.ndim - 1)) for one in (scale, zero))
        return (values - zero) * scale


def checkpoint(graph: _Graph) -> dict[str, dict[str, torch.Tensor]]:
    """The five state dicts of the official file. Raises ValueError."""
    found = _weights_of(graph)
    parts = random_parts(parse_config(OFFICIAL), torch.Generator().manual_seed(0))
    for part, tensors in parts.items():
        for key, shaped in tensors.items():
            name = f"{part}.{key.removeprefix('module.')}"
            plain = re.sub(r"weight_[gv]$", "weight", name)
            if plain in UNUSED or plain.endswith("position_ids"):
                continue
            if plain not in found:
                raise ValueError(f"the graph lacks {plain}")
            tensors[key] = _as_kept(name, torch.from_numpy(found[plain].copy()), shaped)
    return parts


def _as_kept(name: str, weight: torch.Tensor, shaped: torch.Tensor) -> torch.Tensor:
    """The weight, or its norm (…_g) or its direction (…_v), in the shape of the checkpoint."""
    if name.endswith("_g"):
        weight = weight.flatten(1).norm(dim=1)
    elif name.endswith("_v"):
        weight[weight.flatten(1).norm(dim=1) == 0] = 1  # rounded to nothing: it needs a direction
    return weight.reshape(shaped.shape).to(torch.float32).contiguous()


def _weights_of(graph: _Graph) -> Weights:
    """Every weight by its name in PyTorch, with weight norms folded."""
    found: Weights = {}
    for name, values in graph.constants.items():
        half, _, rest = name.partition(".")
        is_plain = values.dtype == np.float32 and not name.endswith(("_scale", "_zero_point"))
        if half in ("encoder", "decoder") and is_plain:
            found[rest] = graph.floats(name)
    for node in graph.nodes:
        found |= {name: one for name, one in _of_node(graph, node).items() if name not in found}
    return found


def _of_node(graph: _Graph, node: onnx.NodeProto) -> Weights:
    kind, inputs, module = node.op_type, list(node.input), _module_of(node.name)
    if kind in QUANTISED and inputs[1] in graph.constants:
        weight = graph.dequantised(inputs[1], inputs[3])
        return {f"{module}.weight": weight.T if kind == "MatMulInteger" else weight}
    if kind == "DynamicQuantizeLSTM":
        return _lstm(graph, inputs, module)
    if kind in ("Conv", "ConvTranspose") and "istft" not in node.name:
        return {f"{module}.weight": graph.floats(inputs[1])}
    if kind == "DequantizeLinear":  # of a Gather: an embedding
        table = inputs[1].removesuffix("_scale")
        return {table.partition(".")[2]: graph.dequantised(f"{table}_quantized", inputs[2])}
    if kind == "MatMul" and "l_linear" in node.name:
        return {f"{module}.weight": graph.floats(inputs[1]).T}
    return {}


def _lstm(graph: _Graph, inputs: list[str], module: str) -> Weights:
    """Weights (directions, in, 4 hidden), biases (directions, 8 hidden), as PyTorch names them."""
    of_input = graph.dequantised(inputs[1], inputs[9])
    of_hidden = graph.dequantised(inputs[2], inputs[11])
    biases = graph.floats(inputs[3])
    half = biases.shape[1] // 2
    found: Weights = {}
    for direction, suffix in enumerate(("", "_reverse")):
        found[f"{module}.weight_ih_l0{suffix}"] = _gates(of_input[direction].T)
        found[f"{module}.weight_hh_l0{suffix}"] = _gates(of_hidden[direction].T)
        found[f"{module}.bias_ih_l0{suffix}"] = _gates(biases[direction, :half])
        found[f"{module}.bias_hh_l0{suffix}"] = _gates(biases[direction, half:])
    return found


def _gates(values: NDArray[np.float64]) -> NDArray[np.float64]:
    in_onnx = np.split(values, 4)
    return np.concatenate([in_onnx[gate] for gate in GATES])


def _module_of(node: str) -> str:
    """`/decoder/decoder/asr_res/asr_res.0/Conv_quant` is of `decoder.asr_res.0`."""
    parts = node.strip("/").split("/")[1:-1]  # the first is one of the two halves of the export
    following = (*parts, "")[1:]
    kept = [part for part, after in zip(parts, following, strict=True) if not _holds(part, after)]
    name = ".".join(kept)
    if re.match(r"(F0|N)(\.|_)|shared", name):
        name = f"predictor.{name}"
    return re.sub(r"(query|key|value|dense|ffn|ffn_output)_\d+$", r"\1", name)


def _holds(part: str, after: str) -> bool:
    """Whether `part` is the list that the next part, `part.0`, names again."""
    return after.startswith(f"{part}.")
