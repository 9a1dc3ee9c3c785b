"""Which languages Kokoro speaks, and how a voice's name says which. Knows no voices and no sounds.

A voice is called by a letter for its language, one for the speaker's gender, and a name: af_heart.
Source: `LANG_CODES` in kokoro/pipeline.py and VOICES.md of hexgrad/Kokoro-82M.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from audiomill.renderers.base import UnknownVoice


@dataclass(frozen=True, slots=True)
class Language:
    """A language that the model was trained on."""

    code: str  # the first letter of its voices
    tag: str  # BCP 47
    name: str


LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {
        language.code: language
        for language in (
            Language("a", "en-US", "American English"),
            Language("b", "en-GB", "British English"),
            Language("e", "es", "Spanish"),
            Language("f", "fr-FR", "French"),
            Language("h", "hi", "Hindi"),
            Language("i", "it", "Italian"),
            Language("j", "ja", "Japanese"),
            Language("p", "pt-BR", "Brazilian Portuguese"),
            Language("z", "zh", "Mandarin Chinese"),
        )
    }
)
_NAMED = re.compile(rf"([{''.join(LANGUAGES)}])[fm]_")


def language_of(voice_name: str) -> Language:
    """The language that a voice's name says it speaks. Raises UnknownVoice."""
    if named := _NAMED.match(voice_name):
        return LANGUAGES[named[1]]
    raise UnknownVoice(
        f"{voice_name!r} does not say which language it speaks. Kokoro's voices are named by a"
        f" letter for the language ({', '.join(LANGUAGES)}), one for the speaker (f, m) and a name:"
        " af_heart."
    )
