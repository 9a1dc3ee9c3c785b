"""A CSM with random weights, in the files of sesame/csm-1b. FOLDER is where."""

import json
import sys
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    CsmConfig,
    CsmForConditionalGeneration,
    CsmProcessor,
    EncodecFeatureExtractor,
    GenerationConfig,
    PreTrainedTokenizerFast,
)

N_CODEBOOKS, CODES = 4, 64  # which csm_parts.json has, too
NOT_DRAWN = [CODES, CODES + 1, CODES + 2]  # as training has it: they are no sound
SPECIAL = ["<|begin_of_text|>", "<|end_of_text|>", "<|AUDIO|>", "<|audio_eos|>"]
# The format of the official template: [speaker]text, then the sound of it.
TEMPLATE = (
    "{%- for message in messages %}{{ '<|begin_of_text|>[' + message['role'] + ']' }}"
    "{%- for part in message['content'] %}{%- if part['type'] == 'text' %}"
    "{{ part['text'] + '<|end_of_text|>' }}{%- elif part['type'] == 'audio' %}"
    "{{ '<|AUDIO|><|audio_eos|>' }}{%- endif %}{%- endfor %}{%- endfor %}"
)

folder = Path(sys.argv[1])
torch.manual_seed(1)
letters = sorted(pre_tokenizers.ByteLevel.alphabet())
tokenizer = Tokenizer(models.BPE({letter: n for n, letter in enumerate(letters)}, []))
tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
tokenizer.decoder = decoders.ByteLevel()
fast = PreTrainedTokenizerFast(
    tokenizer_object=tokenizer,
    bos_token=SPECIAL[0],
    eos_token=SPECIAL[1],
    pad_token=SPECIAL[1],
    additional_special_tokens=SPECIAL[2:],
)
CsmProcessor(
    EncodecFeatureExtractor(feature_size=1, sampling_rate=24000),
    fast,
    chat_template=TEMPLATE,
).save_pretrained(folder)
config = CsmConfig(
    num_codebooks=N_CODEBOOKS,
    vocab_size=CODES + 3,
    text_vocab_size=len(fast),
    codebook_pad_token_id=CODES + 2,
    bos_token_id=fast.bos_token_id,
    pad_token_id=fast.pad_token_id,
    audio_token_id=fast.convert_tokens_to_ids(SPECIAL[2]),
    audio_eos_token_id=fast.convert_tokens_to_ids(SPECIAL[3]),
    **json.loads(Path(__file__).with_name("csm_parts.json").read_text()),
)
model = CsmForConditionalGeneration(config)
for module in model.codec_model.modules():  # codebooks are no parameters, and begin as zeros
    if hasattr(module, "embed_sum"):
        module.embed_sum.normal_()
model.generation_config = GenerationConfig(
    do_sample=True,
    eos_token_id=config.codebook_eos_token_id,
    pad_token_id=config.codebook_pad_token_id,
    suppress_tokens=NOT_DRAWN,
)
model.depth_decoder.generation_config.suppress_tokens = NOT_DRAWN
model.save_pretrained(folder)
