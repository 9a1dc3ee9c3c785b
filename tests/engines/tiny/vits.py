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
sizes = json.loads(Path(__file__).with_name("vits.json").read_text())
config = VitsConfig(vocab_size=len(vocab), **sizes)
VitsModel(config).save_pretrained(folder)
