"""Which rules speak which language; in the others, all but web addresses is said as printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from audiomill.inputs.languages.registry import grammar as declared_grammar
from audiomill.inputs.model.book import BlockKind
from audiomill.inputs.spoken import addresses
from audiomill.inputs.spoken.edits import Edit, SpokenLine
from audiomill.inputs.spoken.letter_forms import plain_letters, with_letter_forms
from audiomill.inputs.spoken.rules import Context, Grammar, candidates, find_edits

# The wide signs of East Asian fonts, which stand in Western books too, and the strokes of
# fractions, one for one.
_NARROW = str.maketrans("￠￡￥￦＄％＆＋＝⁄∕∗", "¢£¥₩$%&+=//*")


@lru_cache(maxsize=16)
def grammar_of(language: str) -> Grammar:
    """The grammar of a primary language subtag, in lower case."""
    return declared_grammar(language) or Grammar(addresses.RULES, candidates())


def compile_rules(language: str) -> None:
    """Have all rules of a language (BCP 47) ready, which a text would wait for: some 100 ms."""
    grammar_of(language.partition("-")[0].lower()).index.compile()


def spoken_line(
    text: str,
    language: str,
    kind: BlockKind = BlockKind.PARAGRAPH,
    overrides: Sequence[Edit] = (),
    numerals: Mapping[int, int] = MappingProxyType({}),
) -> SpokenLine:
    """What is said for a block or line of text in a language (BCP 47).

    The edits of `overrides`, in order, come before all rules. `numerals` are known to be
    Roman, because the source marks them, or headings count on: the start and the end of each, in
    order.
    """
    primary, _, rest = language.partition("-")
    primary = primary.lower()
    region = next((part for part in rest.upper().split("-") if len(part) == 2), "")
    narrow = text.translate(_NARROW)
    grammar = grammar_of(primary)
    plain = plain_letters(narrow, grammar)
    context = Context(plain, region or grammar.region, kind, numerals)
    edits = tuple(find_edits(grammar, context, overrides))
    if plain != narrow:
        edits = tuple(with_letter_forms(narrow, plain, edits))
    return SpokenLine(text, edits)
