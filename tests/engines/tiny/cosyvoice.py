"""A CosyVoice 2 with random weights, in the files of FunAudioLLM/CosyVoice2-0.5B. FOLDER is where.

As the official one it has no speakers of its own, so it speaks with recordings only.
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnx
import torch
from hyperpyyaml import load_hyperpyyaml
from onnx import TensorProto, helper, numpy_helper
from tokenizers import pre_tokenizers
from transformers import Qwen2Config, Qwen2ForCausalLM, Qwen2TokenizerFast

WIDTH, N_TOKENS = 64, 6561
CONFIG = Path(__file__).with_name("cosyvoice2.yaml").read_text()  # in the official layout
random = np.random.default_rng(1)


def write_text_model(folder: Path) -> None:
    """A Qwen2 whose tokens are bytes."""
    folder.mkdir()
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    (folder / "vocab.json").write_text(json.dumps({letter: n for n, letter in enumerate(letters)}))
    (folder / "merges.txt").write_text("#version: 0.2\n")
    tokenizer = Qwen2TokenizerFast(str(folder / "vocab.json"), str(folder / "merges.txt"))
    tokenizer.save_pretrained(folder)
    config = Qwen2Config(
        vocab_size=512, hidden_size=WIDTH, intermediate_size=128, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2,
    )  # fmt: skip
    Qwen2ForCausalLM(config).save_pretrained(folder)


def write_onnx(path: Path, nodes, inputs, output, **weights) -> None:
    """A model of these nodes; `inputs` and `output` are names with their types and shapes."""
    infos = [helper.make_tensor_value_info(*one) for one in (*inputs, output)]
    kept = [numpy_helper.from_array(value, name) for name, value in weights.items()]
    graph = helper.make_graph(nodes, path.stem, infos[:-1], infos[-1:], kept)
    opset = helper.make_opsetid("", 13)
    onnx.save(helper.make_model(graph, opset_imports=[opset], ir_version=8), path)


folder = Path(sys.argv[1])
torch.manual_seed(1)
write_text_model(folder / "CosyVoice-BlankEN")
(folder / "cosyvoice2.yaml").write_text(CONFIG)
made = load_hyperpyyaml(CONFIG, overrides={"qwen_pretrain_path": str(folder / "CosyVoice-BlankEN")})
with torch.no_grad():  # the end of speech, by chance; no layer is all zero
    made["llm"].llm_decoder.bias[N_TOKENS] = 2.0
    for parameter in made["flow"].parameters():
        if not parameter.any():
            parameter.normal_(std=0.02)
for name in ("llm", "flow", "hift"):
    torch.save(made[name].state_dict(), folder / f"{name}.pt")

write_onnx(  # of a speaker: features, 80 at a time, to one vector of 192
    folder / "campplus.onnx",
    [
        helper.make_node("Abs", ["input"], ["loud"]),
        helper.make_node("ReduceMean", ["loud"], ["mean"], axes=[1], keepdims=0),
        helper.make_node("MatMul", ["mean", "weight"], ["output"]),
    ],
    [("input", TensorProto.FLOAT, [1, "time", 80])],
    ("output", TensorProto.FLOAT, [1, 192]),
    weight=random.standard_normal((80, 192), np.float32),
)
write_onnx(  # of speech: 128 bands, 100 times a second, to 25 tokens a second
    folder / "speech_tokenizer_v2.onnx",
    [
        helper.make_node("Conv", ["feats", "weight"], ["one"], kernel_shape=[4], strides=[4]),
        helper.make_node("Abs", ["one"], ["positive"]),
        helper.make_node("Mul", ["positive", "scale"], ["large"]),
        helper.make_node("Cast", ["large"], ["whole"], to=TensorProto.INT32),
        helper.make_node("Mod", ["whole", "size"], ["indices"]),
    ],
    [("feats", TensorProto.FLOAT, [1, 128, "time"]), ("feats_length", TensorProto.INT32, [1])],
    ("indices", TensorProto.INT32, [1, 1, "tokens"]),
    weight=random.standard_normal((1, 128, 4), np.float32),
    scale=np.float32(100),
    size=np.int32(N_TOKENS),
)
