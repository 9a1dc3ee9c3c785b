"""The options of ElevenLabs' service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from audiomill.renderers.engine.options import Between, PaidOptions


@dataclass(frozen=True, slots=True)
class ElevenLabsOptions(PaidOptions):
    """ElevenLabs' service."""

    model: str = "eleven_flash_v2_5"
    url: str = "https://api.elevenlabs.io"  # or that of a region where data must stay
    key_variable: str = "ELEVENLABS_API_KEY"  # of the environment
    sample_rate: Literal[16_000, 22_050, 24_000, 44_100, 48_000] = 24_000
    # How the voice speaks: from 0 to 1. They stand in for those that the account has for a voice.
    stability: Annotated[float, Between(0, 1)] = 0.5
    similarity_boost: Annotated[float, Between(0, 1)] = 0.75
    style: Annotated[float, Between(0, 1)] = 0.0
    use_speaker_boost: bool = True
    # Whether the service writes numbers as words, which is done here for some languages.
    normalization: Literal["auto", "on", "off"] = "auto"
    # Of the text before and after a segment, by which the model chooses how to say it. 0: none, so
    # that a change in one segment costs no other one.
    context_chars: Annotated[int, Between(0, 2000)] = 0
    # Requests; fewer if the account may have fewer.
    most_in_flight: Annotated[int, Between(1, 1000)] = 32
