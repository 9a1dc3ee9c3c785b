"""IPA as espeak-ng's own phoneme codes, in texts, and the way back from their positions. Pure.

spoken   I saw Worcester, again.       [6, 15) is said by w|'|U|s|t|@
text     I saw [[w|'|U|s|t|@]], again.

espeak-ng takes codes between double brackets:

    wˈʊstə  ─▶  [[w|'|U|s|t|@]]

Every language of espeak-ng has a table of phonemes. Where it lacks a sound, the nearest is taken.
Languages without a table here take no phonemes: the text is said as it is written. Source:
phsource/phonemes of espeak-ng 1.52; a test compares the tables with what the library says.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType

from audiomill.inputs.model.book import Pronunciation
from audiomill.renderers.engine.errors import UnknownPhoneme
from audiomill.renderers.engine.protocol import Rendered, WordTiming
from audiomill.renderers.speech.ipa import decomposed_ipa

_WORD = re.compile(r"\S+")
# Signs without a sound of their own here: ties, syllables, length and quality of a phone.
_SILENT = frozenset("͜͡.‿̯̩̥̬̪̺̻̃ʰʲʷˠˤˑ̆ʼ→↗↘↓-")
_STRESS = {"ˈ": "'", "ˌ": ","}
# Sounds of every table.
_COMMON = """
p p, b b, t t, d d, k k, ɡ g, f f, v v, s s, z z, ʃ S, ʒ Z, θ T, ð D, h h, m m, n n, ŋ N, l l, j j,
w w, x x, ç C, χ X, ɣ Q, β B, ɲ n^, ʎ l^, ʔ ?, ɬ l#, ʂ s., ʐ z., ɕ S;, ʑ Z;, ɟ J, c c, ɫ l, ɱ m,
ʋ v, ɸ f, ħ h, ɦ h, ɭ l., ɳ n., ʍ w, ɥ j, ɖ d, ʈ t, q k, ɰ Q, ɴ N, ʕ ?, ʝ j, ɢ g, ɻ r,
tʃ tS, dʒ dZ, ts t|s, dz d|z, ʁ Q", ʀ r", ɾ *, a a, e e, i i, o o, u u, ə @, ɘ @, ɵ @, ɨ i, ʉ u
"""
_ENGLISH = """
r r, ɹ r, ɾ t#, ʁ r, ʀ r, iː i:, i i, ɪ I, e E, ɛ E, ɛː E, æ a, a a, ɑː A:, ɑ A:, ɒ 0, ɔː O:, ɔ O:,
o O:, oː O:, ʊ U, uː u:, u u:, ʌ V, ɐ V, ɜː 3:, ɜ 3:, ə @, ɚ 3, eɪ eI, aɪ aI, ɔɪ OI, aʊ aU, oʊ oU,
əʊ oU, ɪə i@, iə i@, ʊə U@, y u:, yː u:, ø 3:, øː 3:, œ 3:, ɯ u:, ɤ V, ɛə e@, eə e@
"""
_LANGUAGES = {
    "gmw/en-US": f"{_ENGLISH}, ɜːɹ 3:, ɜɹ 3:, əɹ 3, ɑːɹ A@, ɑɹ A@, ɔːɹ O@, ɔɹ O@, ɛɹ e@, ɪɹ i@3,"
    " ʊɹ U@",
    "gmw/en": _ENGLISH,
    "gmw/de": """
        r r, ɹ r, ʁ r, iː i:, ɪ I, yː y:, ʏ y, y y:, eː e:, e e:, ɛ E, ɛː E:, øː Y:, ø Y:, œ W, a a,
        aː A:, ɑː A:, ɑ A, uː u:, u u:, ʊ U, oː o:, o o:, ɔ O, ɐ 3, ɜ 3, aɪ aI, aʊ aU, ɔʏ OY, ɔɪ OY,
        ɔø OY, ts ts, pf pF, æ E, ʌ a, ɒ O, ɪə i@, ʊɐ UR, ɑ̃ A~, ɔ̃ O~, œ̃ W~, ɛ̃ E
    """,
    "roa/fr": """
        r r, ɹ r, ʁ r, ɾ r, ɛ E, œ W, ø Y, ɔ O, y y, ɑ a, ɑ̃ A~, ɛ̃ E~, œ̃ W~, ɔ̃ O~, ɪ I, ʊ u, ʌ V,
        æ a, ɐ a, ɒ O, ʏ y, ɜ W
    """,
    "roa/es": """
        r R, ɾ r, ɹ r, ʁ R, ɛ E, ɔ O, ʊ U, aʊ aU, eʊ eU, aɪ aI, eɪ eI, ɔɪ oI, oɪ oI, ts ts, y y,
        ø Y, œ Y, ɪ i, æ a, ɑ a, ɐ a, ʌ a, ɒ O, ʏ y, ɜ e
    """,
    "roa/it": """
        r r/, ɾ r/, ɹ r, ʁ r/, ɛ E, ɔ O, ʊ U, aʊ aU, eʊ eU, aɪ aI, eɪ eI, ɔɪ oI, oɪ oI, ts ts,
        dz dz, y y, ø Y, œ Y, ɪ I, æ a, ɑ a, ɐ a, ʌ a, ɒ O, ʏ y, ɜ e
    """,
}
_LIKE = {"roa/es-419": "roa/es", "gmw/en-GB-x-rp": "gmw/en"}


@dataclass(frozen=True, slots=True)
class _Place:
    """Characters [first, last) of the text stand for [start, end) of the spoken text."""

    first: int
    last: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TextWithCodes:
    """What the library gets for a spoken text of which parts are said by codes."""

    spoken: str
    text: str
    places: tuple[_Place, ...] = ()  # of the codes

    def of_spoken(self, rendered: Rendered) -> Rendered:
        """The audio with positions in the spoken text."""
        if not self.places:
            return rendered
        return replace(
            rendered,
            timings=tuple(self._timings(rendered.timings)),
            remarks=tuple(
                replace(one, start=self._start(one.start), end=self._end(one.end))
                for one in rendered.remarks
            ),
        )

    def _timings(self, timings: Sequence[WordTiming]) -> Iterator[WordTiming]:
        """The times of the spoken text's words; those that share codes share the time."""
        merged: list[WordTiming] = []
        for one in timings:
            start, end = self._start(one.start), self._end(one.end)
            if merged and start < merged[-1].end:
                before = merged.pop()
                start, end = before.start, max(before.end, end)
                one = replace(one, start_s=before.start_s)
            merged.append(replace(one, start=start, end=end))
        for one in merged:
            yield from _shared(one, self.spoken)

    def _start(self, position: int) -> int:
        return self._original(position, is_end=False)

    def _end(self, position: int) -> int:
        return self._original(position, is_end=True)

    def _original(self, position: int, *, is_end: bool) -> int:
        """The position in the spoken text; one inside codes is at their word's start or end."""
        shift = 0
        for place in self.places:
            if position < place.first or (is_end and position == place.first):
                break
            if position < place.last or (is_end and position == place.last):
                return place.end if is_end else place.start
            shift = place.end - place.last
        return position + shift


