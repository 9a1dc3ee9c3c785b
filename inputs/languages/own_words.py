"""The words that audiomill itself says in a language, as the language declares them.

A language that is spoken best declares ANNOUNCEMENTS and CREDITS beside its ABBREVIATIONS. In
another one nothing is announced: a voice would say foreign words in the middle of a book.
"""

from __future__ import annotations

from dataclasses import dataclass


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


NO_WORDS = CreditsWording("{title}[. {subtitle}][. {author}].", "")
