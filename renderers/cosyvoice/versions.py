"""What the versions of CosyVoice need and send. The server tells none of it.

The last step of each model makes whole frames of samples: 256 in version 1 (upsampling by 8 and 8,
and a hop of 4), 480 in versions 2 and 3 (8, 5, 3, and 4). So the length of a reply, which is
headerless, shows which version made it, and with that its rate.

Source: CosyVoice of 2026-03: `hifigan/generator.py`, the files `cosyvoice*.yaml`, `example.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from audiomill.renderers.base import Voice
from audiomill.renderers.servers.server_models import COSYVOICE_SPEAKERS

PROMPT_END = "<|endofprompt|>"


@dataclass(frozen=True, slots=True)
class CosyVoiceVersion:
    """One version."""

    number: int
    sample_rate: int  # Hz
    frame: int  # samples, of which every reply has a whole number
    voices: tuple[Voice, ...] = ()  # speakers that its model for named speakers comes with
    prompt: str = ""  # before what is said of the voice


VERSIONS: Mapping[int, CosyVoiceVersion] = MappingProxyType(
    {
        1: CosyVoiceVersion(1, 22_050, 256, COSYVOICE_SPEAKERS),
        2: CosyVoiceVersion(2, 24_000, 480),
        3: CosyVoiceVersion(3, 24_000, 480, prompt="You are a helpful assistant."),
    }
)


def made_by(n_samples: int) -> tuple[int, ...]:
    """The versions that may have made so many samples; () if the audio was cut off."""
    return tuple(one.number for one in VERSIONS.values() if n_samples % one.frame == 0)
