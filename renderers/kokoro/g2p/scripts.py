"""The scripts that the G2P of each language can read, and replacements for others. Tables only.

A script is named by the first word of its characters' Unicode names: LATIN, GREEK, CJK, HIRAGANA.

espeak-ng reads the scripts of `_SWITCHED` with other voices, whichever voice is selected; of other
scripts it says the code points. This was observed with espeak-ng 1.52.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

_SWITCHED = """
ARMENIAN GEORGIAN DEVANAGARI BENGALI GUJARATI GURMUKHI TAMIL TELUGU KANNADA MALAYALAM SINHALA HANGUL
"""
# Based on the BGN/PCGN systems, adapted to the nearest sound in most of Kokoro's languages.
# A row is a lower-case letter and its transliteration; "-" is none.
_CYRILLIC = """
а a, б b, в v, г g, д d, е e, ё yo, ж zh, з z, и i, й y, к k, л l, м m, н n, о o, п p, р r, с s,
т t, у u, ф f, х kh, ц ts, ч ch, ш sh, щ shch, ъ -, ы y, ь -, э e, ю yu, я ya, і i, ї yi, є ye,
ґ g, ў u, ђ dj, ј y, љ ly, њ ny, ћ ch, џ dzh, ѓ g, ќ k, ѕ dz, ѣ e, ѳ f, ѵ i, ә a, ғ g, қ k, ң ng,
ө o, ұ u, ү u, һ h
"""
_GREEK = """
α a, β v, γ g, δ d, ε e, ζ z, η i, θ th, ι i, κ k, λ l, μ m, ν n, ξ x, ο o, π p, ρ r, σ s, ς s,
τ t, υ y, φ ph, χ ch, ψ ps, ω o
"""
# Letters that NFKD does not decompose, such as those of the phonetic alphabet.
_LATIN = """
ș ş, ț ţ, ŉ n, ſ s, ɑ a, ɐ a, ɒ o, ɔ o, ə e, ɛ e, ɜ e, ɘ e, ɡ g, ɪ i, ɨ i, ŋ ng, ɲ ny, ʃ sh, ʒ zh,
ʊ u, ʉ u, ʌ u, ɹ r, ɾ r, ʁ r, ʀ r, ʔ -, ɫ l, ɬ l, ɦ h, ɣ g, ɟ d, ɕ sh, ʑ zh, ʂ sh, ʐ zh, ɖ d, ʈ t,
ɳ n, ɵ o, ɸ f, β v, ƀ b, ɓ b, ƈ c, ɗ d, ǝ e, ƒ f, ƙ k, ƚ l, ɱ m, ƞ n, ƥ p, ƭ t, ƶ z, ȷ j
"""
# One mark for each function, as far as the G2Ps distinguish them.
_MARKS = {
    **dict.fromkeys("‐‑−﹣", "-"),
    **dict.fromkeys("―⸺⸻", "—"),
    **dict.fromkeys("„‟«‹「『《〈【❝", "“"),
    **dict.fromkeys("»›」』》〉】❞", "”"),
    **dict.fromkeys("‚‛", "‘"),
    **dict.fromkeys("[{⟨", "("),
    **dict.fromkeys("]}⟩", ")"),
    **dict.fromkeys("⁄∕", "/"),
    **dict.fromkeys("。｡।॥۔።", "."),
    **dict.fromkeys("、､،", ","),
    "؛": ";",
    "؟": "?",
    "∶": ":",
}


def _table(rows: str) -> dict[str, str]:
    """The replacements by letter, in lower and upper case."""
    pairs = [row.split() for row in rows.split(",")]
    lower = {letter: "" if latin == "-" else latin for letter, latin in pairs}
    upper = {letter.upper(): latin.capitalize() for letter, latin in lower.items()}
    return {letter: latin for letter, latin in (upper | lower).items() if len(letter) == 1}


LATIN_LETTERS: Mapping[str, str] = _table(_LATIN)


@dataclass(frozen=True, slots=True, eq=False)
class Scripts:
    """What a language's G2P reads unchanged, and what replaces the rest. Compared by identity."""

    readable: frozenset[str]  # scripts whose letters the G2P reads
    transliterations: Mapping[str, str] = field(default_factory=dict[str, str])
    # Letters that are said by name when they stand alone: α, Ω.
    letter_names: frozenset[str] = frozenset()
    digits: frozenset[str] = frozenset()  # scripts whose digits the G2P reads
    marks: Mapping[str, str] = field(default_factory=dict[str, str])
    is_spaced: bool = True  # words have spaces between them


EUROPEAN = Scripts(
    readable=frozenset(_SWITCHED.split()) | {"LATIN", "GREEK"},
    transliterations=_table(_CYRILLIC),
    marks=_MARKS,
)
# espeak-ng's English voice says Greek letter by letter.
ENGLISH = replace(
    EUROPEAN,
    transliterations=_table(_CYRILLIC) | _table(_GREEK),
    letter_names=frozenset(_table(_GREEK)),
)
HINDI = replace(EUROPEAN, digits=frozenset({"DEVANAGARI"}))
CHINESE = Scripts(
    readable=frozenset({"LATIN", "CJK", "IDEOGRAPHIC"}),
    transliterations=ENGLISH.transliterations,
    is_spaced=False,
)
JAPANESE = replace(
    CHINESE, readable=CHINESE.readable | {"HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"}
)

# Matches text that folding leaves unchanged. Two hyphens are a dash, as is one between spaces, so
# texts with these do not match.
PLAIN = re.compile(
    r"(?!.*(?:--| - |  | -$))(?! |- )"
    r"[A-Za-z0-9À-ÖØ-öø-ňŊ-ž '’‘“”\"().,;:!?…—%&@#*+=<>°$€£/\\_½¼¾-]*+"
)
