"""Which rules speak which language; in the others, all but web addresses is said as printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from types import MappingProxyType

from audiomill.inputs.book import BlockKind
from audiomill.inputs.spoken import addresses
from audiomill.inputs.spoken.edits import Edit, SpokenLine
from audiomill.inputs.spoken.letter_forms import plain_letters, with_letter_forms
from audiomill.inputs.spoken.rules import Context, Grammar, candidates, find_edits

# Where a book names no region. Most readers of Portuguese, and its voices, are of Brazil.
_REGIONS = {"en": "US", "de": "DE", "fr": "FR", "es": "ES", "it": "IT", "pt": "BR"}
# Modules with RULES, beside the one of English. They are loaded when a text is in their language.
_EUROPEAN = MappingProxyType(
    {"de": "german", "fr": "french", "es": "spanish", "it": "italian", "pt": "portuguese"}
)
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

# The wide signs of East Asian fonts, which stand in Western books too, and the strokes of
# fractions, one for one.
_NARROW = str.maketrans("￠￡￥￦＄％＆＋＝⁄∕∗", "¢£¥₩$%&+=//*")


@lru_cache(maxsize=16)
def grammar_of(language: str) -> Grammar:
    """The grammar of a primary language subtag, in lower case."""
    if language == "en":
        from audiomill.inputs.spoken.english.grammar import GRAMMAR

        return GRAMMAR
    if language in _EUROPEAN:
        module = import_module(f"audiomill.inputs.spoken.european.{_EUROPEAN[language]}.rules")
        return Grammar(
            (*module.RULES, *addresses.RULES),
            candidates((_SHORTENED,), (_AFTER_MARK, _NOTE, _TIMES)),
            module.cardinal,
        )
    return Grammar(addresses.RULES, candidates())


def spoken_line(
    text: str,
    language: str,
    kind: BlockKind = BlockKind.PARAGRAPH,
    given: Sequence[Edit] = (),
    numerals: Mapping[int, int] = MappingProxyType({}),
) -> SpokenLine:
    """What is said for a block or line of text in a language (BCP 47).

    The edits that are `given`, in order, come before all rules. `numerals` are known to
    be Roman, because the source marks them, or headings count on: the start and the end of each, in
    order.
    """
    primary, _, rest = language.partition("-")
    primary = primary.lower()
    region = next((part for part in rest.upper().split("-") if len(part) == 2), "")
    narrow = text.translate(_NARROW)
    plain = plain_letters(narrow, primary)
    context = Context(plain, region or _REGIONS.get(primary, ""), kind, numerals)
    edits = tuple(find_edits(grammar_of(primary), context, given))
    if plain != narrow:
        edits = tuple(with_letter_forms(narrow, plain, edits))
    return SpokenLine(text, edits)
