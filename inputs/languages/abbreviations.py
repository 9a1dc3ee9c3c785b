"""What a language abbreviates: one table for what is said, and for where sentences end.

The wording reads what is said for an abbreviation; the splitter reads, of the same table, which
full stops end no sentence. So an abbreviation that is said in full is known to both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


def words(text: str) -> frozenset[str]:
    """The words of a text, which spaces separate."""
    return frozenset(text.split())


# Latin that is printed in all languages, without its last full stop.
LATIN = words("cf viz vs z.b d.h e.g i.e op")

# They end a list, without their last full stop: a capital letter after it begins a sentence.
LIST_ENDS = words("etc ecc usw usf u.dgl u.s.w u.s.f &c ꝛc ibid ibíd")


@dataclass(frozen=True, slots=True)
class Abbreviations:
    """The abbreviations of one language.

    The mappings have what is printed, and what is said for it; a space may be printed or not. The
    sets are about full stops only; they have lower case, and no full stop at the end.
    """

    always: Mapping[str, str] = field(default_factory=dict[str, str])
    # Only where a number follows, or a capital letter.
    before_number: Mapping[str, str] = field(default_factory=dict[str, str])
    before_name: Mapping[str, str] = field(default_factory=dict[str, str])
    never_end: frozenset[str] = frozenset()  # the full stop never ends a sentence
    may_end: frozenset[str] = frozenset()  # it ends one only before a word of `starters`
    number_follows: frozenset[str] = frozenset()  # it does not end one before a number
    starters: frozenset[str] = frozenset()  # words that begin a sentence if they are capitalised
    short_words: frozenset[str] = frozenset()  # words of two letters that are no abbreviations
    has_ordinals: bool = False  # "3." is "third", as in German
