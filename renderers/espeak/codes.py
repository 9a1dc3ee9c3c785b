"""IPA as espeak-ng's own phoneme codes, which it takes between double brackets. Pure.

    wˈʊstə  ─▶  [[w|'|U|s|t|@]]

Every language of espeak-ng has a table of phonemes. Where it lacks a sound, the nearest is taken.
Languages without a table here take no phonemes: the text is said as it is written. Source:
phsource/phonemes of espeak-ng 1.52; a test compares the tables with what the library says.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from audiomill.renderers.engine.errors import UnknownPhoneme

# How Kokoro writes sounds, in IPA.
_SINGLE_LETTERS = {
    "A": "eɪ",
    "I": "aɪ",
    "O": "oʊ",
    "Q": "əʊ",
    "W": "aʊ",
    "Y": "ɔɪ",
    "T": "ɾ",
    "S": "ss",
    "ʤ": "dʒ",
    "ʧ": "tʃ",
    "ʣ": "dz",
    "ʦ": "ts",
    "ʨ": "tɕ",
    "ʥ": "dʑ",
    "ᵊ": "ə",
    "ᵻ": "ɪ",
    "ꭧ": "ʈʂ",
    "ɝ": "ɜːɹ",
    "g": "ɡ",
    ":": "ː",
}
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


def decomposed_ipa(phonemes: str) -> str:
    """Phonemes in decomposed IPA, whether they come in IPA or as Kokoro writes them."""
    return unicodedata.normalize("NFD", "".join(_SINGLE_LETTERS.get(one, one) for one in phonemes))


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
