"""The languages of Kokoro and the letters for them in voice names. Knows no voices and no sounds.

A voice name consists of a letter for the language, a letter for the speaker's gender, and a name,
for example af_heart. Source: `LANG_CODES` in kokoro/pipeline.py, and VOICES.md of
hexgrad/Kokoro-82M.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from audiomill.renderers.engine.errors import UnknownVoice


@dataclass(frozen=True, slots=True)
class Language:
    """A language of the model's training data."""

    code: str  # the first letter of its voices
    tag: str  # BCP 47
    name: str
    espeak_voice: str = ""  # of espeak-ng, where it gives the phonemes


LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {
        language.code: language
        for language in (
            Language("a", "en-US", "American English"),
            Language("b", "en-GB", "British English"),
            Language("e", "es", "Spanish", "es"),
            Language("f", "fr-FR", "French", "fr-fr"),
            Language("h", "hi", "Hindi", "hi"),
            Language("i", "it", "Italian", "it"),
            Language("j", "ja", "Japanese"),
            Language("p", "pt-BR", "Brazilian Portuguese", "pt-br"),
            Language("z", "zh", "Mandarin Chinese"),
        )
    }
)
_VOICE_NAME = re.compile(rf"([{''.join(LANGUAGES)}])[fm]_")


def language_of(voice_name: str) -> Language:
    """The language of a voice, by its name. Raises UnknownVoice if the name has no known letter."""
    if match := _VOICE_NAME.match(voice_name):
        return LANGUAGES[match[1]]
    raise UnknownVoice(
        f"{voice_name!r} does not say which language it speaks. Kokoro's voices are named by a"
        f" letter for the language ({', '.join(LANGUAGES)}), one for the speaker (f, m) and a name:"
        " af_heart."
    )
