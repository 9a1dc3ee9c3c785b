"""A Chatterbox Turbo with random weights, in the files of ResembleAI/chatterbox-turbo.
FOLDER RECORDING.

The architecture is fixed in the package: it is as large as the real one, some 3 GB. Its stop token
is made likely, as only training would make it.
"""

import json
import sys
from pathlib import Path

import soundfile
import torch
from chatterbox.models.s3gen import S3Gen
from chatterbox.models.t3 import T3
from chatterbox.models.t3.modules.t3_config import T3Config
from chatterbox.models.voice_encoder import VoiceEncoder
from chatterbox.tts_turbo import ChatterboxTurboTTS
from safetensors.torch import save_file
from tokenizers import pre_tokenizers
from transformers import GPT2TokenizerFast

STOP = 12.0  # the logit of the stop token is that of a normal number, times this; others are near 0

folder, recording = Path(sys.argv[1]), sys.argv[2]
torch.manual_seed(1)
letters = sorted(pre_tokenizers.ByteLevel.alphabet())
vocab = {letter: number for number, letter in enumerate([*letters, "<|endoftext|>"])}
(folder / "vocab.json").write_text(json.dumps(vocab))
(folder / "merges.txt").write_text("#version: 0.2\n")
GPT2TokenizerFast(str(folder / "vocab.json"), str(folder / "merges.txt")).save_pretrained(folder)
save_file(VoiceEncoder().state_dict(), folder / "ve.safetensors")
# As `from_local` has it.
chosen = T3Config(text_tokens_dict_size=50276)
chosen.llama_config_name = "GPT2_medium"
chosen.speech_tokens_dict_size = 6563
chosen.input_pos_emb = None
chosen.speech_cond_prompt_len = 375
chosen.use_perceiver_resampler = False
chosen.emotion_adv = False
t3 = T3(chosen)
with torch.no_grad():
    t3.speech_head.weight.mul_(0.05)
    stop = t3.speech_head.weight[chosen.stop_speech_token]
    stop.zero_()
    stop[0] = STOP  # of a coordinate whose standard deviation is 1, behind the last norm
save_file(
    {name: value.clone() for name, value in t3.state_dict().items()},
    folder / "t3_turbo_v1.safetensors",
)
del t3
s3gen = S3Gen(meanflow=True)
save_file(
    {name: value.clone() for name, value in s3gen.state_dict().items()},
    folder / "s3gen_meanflow.safetensors",
)
del s3gen
tts = ChatterboxTurboTTS.from_local(folder, "cpu")
samples, rate = soundfile.read(recording)
own = folder / "voice.wav"  # of the built-in voice
soundfile.write(own, samples[::-1] * 0.5, rate)
tts.prepare_conditionals(own)
own.unlink()
tts.conds.save(folder / "conds.pt")
