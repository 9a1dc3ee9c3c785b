"""The `config.json` of a Kokoro model: read, checked, and the official one. No torch, no weights.

Every key that affects the sound is required and checked, so the file of another model or version is
refused at the first difference. `OFFICIAL` is for models that come without one. Source:
`config.json` of hexgrad/Kokoro-82M and hexgrad/Kokoro-82M-v1.1-zh.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from audiomill.inputs.files import read_regular
from audiomill.inputs.json_text import parse_json
from audiomill.renderers.engine.errors import WeightsUnfit

SAMPLE_RATE = 24_000
EXACT_BITS = 16  # of PCM that store the audio well enough
N_EDGE_TOKENS = 2  # the token 0 before the first phoneme and after the last
# The shape of every voice's pack: [phonemes - 1, 1, style]. The first half of a style is for
# timbre, the second for prosody.
PACK_SHAPE = (510, 1, 256)
# The phonemes of config.json by their first token; the tokens have gaps.
PHONEMES = {
    1: ";:,.!?",
    9: '—…"()“” \u0303ʣʥʦʨᵝ\uab67AI',
    31: "O",
    33: "Q",
    35: "ST",
    39: "W",
    41: "Yᵊabcdef",
    50: "hijklmnopqrstuvwxyzɑɐɒæ",
    75: "βɔɕç",
    80: "ɖðʤə",
    85: "ɚɛɜ",
    90: "ɟ",
    92: "ɡ",
    99: "ɥ",
    101: "ɨɪʝ",
    110: "ɯɰŋɳɲɴø",
    118: "ɸθœ",
    123: "ɹ",
    125: "ɾɻ",
    128: "ʁɽʂʃʈʧ",
    135: "ʊʋ",
    138: "ʌɣɤ",
    142: "χʎ",
    147: "ʒʔ",
    156: "ˈˌː",
    162: "ʰ",
    164: "ʲ",
    169: "↓",
    171: "→↗↘",
    177: "ᵻ",
}
OFFICIAL: dict[str, Any] = {
    "istftnet": {
        "upsample_kernel_sizes": [20, 12],
        "upsample_rates": [10, 6],
        "gen_istft_hop_size": 5,
        "gen_istft_n_fft": 20,
        "resblock_dilation_sizes": [[1, 3, 5]] * 3,
        "resblock_kernel_sizes": [3, 7, 11],
        "upsample_initial_channel": 512,
    },
    "dim_in": 64,
    "dropout": 0.2,
    "hidden_dim": 512,
    "max_conv_dim": 512,
    "max_dur": 50,
    "multispeaker": True,
    "n_layer": 3,
    "n_mels": 80,
    "n_token": 178,
    "style_dim": 128,
    "text_encoder_kernel_size": 5,
    "plbert": {
        "hidden_size": 768,
        "num_attention_heads": 12,
        "intermediate_size": 2048,
        "max_position_embeddings": 512,
        "num_hidden_layers": 12,
        "dropout": 0.1,
    },
    "vocab": {
        phoneme: token
        for first, phonemes in PHONEMES.items()
        for token, phoneme in enumerate(phonemes, first)
    },
}
VOCAB: Mapping[str, int] = OFFICIAL["vocab"]


@dataclass(frozen=True, slots=True)
class BertConfig:
    """The ALBERT that encodes phonemes (PL-BERT, arXiv 2301.08810)."""

    hidden_size: int
    num_attention_heads: int
    intermediate_size: int
    max_position_embeddings: int
    num_hidden_layers: int

    def __post_init__(self) -> None:
        """Raise ValueError if the values are inconsistent."""
        if self.hidden_size % self.num_attention_heads:
            raise ValueError("attention heads do not divide the hidden size")


@dataclass(frozen=True, slots=True)
class VocoderConfig:
    """The vocoder, an iSTFTNet (arXiv 2203.02395)."""

    upsample_rates: tuple[int, ...]
    upsample_kernel_sizes: tuple[int, ...]
    upsample_initial_channel: int
    resblock_kernel_sizes: tuple[int, ...]
    resblock_dilation_sizes: tuple[tuple[int, ...], ...]
    n_fft: int
    hop: int  # samples between two STFT frames

    def __post_init__(self) -> None:
        """Raise ValueError if the values are inconsistent."""
        ups = zip(self.upsample_kernel_sizes, self.upsample_rates, strict=True)
        if not all(kernel >= rate and (kernel - rate) % 2 == 0 for kernel, rate in ups):
            raise ValueError("upsampling would not end where it should")
        if len(self.resblock_kernel_sizes) != len(self.resblock_dilation_sizes):
            raise ValueError("residual blocks have kernels or dilations, but not both")
        if not all(kernel % 2 for kernel in self.resblock_kernel_sizes):
            raise ValueError("residual blocks have kernels without a middle")
        if self.upsample_initial_channel % 2 ** len(self.upsample_rates):
            raise ValueError("channels cannot be halved as often as there are upsampling steps")
        if self.n_fft % 2 or self.n_fft % self.hop:
            raise ValueError("STFT frames do not lie evenly")

    @property
    def samples_per_f0(self) -> int:
        """Samples for each value of the F0 curve: 300, which is 80 values a second."""
        return prod(self.upsample_rates) * self.hop


@dataclass(frozen=True, slots=True)
class KokoroConfig:
    """The whole model."""

    hidden_dim: int
    style_dim: int  # the length of each half of a style vector: timbre, then prosody
    n_layer: int
    n_token: int
    max_dur: int  # frames that a token lasts at most at speed 1
    text_encoder_kernel_size: int
    bert: BertConfig
    vocoder: VocoderConfig
    vocab: Mapping[str, int]

    def __post_init__(self) -> None:
        """Raise ValueError if the values are inconsistent."""
        if self.hidden_dim % 2 or self.text_encoder_kernel_size % 2 == 0:
            raise ValueError("the text encoder has no middle")
        if self.max_phonemes < 1:
            raise ValueError("there is no room for phonemes in it")

    @property
    def max_phonemes(self) -> int:
        """Phonemes in one row at most: 510."""
        return self.bert.max_position_embeddings - N_EDGE_TOKENS

    @property
    def samples_per_frame(self) -> int:
        """Samples for each frame of a predicted duration: 600, which is 25 ms."""
        return 2 * self.vocoder.samples_per_f0


def read_config(path: Path) -> KokoroConfig:
    """Read `config.json` and check that voices fit the model. Raises WeightsUnfit."""
    try:
        return _with_voice_shape(parse_config(parse_json(read_regular(path))))
    except OSError as error:
        why = error.strerror or error
        raise WeightsUnfit(f"{path} cannot be read: {why}. Copy or fetch it again.") from error
    except (ValueError, KeyError, TypeError) as error:
        found = f"it has no {error}" if isinstance(error, KeyError) else error
        raise WeightsUnfit(
            f"{path} is not the configuration of a Kokoro model: {found}. Fetch it again."
        ) from error


def _with_voice_shape(config: KokoroConfig) -> KokoroConfig:
    """`config` itself. Raises ValueError unless its voices have PACK_SHAPE."""
    shape = (config.max_phonemes, 1, 2 * config.style_dim)
    if shape != PACK_SHAPE:
        raise ValueError(f"its voices would be of {shape}, not of {PACK_SHAPE}")
    return config


def parse_config(written: Mapping[str, Any]) -> KokoroConfig:
    """Parse the contents of `config.json`.

    Raises KeyError for a missing key, TypeError or ValueError for an invalid value.
    """
    bert, vocoder = written["plbert"], written["istftnet"]
    return KokoroConfig(
        hidden_dim=_count(written["hidden_dim"]),
        style_dim=_count(written["style_dim"]),
        n_layer=_count(written["n_layer"]),
        n_token=_count(written["n_token"]),
        max_dur=_count(written["max_dur"]),
        text_encoder_kernel_size=_count(written["text_encoder_kernel_size"]),
        bert=BertConfig(
            hidden_size=_count(bert["hidden_size"]),
            num_attention_heads=_count(bert["num_attention_heads"]),
            intermediate_size=_count(bert["intermediate_size"]),
            max_position_embeddings=_count(bert["max_position_embeddings"]),
            num_hidden_layers=_count(bert["num_hidden_layers"]),
        ),
        vocoder=VocoderConfig(
            upsample_rates=_counts(vocoder["upsample_rates"]),
            upsample_kernel_sizes=_counts(vocoder["upsample_kernel_sizes"]),
            upsample_initial_channel=_count(vocoder["upsample_initial_channel"]),
            resblock_kernel_sizes=_counts(vocoder["resblock_kernel_sizes"]),
            resblock_dilation_sizes=tuple(map(_counts, vocoder["resblock_dilation_sizes"])),
            n_fft=_count(vocoder["gen_istft_n_fft"]),
            hop=_count(vocoder["gen_istft_hop_size"]),
        ),
        vocab=_vocab(written["vocab"], _count(written["n_token"])),
    )


def _count(value: Any) -> int:
    if type(value) is not int or value < 1:
        raise ValueError(f"{value!r} is no positive number")
    return value


def _counts(values: Any) -> tuple[int, ...]:
    return tuple(_count(value) for value in values)


def _vocab(written: Mapping[str, Any], n_token: int) -> dict[str, int]:
    vocab = {phoneme: _count(token) for phoneme, token in dict(written).items()}
    if not vocab:
        raise ValueError("there are no phonemes in it")
    for phoneme, token in vocab.items():
        if len(phoneme) != 1 or token >= n_token:
            raise ValueError(f"the phoneme {phoneme!r} cannot be token {token} of {n_token}")
    return vocab
