"""A Spark-TTS with random weights, in the files of SparkAudio/Spark-TTS-0.5B. FOLDER is where.

Its language model says 32 global tokens and then up to 64 semantic ones, because the codec takes no
other number of global ones: its vocabulary is cut into groups, and each group leads to the next.
Which token of a group it says is random.
"""

import json
import sys
from itertools import pairwise
from pathlib import Path

import torch
from omegaconf import OmegaConf
from safetensors.torch import save_file
from sparktts.models.bicodec import BiCodec
from sparktts.modules.encoder_decoder.feat_decoder import Decoder
from sparktts.modules.encoder_decoder.feat_encoder import Encoder
from sparktts.modules.encoder_decoder.wave_generator import WaveGenerator
from sparktts.modules.speaker.speaker_encoder import SpeakerEncoder
from sparktts.modules.vq.factorized_vector_quantize import FactorizedVectorQuantize
from sparktts.utils.token_parser import TASK_TOKEN_MAP
from tokenizers import AddedToken, pre_tokenizers
from transformers import (
    Qwen2Config,
    Qwen2ForCausalLM,
    Qwen2TokenizerFast,
    Wav2Vec2Config,
    Wav2Vec2FeatureExtractor,
    Wav2Vec2Model,
)

N_GLOBAL, GLOBAL_CODES = 32, 4096
N_SEMANTIC, SEMANTIC_CODES = 64, 8192  # the official model says as many as the text needs
WIDTH, HIDDEN = 32, 128
END = "<|im_end|>"
MARKS = (
    *("start_content", "end_content", "start_style_label", "end_style_label"),
    *("start_global_token", "end_global_token", "start_semantic_token", "end_semantic_token"),
)
CODEC = json.loads(Path(__file__).with_name("spark_codec.json").read_text())


def write_tokenizer(folder: Path) -> Qwen2TokenizerFast:
    """Bytes, and whole words of sound, which are not special: else they would not be decoded."""
    folder.mkdir()
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    (folder / "vocab.json").write_text(json.dumps({letter: n for n, letter in enumerate(letters)}))
    (folder / "merges.txt").write_text("#version: 0.2\n")
    tokenizer = Qwen2TokenizerFast(str(folder / "vocab.json"), str(folder / "merges.txt"))
    tokenizer.add_tokens([END], special_tokens=True)
    words = [
        *TASK_TOKEN_MAP.values(),
        *(f"<|{mark}|>" for mark in MARKS),
        *(f"<|{kind}_label_{level}|>" for kind in ("pitch", "speed") for level in range(5)),
        *(f"<|gender_{number}|>" for number in range(2)),
        *(f"<|bicodec_global_{number}|>" for number in range(GLOBAL_CODES)),
        *(f"<|bicodec_semantic_{number}|>" for number in range(SEMANTIC_CODES)),
    ]
    tokenizer.add_tokens([AddedToken(word, normalized=False, special=False) for word in words])
    tokenizer.eos_token = END
    tokenizer.save_pretrained(folder)
    return tokenizer


def chain(tokenizer: Qwen2TokenizerFast) -> list[list[int]]:
    """Groups of tokens, each of which leads to the next."""

    def group(*words: str) -> list[int]:
        return tokenizer.convert_tokens_to_ids(list(words))

    def spread(kind: str, n_codes: int, n_groups: int) -> list[list[int]]:
        """All codes but the last in all groups but the last, which has only that one."""
        size = -(-(n_codes - 1) // (n_groups - 1))
        codes = [f"<|bicodec_{kind}_{number}|>" for number in range(n_codes)]
        starts = range(0, n_codes - 1, size)
        return [*(group(*codes[n : min(n + size, n_codes - 1)]) for n in starts), group(codes[-1])]

    return [
        group("<|end_style_label|>"),
        group("<|start_global_token|>"),
        *spread("global", GLOBAL_CODES, N_GLOBAL),
        group("<|end_global_token|>"),
        group("<|start_semantic_token|>"),
        *spread("semantic", SEMANTIC_CODES, N_SEMANTIC),
        group(END),
    ]


folder = Path(sys.argv[1])
torch.manual_seed(1)
OmegaConf.save(
    {
        "sample_rate": 16000, "highpass_cutoff_freq": 40, "volume_normalize": True,
        "segment_duration": 2.4, "max_val_duration": 12, "ref_segment_duration": 6,
        "latent_hop_length": 320,
    },
    folder / "config.yaml",
)  # fmt: skip

tokenizer = write_tokenizer(folder / "LLM")
end = tokenizer.convert_tokens_to_ids(END)
llm = Qwen2ForCausalLM(
    Qwen2Config(
        vocab_size=len(tokenizer), hidden_size=HIDDEN, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, eos_token_id=end, bos_token_id=end,
    )
)  # fmt: skip
groups = chain(tokenizer)
with torch.no_grad():
    for place, (tokens, following) in enumerate(pairwise(groups)):
        llm.model.embed_tokens.weight[tokens, place] += 1
        llm.lm_head.weight[following, place] += 2
llm.generation_config.update(eos_token_id=end, pad_token_id=end)
llm.save_pretrained(folder / "LLM")

codec = BiCodec(
    CODEC["mel_params"],
    Encoder(**CODEC["encoder"]),
    WaveGenerator(**CODEC["decoder"]),
    FactorizedVectorQuantize(**CODEC["quantizer"]),
    SpeakerEncoder(**CODEC["speaker_encoder"]),
    Decoder(**CODEC["prenet"]),
    Decoder(**CODEC["postnet"]),
)
with torch.no_grad():  # it begins nearly silent
    for parameter in codec.decoder.parameters():
        if parameter.dim() == 3 and parameter.shape[-1] > 1:
            parameter.normal_(std=0.2)
(folder / "BiCodec").mkdir()
OmegaConf.save({"audio_tokenizer": CODEC}, folder / "BiCodec" / "config.yaml")
save_file(
    {name: value.contiguous() for name, value in codec.state_dict().items()},
    folder / "BiCodec" / "model.safetensors",
)

ears = folder / "wav2vec2-large-xlsr-53"
Wav2Vec2FeatureExtractor(return_attention_mask=True, do_normalize=True).save_pretrained(ears)
Wav2Vec2Model(  # the codec reads its layers 11, 14 and 16
    Wav2Vec2Config(
        hidden_size=WIDTH, num_hidden_layers=17, num_attention_heads=4, intermediate_size=64,
        conv_dim=[16] * 7, feat_extract_norm="layer", do_stable_layer_norm=True, conv_bias=True,
        num_conv_pos_embedding_groups=4,
    )
).save_pretrained(ears)  # fmt: skip
