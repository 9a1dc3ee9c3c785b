"""A Dia with random weights, in the files of nari-labs/Dia-1.6B-0626. FOLDER is where."""

import sys
from pathlib import Path

import torch
from transformers import (
    DacConfig,
    DacModel,
    DiaConfig,
    DiaFeatureExtractor,
    DiaForConditionalGeneration,
    DiaProcessor,
    DiaTokenizer,
    GenerationConfig,
)

folder = Path(sys.argv[1])
torch.manual_seed(1)
# The official processor names another repository: descript/dac_44khz.
codec = folder.with_name(f"{folder.name}-codec")
DacModel(
    DacConfig(encoder_hidden_size=4, decoder_hidden_size=32, sampling_rate=44100)
).save_pretrained(codec)
DiaProcessor(
    DiaFeatureExtractor(sampling_rate=44100, hop_length=512),
    DiaTokenizer(),
    DacModel.from_pretrained(codec),
).save_pretrained(folder)
heads = {"num_attention_heads": 2, "num_key_value_heads": 2, "head_dim": 16}
config = DiaConfig(
    encoder_config={
        "max_position_embeddings": 512,
        "num_hidden_layers": 1,
        "hidden_size": 32,
        "intermediate_size": 64,
        **heads,
    },
    decoder_config={
        "max_position_embeddings": 800,
        "num_hidden_layers": 1,
        "hidden_size": 32,
        "intermediate_size": 64,
        "cross_num_attention_heads": 2,
        "cross_num_key_value_heads": 2,
        "cross_head_dim": 16,
        "cross_hidden_size": 32,
        **heads,
    },
)
model = DiaForConditionalGeneration(config)
model.generation_config = GenerationConfig(
    do_sample=True, max_length=800, guidance_scale=3.0, pad_token_id=1025, eos_token_id=1024,
    bos_token_id=1026, decoder_start_token_id=1026,
)  # fmt: skip
model.save_pretrained(folder)
