"""A Qwen3-TTS with random weights, in the files of Qwen/Qwen3-TTS-12Hz-1.7B-CustomVoice. FOLDER."""

import json
import sys
from pathlib import Path

import torch
from qwen_tts.core.models import (
    Qwen3TTSConfig,
    Qwen3TTSForConditionalGeneration,
    Qwen3TTSProcessor,
)
from qwen_tts.core.tokenizer_12hz.configuration_qwen3_tts_tokenizer_v2 import (
    Qwen3TTSTokenizerV2Config,
)
from qwen_tts.core.tokenizer_12hz.modeling_qwen3_tts_tokenizer_v2 import Qwen3TTSTokenizerV2Model
from tokenizers import pre_tokenizers
from transformers import EncodecFeatureExtractor, Qwen2TokenizerFast

N_GROUPS = 4  # of codebooks, as in qwen3_codec.json and qwen3_talker.json; the official has 16
SPECIAL = ["<|im_start|>", "<|im_end|>", "<tts_pad>", "<tts_text_bos>", "<tts_text_eod>"]

folder = Path(sys.argv[1])
torch.manual_seed(1)
letters = sorted(pre_tokenizers.ByteLevel.alphabet())
(folder / "vocab.json").write_text(json.dumps({letter: n for n, letter in enumerate(letters)}))
(folder / "merges.txt").write_text("#version: 0.2\n")
tokenizer = Qwen2TokenizerFast(str(folder / "vocab.json"), str(folder / "merges.txt"))
# "assistant" is one token, as the model's slices of its prompt expect.
tokenizer.add_tokens([*SPECIAL, "assistant"], special_tokens=True)
Qwen3TTSProcessor(tokenizer).save_pretrained(folder)
start, end, pad, begin, eod = tokenizer.convert_tokens_to_ids(SPECIAL)
talker = json.loads(Path(__file__).with_name("qwen3_talker.json").read_text())
config = Qwen3TTSConfig(
    tts_model_type="custom_voice",
    tts_model_size="1b7",
    tokenizer_type="qwen3_tts_tokenizer_12hz",
    im_start_token_id=start,
    im_end_token_id=end,
    tts_pad_token_id=pad,
    tts_bos_token_id=begin,
    tts_eos_token_id=eod,
    talker_config={**talker, "text_vocab_size": len(tokenizer)},
)
model = Qwen3TTSForConditionalGeneration(config)
model.save_pretrained(folder)
saved = json.loads((folder / "config.json").read_text())
del saved["speaker_encoder_config"]  # of Base models; this version writes what it cannot read
(folder / "config.json").write_text(json.dumps(saved))
(folder / "generation_config.json").write_text(json.dumps({"max_new_tokens": 40}))
speech = folder / "speech_tokenizer"
EncodecFeatureExtractor(feature_size=1, sampling_rate=24000).save_pretrained(speech)
codec = Qwen3TTSTokenizerV2Model(
    Qwen3TTSTokenizerV2Config(
        **json.loads(Path(__file__).with_name("qwen3_codec.json").read_text()),
        encoder_valid_num_quantizers=N_GROUPS,
    )
)  # fmt: skip
with torch.no_grad():  # codebooks begin as zeros, which all sound alike
    for value in (*codec.parameters(), *codec.buffers()):
        if value.is_floating_point() and not value.any():
            value.normal_()
codec.save_pretrained(speech)
