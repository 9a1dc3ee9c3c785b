"""A VITS with random weights, in the files of facebook/mms-tts-eng. FOLDER is where."""

import json
import sys
from pathlib import Path

import torch
from transformers import VitsConfig, VitsModel, VitsTokenizer

folder = Path(sys.argv[1])
torch.manual_seed(1)
letters = "abcdefghijklmnopqrstuvwxyz0123456789'-–"
vocab = {letter: number for number, letter in enumerate(["|", *letters, " ", "<unk>"])}
(folder / "vocab.json").write_text(json.dumps(vocab))
VitsTokenizer(
    str(folder / "vocab.json"),
    pad_token="|",
    language="eng",
    phonemize=False,
).save_pretrained(folder)
config = VitsConfig(
    vocab_size=len(vocab),
    hidden_size=16,
    num_hidden_layers=2,
    num_attention_heads=2,
    ffn_dim=32,
    flow_size=16,
    spectrogram_bins=9,
    prior_encoder_num_flows=2,
    prior_encoder_num_wavenet_layers=2,
    posterior_encoder_num_wavenet_layers=2,
    duration_predictor_filter_channels=16,
    duration_predictor_num_flows=2,
    upsample_initial_channel=32,
    depth_separable_num_layers=2,
    wavenet_dilation_rate=1,
    sampling_rate=16000,
)
VitsModel(config).save_pretrained(folder)
