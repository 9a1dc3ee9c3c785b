"""An XTTS with random weights, in the files of coqui/XTTS-v2. FOLDER is where."""

import sys
from pathlib import Path

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from TTS.tts.configs.xtts_config import XttsConfig
from TTS.tts.layers.xtts.tokenizer import VoiceBpeTokenizer
from TTS.tts.models.xtts import Xtts

WIDTH, N_PROMPT = 64, 32

folder = Path(sys.argv[1])
torch.manual_seed(1)
config = XttsConfig()
tags = [f"[{name}]" for name in config.languages]
words = ["[STOP]", "[UNK]", "[SPACE]", "[START]", *tags, *map(chr, range(33, 127))]
vocab = {word: number for number, word in enumerate(words)}
tokenizer = Tokenizer(models.BPE(vocab, [], unk_token="[UNK]"))
tokenizer.add_special_tokens(words[: 4 + len(tags)])
tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
tokenizer.save(str(folder / "vocab.json"))
arguments = config.model_args
arguments.gpt_layers = 2
arguments.gpt_n_model_channels = arguments.decoder_input_dim = WIDTH
arguments.gpt_n_heads = 4
arguments.gpt_max_audio_tokens = 80
arguments.gpt_use_perceiver_resampler = True
arguments.gpt_num_audio_tokens = 1026
arguments.gpt_start_audio_token = 1024
arguments.gpt_stop_audio_token = 1025
arguments.tokenizer_file = str(folder / "vocab.json")
model = Xtts(config)
model.tokenizer = VoiceBpeTokenizer(folder / "vocab.json")  # by which the model knows its size
model.init_models()
torch.save({"model": model.state_dict()}, folder / "model.pth")
speakers = {
    name: {
        "gpt_cond_latent": torch.randn(1, N_PROMPT, WIDTH),
        "speaker_embedding": torch.nn.functional.normalize(torch.randn(1, 512, 1), dim=1),
    }
    for name in ("Claribel Dervla", "Viktor Eka")
}
torch.save(speakers, folder / "speakers_xtts.pth")
config.save_json(str(folder / "config.json"))
