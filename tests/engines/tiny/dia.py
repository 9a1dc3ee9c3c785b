"""A Dia with random weights, in the files of nari-labs/Dia-1.6B-0626. FOLDER is where."""

import json
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
config = DiaConfig(**json.loads(Path(__file__).with_name("dia.json").read_text()))
model = DiaForConditionalGeneration(config)
model.generation_config = GenerationConfig(
    do_sample=True, max_length=800, guidance_scale=3.0, pad_token_id=1025, eos_token_id=1024,
    bos_token_id=1026, decoder_start_token_id=1026,
)  # fmt: skip
model.save_pretrained(folder)
