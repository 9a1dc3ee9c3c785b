"""A MeloTTS with random weights, in the files of myshell-ai/MeloTTS-English. FOLDER is where.

Beside it is what the package downloads when it is imported: FOLDER-hub has the text models of all
its languages, in the layout of the hub's cache, and FOLDER-nltk a tagger and a dictionary.
"""

import json
import os
import pickle
import string
import sys
import zipfile
from pathlib import Path

import torch
from transformers import BertConfig, BertForMaskedLM

TEXT_MODELS = (
    *("bert-base-uncased", "bert-base-multilingual-uncased", "tohoku-nlp/bert-base-japanese-v3"),
    *("kykim/bert-kor-base", "dbmdz/bert-base-french-europeana-cased"),
    "dccuchile/bert-base-spanish-wwm-uncased",
)
COMMIT = "0" * 40
SPEAKERS = ("EN-US", "EN-BR", "EN_INDIA", "EN-AU", "EN-Default")

folder = Path(sys.argv[1])
hub = folder.with_name(f"{folder.name}-hub")
nltk_data = folder.with_name(f"{folder.name}-nltk")
torch.manual_seed(1)

signs = [*string.ascii_lowercase, *string.digits]
words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *string.punctuation, *signs]
words += [f"##{sign}" for sign in signs]
text_config = BertConfig(  # of the real width, which the speech model expects
    vocab_size=len(words), num_hidden_layers=3, num_attention_heads=4, intermediate_size=64
)
for name in TEXT_MODELS:
    cached = hub / "hub" / f"models--{name.replace('/', '--')}"
    snapshot = cached / "snapshots" / COMMIT
    snapshot.mkdir(parents=True)
    (cached / "refs").mkdir()
    (cached / "refs" / "main").write_text(COMMIT)
    (snapshot / "vocab.txt").write_text("\n".join(words) + "\n")
    (snapshot / "tokenizer_config.json").write_text(json.dumps({"do_lower_case": True}))
    text_config.save_pretrained(snapshot)
BertForMaskedLM(text_config).save_pretrained(
    hub / "hub" / f"models--{TEXT_MODELS[0]}" / "snapshots" / COMMIT
)

for kind, name, file, content in (
    ("taggers", "averaged_perceptron_tagger", "averaged_perceptron_tagger.pickle",
     pickle.dumps(({}, {}, {"NN"}))),
    ("corpora", "cmudict", "cmudict", b"WHEEL 1 W IY1 L\n"),
):  # fmt: skip
    (nltk_data / kind).mkdir(parents=True)
    with zipfile.ZipFile(nltk_data / kind / f"{name}.zip", "w") as archive:
        archive.writestr(f"{name}/{file}", content)

os.environ |= {"HF_HOME": str(hub), "TRANSFORMERS_OFFLINE": "1", "NLTK_DATA": str(nltk_data)}
from melo.models import SynthesizerTrn  # noqa: E402
from melo.text.symbols import num_languages, num_tones, symbols  # noqa: E402

config = {
    "train": {"segment_size": 16384},
    "data": {
        "sampling_rate": 44100, "filter_length": 2048, "hop_length": 512, "win_length": 2048,
        "n_mel_channels": 128, "add_blank": True, "n_speakers": 256,
        "spk2id": {name: number for number, name in enumerate(SPEAKERS)},
    },
    "model": json.loads(Path(__file__).with_name("melotts_model.json").read_text()),
    "num_languages": num_languages,
    "num_tones": num_tones,
    "symbols": symbols,
}  # fmt: skip
(folder / "config.json").write_text(json.dumps(config))
model = SynthesizerTrn(
    len(symbols),
    config["data"]["filter_length"] // 2 + 1,
    config["train"]["segment_size"] // config["data"]["hop_length"],
    n_speakers=config["data"]["n_speakers"],
    num_tones=num_tones,
    num_languages=num_languages,
    **config["model"],
)
with torch.no_grad():  # it begins nearly silent, and with layers that are all zero
    for name, parameter in model.named_parameters():
        if not parameter.any():
            parameter.normal_(std=0.02)
        if name.startswith("dec.") and parameter.dim() == 3:
            parameter.normal_(std=0.2)
torch.save({"model": model.state_dict(), "iteration": 1}, folder / "checkpoint.pth")
