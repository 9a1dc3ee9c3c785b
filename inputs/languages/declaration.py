"""What a language declares: abbreviations, how it prints speech, and words of audiomill itself.

A language that is spoken best declares ANNOUNCEMENTS and CREDITS beside its ABBREVIATIONS. In
another one nothing is announced: a voice would say foreign words in the middle of a book.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property


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


@dataclass(frozen=True, slots=True)
class Announcements:
    """What announces that something is no running text."""

    note: str
    code: str
    image: str
    empty: str  # for a cell of a table without text
    table: str  # with its numbers of rows and columns


@dataclass(frozen=True, slots=True)
class CreditsWording:
    """The templates of credits, the titles of the chapter marks, and the word for "and".

    The order is that of audiobook publishers (ACX): title, author, narrator; at the end, that it is
    the end. Words that would change with the name after them ("de", "d'") are avoided.
    """

    opening: str
    closing: str
    opening_title: str = "Opening credits"
    closing_title: str = "Closing credits"
    and_word: str = ""  # "": names are separated by commas only
    and_before_i: str = ""  # the same before the sound of an "i", if it is another word there
    before_author: tuple[str, ...] = ()  # what pages print before the name of an author


NO_WORDS = CreditsWording("{title}[. {subtitle}][. {author}].", "")


@dataclass(frozen=True, slots=True)
class FormulaWords:
    """The words of one language for what the layout of a formula means."""

    formula: str  # one that is not said
    over: str
    fraction: tuple[str, str]  # before the numerator, and before the denominator
    squared: str
    cubed: str
    power: str
    sub: str
    root: str
    nth_root: tuple[str, str]  # before and after its degree
    from_to_of: tuple[str, str, str]
    sum: str
    product: str
    integral: str
    union: str
    intersection: str
    matrix: str
    over_all: str  # before what a sum runs over
    limit: tuple[str, str]  # before the variable, and for the arrow behind it
    chosen: str  # a binomial coefficient, of {n} and {k}
    absolute: str
    size: str  # of a set
    norm: str
    set_of: str
    such_that: str
    conditional_on: str  # between what is likely and its condition, in P(A|B)
    transposed: str
    superscript: str  # one that is no power
    argument: str  # between a function and its argument
    log_base: str
    rounded: tuple[str, str]  # down, and up
    signs: Mapping[str, str] = field(default_factory=dict[str, str])  # those of formulas alone
