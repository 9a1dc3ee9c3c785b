"""The options of CosyVoice's own server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from audiomill.renderers.engine.options import Between, OwnOptions


@dataclass(frozen=True, slots=True)
class CosyVoiceServerOptions(OwnOptions):
    """CosyVoice's own server."""

    url: str = "http://127.0.0.1:50000"
    # Of the model that the server has: 1 (22,050 Hz), 2 or 3 (24,000 Hz). It does not tell.
    version: Annotated[int, Between(1, 3)] = 2
    model: str = ""  # what keys name as the model; change it when the server's changes
    voices: tuple[str, ...] = ()  # speakers of the model; (): those that version 1 comes with
    # Requests; fewer if the server likes fewer.
    most_in_flight: Annotated[int, Between(1, 1000)] = 8
    instructions: str = ""  # how to speak, for models that take it
