"""Which writing each language's voice can read, and what other signs are written as. Tables only.

A script is the first word of its characters' Unicode names: LATIN, GREEK, CJK, HIRAGANA. That
espeak-ng reads the scripts of `_SWITCHED` by voices of their own, whichever voice it was asked
for, and other scripts by numbers of characters, was found by asking it (1.52).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

_SWITCHED = """
ARMENIAN GEORGIAN DEVANAGARI BENGALI GUJARATI GURMUKHI TAMIL TELUGU KANNADA MALAYALAM SINHALA HANGUL
"""
# As the sound is nearest in most of our languages; after the BGN/PCGN systems.
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
# Letters that NFKD does not take apart; among them those of phonetic writing.
_LATIN = """
ș ş, ț ţ, ŉ n, ſ s, ɑ a, ɐ a, ɒ o, ɔ o, ə e, ɛ e, ɜ e, ɘ e, ɡ g, ɪ i, ɨ i, ŋ ng, ɲ ny, ʃ sh, ʒ zh,
ʊ u, ʉ u, ʌ u, ɹ r, ɾ r, ʁ r, ʀ r, ʔ -, ɫ l, ɬ l, ɦ h, ɣ g, ɟ d, ɕ sh, ʑ zh, ʂ sh, ʐ zh, ɖ d, ʈ t,
ɳ n, ɵ o, ɸ f, β v, ƀ b, ɓ b, ƈ c, ɗ d, ǝ e, ƒ f, ƙ k, ƚ l, ɱ m, ƞ n, ƥ p, ƭ t, ƶ z, ȷ j
"""
# One kind of mark for each thing that marks do: what our voices tell apart, and no more.
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
    """Both cases of each row; "-" is nothing."""
    pairs = [row.split() for row in rows.split(",")]
    lower = {letter: "" if said == "-" else said for letter, said in pairs}
    upper = {letter.upper(): said.capitalize() for letter, said in lower.items()}
    return {letter: said for letter, said in (upper | lower).items() if len(letter) == 1}


LATIN_LETTERS: Mapping[str, str] = _table(_LATIN)


@dataclass(frozen=True, slots=True, eq=False)
class Scripts:
    """What a language's voice reads as it is written, and what is put in place of the rest."""

    said: frozenset[str]  # scripts
    transliterated: Mapping[str, str] = field(default_factory=dict[str, str])
    # Letters that are names rather than sounds when they stand alone: α, Ω.
    names: frozenset[str] = frozenset()
    digits: frozenset[str] = frozenset()  # scripts whose digits the voice reads
    marks: Mapping[str, str] = field(default_factory=dict[str, str])
    spaced: bool = True  # words have spaces between them


EUROPEAN = Scripts(
    said=frozenset(_SWITCHED.split()) | {"LATIN", "GREEK"},
    transliterated=_table(_CYRILLIC),
    marks=_MARKS,
)
# The English voice spells Greek, letter by letter.
ENGLISH = replace(
    EUROPEAN,
    transliterated=_table(_CYRILLIC) | _table(_GREEK),
    names=frozenset(_table(_GREEK)),
)
HINDI = replace(EUROPEAN, digits=frozenset({"DEVANAGARI"}))
CHINESE = Scripts(
    said=frozenset({"LATIN", "CJK", "IDEOGRAPHIC"}),
    transliterated=ENGLISH.transliterated,
    spaced=False,
)
JAPANESE = replace(CHINESE, said=CHINESE.said | {"HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"})

# Text in which there is nothing to fold. Two hyphens are a dash, and so is one between spaces.
PLAIN = re.compile(
    r"(?!.*(?:--| - |  | -$))(?! |- )"
    r"[A-Za-z0-9À-ÖØ-öø-ňŊ-ž '’‘“”\"().,;:!?…—%&@#*+=<>°$€£/\\_½¼¾-]*+"
)
