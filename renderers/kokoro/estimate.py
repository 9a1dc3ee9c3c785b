"""About how many phonemes a text will be, before any is made. Knows characters, no pronunciation.

Planning asks this of every sentence of a book, so it only counts characters, by kind. What it
says of a text is at most what it says of its parts.

Fitted to misaki 0.9.4 on 20 sentences in English and 10 in each of five other languages. In 580
segments of other English text, of 100 phonemes or more, it is off by 4 % in the mean and by less
than 9 % in nine of ten; paths of files are the worst, at 28 % too few. Japanese and Chinese were
counted by hand, on a few sentences.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

_KANA = frozenset(map(chr, range(0x3041, 0x3100)))


@dataclass(frozen=True, slots=True)
class Rates:
    """Hundredths of a phoneme for a character, stress and what it takes of spaces included."""

    letter: int
    digit: int  # 1984 is some 20 phonemes in most languages
    ideograph: int = 500  # "ꭧʰwei→" is six, and about every second one begins a word
    kana: int = 200
    symbol: int = 800  # "percent", "dollars", "degrees"
    mark: int = 100  # a space, a comma


_OTHER = Rates(letter=110, digit=600)
RATES: Mapping[str, Rates] = MappingProxyType(
    {
        "en": Rates(letter=102, digit=600),
        "es": Rates(letter=115, digit=600),
        "fr": Rates(letter=86, digit=400),
        "hi": Rates(letter=152, digit=550),
        "it": Rates(letter=110, digit=600),
        "ja": Rates(letter=110, digit=500, ideograph=400),
        "pt": Rates(letter=122, digit=640),
        "zh": Rates(letter=110, digit=500),
    }
)


def estimate(spoken: str, language: str) -> int:
    """About the number of phonemes, stress marks and spaces included. `language` is BCP 47."""
    primary = language.lower().partition("-")[0]
    hundredths = sum(_rate(each, primary) * count for each, count in Counter(spoken).items())
    return -(-hundredths // 100)


@lru_cache(maxsize=4096)
def _rate(character: str, primary: str) -> int:
    rates = RATES.get(primary, _OTHER)
    kind = unicodedata.category(character)
    if character in _KANA:
        return rates.kana
    if kind == "Lo" and unicodedata.east_asian_width(character) == "W":
        return rates.ideograph
    if kind[0] in "LM":
        return rates.letter
    if kind == "Nd":
        return rates.digit
    return rates.symbol if kind[0] in "NS" or character in "%&@#§" else rates.mark
