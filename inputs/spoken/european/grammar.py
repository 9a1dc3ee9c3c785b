"""Makes the grammar of a European language of its words and rules."""

from __future__ import annotations

from collections.abc import Sequence

from audiomill.inputs.spoken import addresses
from audiomill.inputs.spoken.european.language import LanguageWords
from audiomill.inputs.spoken.rules import Grammar, Rule, candidates

# Plain-looking words that may be short for others: French prints no full stop after some.
_SHORTENED = (
    r"(?:M(?:mes?|lles?|gr|e)|Dr|Pr|Ste?|Cie|Vve|bd|[VX]es?|I(?:er|re)|k[gm]|mq)\b(?!\.)"
    r"|[nN][ ][°º]"
    r"|[VvSs](?= [Ee]xc?\.?\^?[aª])"
)
_AFTER_MARK = r"(?<=[ºª])\d"  # “n.º5”

# “la Gloria(93)”, “Castilla[15]”, “lobos, (18) imitando”
_NOTE = r"(?<=[a-zà-ÿ!?»”])\((?=\d)|\[(?= ?\d{1,3} ?\]|[pPsS])|(?<=[,.;?!…»”] )\((?=\d)"
_TIMES = r"(?<=\d[ \u00a0])x(?=[ \u00a0]\d)"  # “3 x 4”
_CANDIDATES = candidates((_SHORTENED,), (_AFTER_MARK, _NOTE, _TIMES))


def european_grammar(language: LanguageWords, rules: Sequence[Rule]) -> Grammar:
    """The grammar of a language: its rules, in order, and those for addresses after them."""
    return Grammar(
        (*rules, *addresses.RULES),
        _CANDIDATES,
        lambda number, region: language.cardinal(number, region, ""),
        region=language.region,
        raises_ordinal_marks=language.raises_ordinal_marks,
    )
