"""What single models are, on servers whose models differ: voices, rates and what they take.

Each table has, by the name of a model, the fields in which `ServerProfile` is another one for it.
Of a model that is not listed here the settings name the voices.

Sources: OpenAI's types of openai 3.57; Xinference of 2026-08 (`model/audio/melotts.py`, and
`cosyvoice.py` with the voices in its `spk2info.pt`, and for recordings also `f5tts.py`,
`fish_speech.py` and `indextts2.py`); docs/install.md of MeloTTS.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from audiomill.renderers.cosyvoice.protocol import SPEAKERS
from audiomill.renderers.openai.cloning import Cloning

ModelFields: TypeAlias = Mapping[str, Any]

_FIRST_OPENAI = ("alloy", "ash", "coral", "echo", "fable", "nova", "onyx", "sage", "shimmer")
_TTS_1: ModelFields = {"voices": _FIRST_OPENAI, "takes_instructions": False}
OPENAI: Mapping[str, ModelFields] = MappingProxyType({"tts-1": _TTS_1, "tts-1-hd": _TTS_1})

_COSYVOICE: ModelFields = {
    "speeds": (1.0, 1.0),  # it takes others, and ignores them
    "takes_seed": True,
    "substitutes": False,
}
_COSYVOICE_CLONES = Cloning("prompt_speech", "helps")
_COSYVOICE_SPEAKS: ModelFields = {
    **_COSYVOICE,
    "voices": tuple(one.name for one in SPEAKERS),
    "voice_languages": MappingProxyType({one.name: one.language for one in SPEAKERS}),
}


def _melotts(language: str, *voices: str, default: str = "") -> ModelFields:
    return {
        "voices": voices,
        "voice_languages": MappingProxyType(dict.fromkeys(voices, language)),
        "default_voice": default,
        "sample_rate": 44_100,
        "substitutes": False,
    }


XINFERENCE: Mapping[str, ModelFields] = MappingProxyType(
    {
        # It cuts a longer recording, but not its text.
        "F5-TTS": {"takes_seed": True, "clones": Cloning("prompt_speech", seconds=(3.0, 12.0))},
        "CosyVoice2-0.5B": {**_COSYVOICE_SPEAKS, "clones": _COSYVOICE_CLONES},
        "CosyVoice-300M": {**_COSYVOICE, "sample_rate": 22_050, "clones": _COSYVOICE_CLONES},
        "CosyVoice-300M-SFT": {**_COSYVOICE_SPEAKS, "sample_rate": 22_050},
        # These two ignore other speeds. IndexTTS2 hears 15 s of a recording, and reads no text.
        "FishSpeech-1.5": {
            "sample_rate": 44_100,
            "speeds": (1.0, 1.0),
            "takes_seed": True,
            "clones": Cloning("prompt_speech"),
        },
        "IndexTTS2": {
            "sample_rate": 22_050,
            "speeds": (1.0, 1.0),
            "takes_seed": True,
            "clones": Cloning("prompt_speech", "unused", (3.0, 15.0)),
        },
        "MeloTTS-English": _melotts(
            "en", "EN-AU", "EN-BR", "EN-Default", "EN-US", "EN_INDIA", default="EN-US"
        ),
        "MeloTTS-Chinese": _melotts("zh", "ZH"),
        "MeloTTS-French": _melotts("fr", "FR"),
        "MeloTTS-Japanese": _melotts("ja", "JP"),
        "MeloTTS-Korean": _melotts("ko", "KR"),
        "MeloTTS-Spanish": _melotts("es", "ES"),
    }
)
