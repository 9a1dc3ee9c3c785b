"""The two servers that speak Fish Audio's protocol: its service, and fish-speech at home.

Sources: docs.fish.audio in 2026, fish-audio-sdk 1.3.0, and fish-speech of 2026-04.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from audiomill.inputs.messages import did_you_mean
from audiomill.renderers.engine.errors import UnknownEngine
from audiomill.renderers.fish.options import FishOptions
from audiomill.renderers.speech.wav import WAV

# What is sent to both. Numbers and abbreviations have become words, and one chunk is one segment.
CONSTANT: Mapping[str, object] = MappingProxyType({"format": WAV, "normalize": False})


@dataclass(frozen=True, slots=True)
class FishProfile:
    """One of the two. `models`: those that it takes, with US$ for a million bytes of UTF-8."""

    title: str  # for people
    url: str  # where it usually is
    model: str
    constant: Mapping[str, object]  # what every request says
    models: Mapping[str, float] = field(default_factory=dict[str, float])
    key_variable: str = ""
    keys_are_at: str = ""  # where people find one, of a service that needs it
    max_chars: int = 300  # as many as its largest chunk has
    speeds: tuple[float, float] = (1.0, 1.0)
    takes_seed: bool = False


PROFILES: Mapping[str, FishProfile] = {
    "cloud": FishProfile(
        "Fish Audio",
        "https://api.fish.audio",
        "s2.1-pro",
        {**CONSTANT, "latency": "normal", "chunk_length": 300},
        # It bills any other name as s2.1-pro. The price of s1 is in its documents; that of the
        # others is what resellers ask in late 2026, and give as Fish Audio's own.
        {"s1": 15.0, "s2-pro": 15.0, "s2.1-pro": 15.0, "s2.1-pro-free": 0.0},
        key_variable="FISH_API_KEY",
        keys_are_at="fish.audio, under “API keys”",
        speeds=(0.5, 2.0),
    ),
    "local": FishProfile(
        "fish-speech",
        "http://127.0.0.1:8080",
        "s2-pro",  # it has the one that it was started with
        {**CONSTANT, "streaming": False, "chunk_length": 1000, "max_new_tokens": 2048},
        takes_seed=True,
    ),
}


def model_of(options: FishOptions) -> str:
    """The model to ask for. Raises UnknownEngine for one that the service would not refuse."""
    profile = PROFILES[options.profile]
    model = options.model or profile.model
    if profile.models and model not in profile.models:
        raise UnknownEngine(
            f"{profile.title} has no model {model!r}, and would bill another one."
            f"{did_you_mean(model, profile.models)} Known: {', '.join(profile.models)}."
        )
    return model


def price_of(options: FishOptions) -> float:
    """The price of a million bytes of UTF-8; 0 if there is none."""
    own = PROFILES[options.profile].models.get(model_of(options), 0.0)
    return options.price_per_million or own
