"""The rules of English, in the order in which they are tried, and where they may apply."""

from __future__ import annotations

from audiomill.inputs.languages.en import (
    abbreviations,
    arithmetic,
    capitals,
    chemistry,
    codes,
    dates,
    designations,
    durations,
    emoji,
    equations,
    fractions,
    identifiers,
    kitchen,
    laws,
    money,
    old_money,
    places,
    primes,
    quantities,
    ranges,
    references,
    regnal,
    roman,
    scripture,
    superscripts,
    symbols,
    telephones,
    times,
    titles,
    units,
    web,
    words,
    years,
)
from audiomill.inputs.languages.en.numbers import cardinal
from audiomill.inputs.spoken.rules import Grammar, candidates

# Words that may be more than they look, though they have neither capitals nor digits.
_WORDS = (
    # Roman numerals: “scene iii”, “(v)”, and “I” alone on a line.
    r"[ivxl]{2,8}+(?![^\W_])|[iv]\)|[IVX]\s*+\Z",
    # Units and short forms: “mph” after a number in words, “vs”, “c 1450”, “n! =”.
    r"[b-df-hj-np-tv-xzB-DF-HJ-NP-TV-XZ]{2,5}(?![^\W_])|[cv]\s|[a-z]!\s?[=+/]",
    # Abbreviations without a full stop.
    r"(?:[Ee]g|[Ii]e|[Ee]tc|aka|ca|viz|[Pp]rof|Revd?|Capt|Col|Gen|Maj|Adm|Hon|Gov|Sen|Rep|Supt|Insp"
    r"|Lieut|Messrs|Mme|Mlle|Co|Esq|Ave)(?![^\W_])",
    # Greek letters that stand alone.
    r"[Α-Ωα-ω](?![^\W\d_a-z]|[ά-ώ])",
)
_PLACES = (
    r"(?<=\dx)\d",  # the second side of 3x4
    r"(?<!\w)\((?=\d{3,5}\))",  # an area code
    r"\A[A-Z](?= )",  # a drop cap
    r"(?<![\w.])\.(?=[a-z]|NET\b)",  # a hidden file, a platform
    r"(?<![\w.])\.(?=[ \u00a0]\.[ \u00a0]?\.)",  # an ellipsis
    r"(?<=\d):(?=\d)",
    r"(?<=\S)\[(?=\d)",  # the number of a note
    r"(?<!\S)[:;](?=-?[()DP](?:\W|\Z))",  # a face
    r"!(?==)",  # n != 5
    r"\)(?=[⁰¹²³⁴-⁹⁻])",  # a power of a bracket
    r"(?<=[⁰¹²³⁴-⁹][ \u00a0])[a-zA-Zµ]",  # a unit after a power
)
# A rule that takes more of the text comes before one that would take only a part of it: addresses
# before words, formulas before numbers, single signs last.
GRAMMAR = Grammar(
    (
        *web.RULES,
        *identifiers.RULES,
        *superscripts.RAISED_LETTERS,
        *chemistry.RULES,
        *equations.RULES,
        *old_money.RULES,
        *money.RULES,
        *scripture.RULES,
        *dates.RULES,
        *telephones.RULES,
        *codes.RULES,
        *places.POSTCODES,
        *times.RULES,
        *durations.RULES,
        *laws.RULES,
        *references.RULES,
        *primes.RULES,
        *ranges.LOOSE_RULES,
        *kitchen.RULES,
        *units.RULES,
        *regnal.RULES,
        *roman.RULES,
        *designations.RULES,
        *fractions.RULES,
        *years.RANGES,
        *ranges.RULES,
        *arithmetic.RULES,
        *years.RULES,
        *words.RULES,
        *superscripts.NOTES,
        *places.COMPASS,
        *titles.RULES,
        *abbreviations.RULES,
        *capitals.RULES,
        *quantities.RULES,
        *emoji.RULES,
        *symbols.RULES,
    ),
    candidates(_WORDS, _PLACES),
    cardinal,
    region="US",
    has_subscript_rules=True,
)
