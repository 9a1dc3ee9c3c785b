"""The languages of Kokoro: the letters for them in voice names, and how long their texts become.

A voice name consists of a letter for the language, a letter for the speaker's gender, and a name,
for example af_heart. Source: `LANG_CODES` in kokoro/pipeline.py, and VOICES.md of
hexgrad/Kokoro-82M.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from audiomill.renderers.engine.errors import UnknownVoice

_KANA = frozenset(map(chr, range(0x3041, 0x3100)))


@dataclass(frozen=True, slots=True)
class Rates:
    """Phonemes per character, in hundredths. Stress marks and spaces between words are included."""

    letter: int
    digit: int  # 1984 takes about 20 phonemes in most languages
    ideograph: int = 500  # "ꭧʰwei→" has six, and about every second ideograph begins a word
    kana: int = 200
    symbol: int = 800  # "percent", "dollars", "degrees"
    mark: int = 100  # a space, a comma

    def of(self, char: str) -> int:
        """The rate of a character."""
        category = unicodedata.category(char)
        if char in _KANA:
            return self.kana
        if category == "Lo" and unicodedata.east_asian_width(char) == "W":
            return self.ideograph
        if category[0] in "LM":
            return self.letter
        if category == "Nd":
            return self.digit
        return self.symbol if category[0] in "NS" or char in "%&@#§" else self.mark


@dataclass(frozen=True, slots=True)
class Language:
    """A language of the model's training data."""

    code: str  # the first letter of its voices
    tag: str  # BCP 47
    name: str
    rates: Rates
    espeak_voice: str = ""  # of espeak-ng, where it gives the phonemes

    def estimated_phonemes(self, spoken: str) -> int:
        """The approximate number of phonemes of `spoken`, with stress marks and spaces.

        Needs no G2P.
        """
        hundredths = sum(self.rates.of(char) * count for char, count in Counter(spoken).items())
        return -(-hundredths // 100)


_ENGLISH = Rates(letter=102, digit=600)


LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {
        language.code: language
        for language in (
            Language("a", "en-US", "American English", _ENGLISH),
            Language("b", "en-GB", "British English", _ENGLISH),
            Language("e", "es", "Spanish", Rates(letter=115, digit=600), "es"),
            Language("f", "fr-FR", "French", Rates(letter=86, digit=400), "fr-fr"),
            Language("h", "hi", "Hindi", Rates(letter=152, digit=550), "hi"),
            Language("i", "it", "Italian", Rates(letter=110, digit=600), "it"),
            Language("j", "ja", "Japanese", Rates(letter=110, digit=500, ideograph=400)),
            Language("p", "pt-BR", "Brazilian Portuguese", Rates(letter=122, digit=640), "pt-br"),
            Language("z", "zh", "Mandarin Chinese", Rates(letter=110, digit=500)),
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