def with_codes(spoken: str, pronunciations: Sequence[Pronunciation]) -> TextWithCodes:
    """`spoken` with codes in the places of `pronunciations`, whose phonemes are codes."""
    if not pronunciations:
        return TextWithCodes(spoken, spoken)
    text, at, places = "", 0, list[_Place]()
    for one in pronunciations:
        text += literal(spoken[at : one.start])
        code = f"[[{one.phonemes}]]"
        places.append(_Place(len(text), len(text) + len(code), one.start, one.end))
        text, at = text + code, one.end
    return TextWithCodes(spoken, text + literal(spoken[at:]), tuple(places))


def literal(text: str) -> str:
    """Text in which no brackets are those of codes; of the same length."""
    return text.replace("[[", "((")


def _shared(timing: WordTiming, spoken: str) -> Iterator[WordTiming]:
    """The timing of several words as one for each, in proportion to their lengths."""
    words = [*_WORD.finditer(spoken, timing.start, timing.end)]
    if len(words) < 2:
        yield timing
        return
    n_chars, duration_s = sum(len(word[0]) for word in words), timing.end_s - timing.start_s
    at_s = timing.start_s
    for word in words:
        end_s = at_s + duration_s * len(word[0]) / n_chars
        yield WordTiming(*word.span(), at_s, end_s)
        at_s = end_s


def codes_of(phonemes: str, identifier: str) -> str:
    """The codes of IPA in a voice's language; "" if there is no table of it.

    Raises UnknownPhoneme.
    """
    table = _table(identifier)
    if not table:
        return ""
    ipa = decomposed_ipa(phonemes)
    return " ".join("|".join(_codes(word, table)) for word in ipa.split())


def _codes(ipa: str, table: Mapping[str, str]) -> Iterator[str]:
    """The code of each phoneme, of several letters where the table has such."""
    at = 0
    plain = re.sub(r"[\u035c\u0361]", "", ipa)  # ties
    while at < len(plain):
        length = next((n for n in (3, 2, 1) if plain[at : at + n] in table), 0)
        sign = plain[at]
        if length:
            yield table[plain[at : at + length]]
        elif sign in _STRESS:
            yield _STRESS[sign]
        elif sign not in _SILENT and sign != "ː":
            raise UnknownPhoneme(unicodedata.normalize("NFC", sign))
        at += max(1, length)


@lru_cache(maxsize=16)
def _table(identifier: str) -> Mapping[str, str]:
    """The code of each sound of a language; empty if there is no table."""
    rows = _LANGUAGES.get(_LIKE.get(identifier, identifier))
    if rows is None:
        return MappingProxyType({})
    pairs = (row.split() for row in f"{_COMMON}, {rows}".split(",") if row.strip())
    return MappingProxyType({unicodedata.normalize("NFD", ipa): code for ipa, code in pairs})
