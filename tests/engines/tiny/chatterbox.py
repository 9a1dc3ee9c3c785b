"""A Chatterbox with random weights, in the files of ResembleAI/chatterbox. FOLDER RECORDING.

The architecture is fixed in the package: it is as large as the real one, some 3 GB. Its stop token
is made likely, as only training would make it.
"""

import sys
from pathlib import Path

import soundfile
import torch
from chatterbox.models.s3gen import S3Gen
from chatterbox.models.t3 import T3
from chatterbox.models.voice_encoder import VoiceEncoder
from chatterbox.tts import ChatterboxTTS
from safetensors.torch import save_file
from tokenizers import Tokenizer, models, pre_tokenizers

STOP = 12.0  # the logit of the stop token is that of a normal number, times this; others are near 0

folder, recording = Path(sys.argv[1]), sys.argv[2]
torch.manual_seed(1)
words = ["[STOP]", "[UNK]", "[SPACE]", "[START]", *map(chr, range(33, 127))]
vocab = {word: number for number, word in enumerate(words)}
tokenizer = Tokenizer(models.BPE(vocab, [], unk_token="[UNK]"))
tokenizer.add_special_tokens(words[:4])
tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
tokenizer.save(str(folder / "tokenizer.json"))
save_file(VoiceEncoder().state_dict(), folder / "ve.safetensors")
t3 = T3()
with torch.no_grad():
    t3.speech_head.weight.mul_(0.05)
    stop = t3.speech_head.weight[t3.hp.stop_speech_token]
    stop.zero_()
    stop[0] = STOP  # of a coordinate whose standard deviation is 1, behind the last norm
save_file(
    {name: value.contiguous() for name, value in t3.state_dict().items()},
    folder / "t3_cfg.safetensors",
)
del t3
s3gen = S3Gen()
save_file(
    {name: value.clone() for name, value in s3gen.state_dict().items()},
    folder / "s3gen.safetensors",
)
del s3gen
tts = ChatterboxTTS.from_local(folder, "cpu")
samples, rate = soundfile.read(recording)
own = folder / "voice.wav"  # of the built-in voice
soundfile.write(own, samples[::-1] * 0.5, rate)
tts.prepare_conditionals(own)
own.unlink()
tts.conds.save(folder / "conds.pt")
