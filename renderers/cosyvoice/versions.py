"""What the versions of CosyVoice need and send. The server tells none of it.

The last step of each model makes whole frames of samples: 256 in version 1 (upsampling by 8 and 8,
and a hop of 4), 480 in versions 2 and 3 (8, 5, 3, and 4). So the length of a reply, which is
headerless, shows which version made it, and with that its rate.

Source: CosyVoice of 2026-03: `hifigan/generator.py`, the files `cosyvoice*.yaml`, `example.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import lcm
from types import MappingProxyType

from audiomill.renderers.base import Voice

PROMPT_END = "<|endofprompt|>"


@dataclass(frozen=True, slots=True)
class CosyVoiceVersion:
    """One version."""

    number: int
    sample_rate: int  # Hz
    frame: int  # samples, of which every reply has a whole number
    voices: tuple[Voice, ...] = ()  # speakers that its model for named speakers comes with
    prompt: str = ""  # before what is said of the voice


# Of the model CosyVoice-300M-SFT.
SPEAKERS = (
    Voice("中文女", "zh", "female", "Chinese"),
    Voice("中文男", "zh", "male", "Chinese"),
    Voice("日语男", "ja", "male", "Japanese"),
    Voice("粤语女", "yue", "female", "Cantonese"),
    Voice("英文女", "en", "female", "English"),
    Voice("英文男", "en", "male", "English"),
    Voice("韩语女", "ko", "female", "Korean"),
)
VERSIONS: Mapping[int, CosyVoiceVersion] = MappingProxyType(
    {
        1: CosyVoiceVersion(1, 22_050, 256, SPEAKERS),
        2: CosyVoiceVersion(2, 24_000, 480),
        3: CosyVoiceVersion(3, 24_000, 480, prompt="You are a helpful assistant."),
    }
)


def made_by(n_samples: int) -> tuple[int, ...]:
    """The versions that may have made so many samples; () if the audio was cut off."""
    return tuple(one.number for one in VERSIONS.values() if n_samples % one.frame == 0)


# Lengths that do not tell versions apart are multiples of this: one in 16 or 30 replies.
AMBIGUOUS_FRAME = lcm(*(one.frame for one in VERSIONS.values()))
