"""A Fish S2 with random weights, in the files of fishaudio/s2-pro. FOLDER is where.

The language model is tiny; the codec has its real size, which the package alone decides. Speech
ends by chance, after some 15 frames of 46 ms: the token of the end is likelier than any other.
"""

import json
import sys
from pathlib import Path

import fish_speech
import torch
from fish_speech.models.text2semantic.llama import BaseModelArgs, DualARTransformer
from fish_speech.tokenizer import ALL_SPECIAL_TOKENS, IM_END_TOKEN, SEMANTIC_TOKENS
from hydra.utils import instantiate
from omegaconf import OmegaConf
from safetensors.torch import save_file
from tokenizers import pre_tokenizers
from transformers import Qwen2TokenizerFast

WIDTH = 64
N_CODEBOOKS, CODES = 10, 4096
LAYERS = {
    "dim": WIDTH, "n_head": 4, "n_local_heads": 2, "head_dim": 16, "intermediate_size": 128,
    "attention_qk_norm": True,
}  # fmt: skip

folder = Path(sys.argv[1])
torch.manual_seed(1)
letters = sorted(pre_tokenizers.ByteLevel.alphabet())
(folder / "vocab.json").write_text(json.dumps({letter: n for n, letter in enumerate(letters)}))
(folder / "merges.txt").write_text("#version: 0.2\n")
tokenizer = Qwen2TokenizerFast(str(folder / "vocab.json"), str(folder / "merges.txt"))
tokenizer.add_tokens(ALL_SPECIAL_TOKENS, special_tokens=True)
tokenizer.save_pretrained(folder)
begin, last, end = tokenizer.convert_tokens_to_ids(
    [SEMANTIC_TOKENS[0], SEMANTIC_TOKENS[-1], IM_END_TOKEN]
)
config = {
    "model_type": "fish_qwen3_omni",
    "semantic_start_token_id": begin,
    "semantic_end_token_id": last,
    "text_config": {
        **LAYERS, "vocab_size": len(tokenizer), "n_layer": 2, "max_seq_len": 4096,
        "tie_word_embeddings": True, "rope_base": 1_000_000,
    },
    "audio_decoder_config": {
        **LAYERS, "vocab_size": CODES, "num_codebooks": N_CODEBOOKS, "n_layer": 2,
        "text_dim": WIDTH,
    },
}  # fmt: skip
(folder / "config.json").write_text(json.dumps(config))

model = DualARTransformer(BaseModelArgs.from_pretrained(str(folder)))
with torch.no_grad():  # one direction that all tokens share, and the end's is longer
    model.embeddings.weight[:, 0] = 1.0
    model.embeddings.weight[end, 0] = 1.15
    model.fast_output.weight.normal_(std=0.3)
weights = {}
for name, value in model.state_dict().items():
    if name.startswith("fast_"):
        official = f"audio_decoder.{name.removeprefix('fast_')}"
    elif name.startswith("codebook_embeddings."):
        official = f"audio_decoder.{name}"
    else:
        official = f"text_model.model.{name}"
    weights[official] = value.to(torch.bfloat16).contiguous()
shard = "model-00001-of-00001.safetensors"
save_file(weights, folder / shard)
(folder / "model.safetensors.index.json").write_text(
    json.dumps({"metadata": {}, "weight_map": dict.fromkeys(weights, shard)})
)

described = Path(fish_speech.__path__[0]) / "configs" / "modded_dac_vq.yaml"
OmegaConf.register_new_resolver("eval", eval)
codec = instantiate(OmegaConf.load(described))
torch.save(codec.state_dict(), folder / "codec.pth")
