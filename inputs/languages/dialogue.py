"""How a language prints what people say: its quotation marks, dashes and verbs of saying.

The tables have what novels use. Forms of verbs are those that stand beside a quotation: the past
and the present of the third person, and in English and French also those beside “I”.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class DialogueConventions:
    """How one language prints speech."""

    pairs: tuple[tuple[str, str], ...]  # of outer quotation marks: opening, closing ones
    verbs: frozenset[str]  # of saying
    titles: str = ""  # words before a name, as alternatives of a pattern
    conjunction: str = "and"  # between two names
    name_first_verbs: frozenset[str] = frozenset()  # those that may follow a name; () for none
    openers: str = ""  # words that may begin a sentence before a verb and a name, as a pattern
    no_names: frozenset[str] = frozenset()  # capitalised words that are no names
    has_dashes: bool = False  # a dash at the start of a paragraph opens speech
    has_inner_tags: bool = False  # “dit-il” stands inside the quotation marks

    @cached_property
    def verb(self) -> str:
        """A pattern of the verbs."""
        return "|".join(sorted(self.verbs, key=len, reverse=True))

    @cached_property
    def name(self) -> str:
        """A pattern of a person's name, with a title or without."""
        titled = rf"(?:(?:{self.titles})\s)?" if self.titles else ""
        # An initial, or a capitalised word that is not a possessive.
        word = r"(?:[A-ZÀ-ÖØ-Þ]\.|(?:[DO][’'])?[A-ZÀ-ÖØ-Þ][\w-]*+)"
        return rf"{titled}{word}(?:\s(?:de\s|von\s|van\s|du\s|da\s)?{word}){{0,2}}"
