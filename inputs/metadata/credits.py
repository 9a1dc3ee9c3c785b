"""Spoken credits: chapters before and after a book that say its title, author and narrator.

    Book ─▶ opening credits │ the book, without a title that would be said twice │ closing credits

Credits are no text of the source: `Chapter.is_credits` tells them from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import takewhile

from audiomill.inputs.chapters.headings import MOST_LINES, count_title_lines
from audiomill.inputs.languages.declaration import CreditsWording
from audiomill.inputs.languages.registry import all_credits_wordings, credits_wording
from audiomill.inputs.metadata.credit_templates import FilledTemplate, fill_template
from audiomill.inputs.model.book import Block, BlockKind, Book, Chapter, Skipped, SkipReason
from audiomill.inputs.model.comparison import comparison_key

WHERE = "credits"  # the place of their blocks, which are in no source
UNKNOWN_AUTHORS = frozenset(("unknown", "unknown author", "n/a"))  # what software writes
_ISO = re.compile(r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?(?![\d-])")
_IN_BRACKETS = re.compile(r"\s*[(\[]([^()\[\]]+)[)\]]\s*$")
MIN_CAPITALS = 5  # letters; fewer may be initials, for example "IBM"


@dataclass(frozen=True, slots=True)
class Credits:
    """The settings of spoken credits. Templates are explained in `credit_templates.py`."""

    enabled: bool | None = None  # None: for an EPUB; other sources are mostly articles
    opening: str | None = None  # None: in the language of the book; "": none
    closing: str | None = None  # the same
    narrator: str = ""  # a name; "": whom the source names, which is mostly nobody


def with_credits(book: Book, settings: Credits) -> Book:
    """The book with its credits. Without text of its own, it gets none.

    Blocks at its beginning that only repeat the opening credits are listed as skipped. Raises
    TemplateInvalid.
    """
    enabled = book.is_publication if settings.enabled is None else settings.enabled
    if not enabled or not any(map(has_words, book.chapters)):
        return book
    wording, values = credits_wording(book.language), _values(book, settings)
    opening = _filled(settings.opening, wording.opening, values)
    closing = _filled(settings.closing, wording.closing, values)
    before, book = _opened(book, opening, wording)
    after = _credits_chapters(wording.closing_title, closing)
    return replace(book, chapters=(*before, *book.chapters, *after))


def named_narrators(book: Book, settings: Credits) -> tuple[str, ...]:
    """Who reads, as the settings say, or else the source; none if neither says it."""
    return (settings.narrator,) if settings.narrator else book.narrators


def has_words(chapter: Chapter) -> bool:
    """True if a letter or digit is in the chapter."""
    return any(character.isalnum() for block in chapter.blocks for character in block.text)


def _values(book: Book, settings: Credits) -> Mapping[str, str]:
    """The value of each field of a template; "" if it is not known."""
    wording = credits_wording(book.language)

    def names(people: Iterable[str]) -> str:
        known = (name for name in people if name.strip().casefold() not in UNKNOWN_AUTHORS)
        return listed([spoken_name(name, book.language) for name in known], wording)

    return {
        "title": spoken_name(book.title, book.language),
        "subtitle": spoken_name(book.subtitle, book.language),
        "author": names(book.authors),
        "translator": names(book.translators),
        "narrator": listed([*named_narrators(book, settings)], wording),
        "site": spoken_name(book.publisher, book.language),
        "date": written_date(book.date, book.language),
    }


def _filled(chosen: str | None, default: str, values: Mapping[str, str]) -> FilledTemplate:
    return fill_template(default if chosen is None else chosen, values)


def _credits_chapters(title: str, filled: FilledTemplate) -> tuple[Chapter, ...]:
    """A chapter that says the text, or none if there is nothing to say."""
    if not any(map(str.isalnum, filled.text)):
        return ()
    block = Block(BlockKind.PARAGRAPH, filled.text, where=WHERE)
    return (Chapter(title, (block,), is_credits=True),)


def _opened(
    book: Book, opening: FilledTemplate, wording: CreditsWording
) -> tuple[tuple[Chapter, ...], Book]:
    """(the opening credits, the book without what they say already).

    A first chapter that is nothing else stays, and there are no opening credits: so chapters have
    the same numbers with credits and without.
    """
    credits_chapters = _credits_chapters(wording.opening_title, opening)
    first_at = len(tuple(takewhile(lambda one: not has_words(one), book.chapters)))
    first = book.chapters[first_at]
    n_said = leading_title(first.blocks, book, opening.fields)
    rest = replace(first, blocks=first.blocks[n_said:])
    if not credits_chapters or not n_said:
        return credits_chapters, book
    if not has_words(rest):
        return (), book
    said = tuple(
        Skipped(SkipReason.SAID_IN_CREDITS, block.text, block.where)
        for block in first.blocks[:n_said]
        if block.text.strip()
    )
    chapters = (*book.chapters[:first_at], rest, *book.chapters[first_at + 1 :])
    return credits_chapters, replace(book, chapters=chapters, skipped=(*book.skipped, *said))


def listed(names: Sequence[str], wording: CreditsWording) -> str:
    """Several names as one: "A", "A and B", "A, B and C"."""
    if len(names) < 2 or not wording.and_word:
        return ", ".join(names)
    return f"{', '.join(names[:-1])} {_and_before(names[-1], wording)} {names[-1]}"


def _and_before(name: str, wording: CreditsWording) -> str:
    """The word for "and" before `name`: the Spanish "y" is "e" in "Ana e Inés"."""
    begins_with_i = name.lower().startswith(("i", "í", "hi", "hí")) and name[:3].lower() != "hie"
    return (begins_with_i and wording.and_before_i) or wording.and_word


def leading_title(blocks: Sequence[Block], book: Book, fields: frozenset[str]) -> int:
    """The number of blocks at the beginning that say nothing but these fields of the credits.

    0 if the title is not among them: a name alone may be the beginning of a story.
    """
    known = _keys(book, fields)
    lines = [block.text for block in blocks[:MOST_LINES]]
    n_said = count_title_lines(lines, book.title) if "title" in fields else 0
    has_title = n_said > 0
    for number, block in enumerate(blocks[n_said:], n_said + 1):
        key = comparison_key(block.text)
        if not key:
            continue
        field = known.get(key) or _author_field(key, known, book.language)
        if not field:
            break
        n_said, has_title = number, has_title or field == "title"
    return n_said if has_title else 0


def _keys(book: Book, fields: frozenset[str]) -> dict[str, str]:
    """The field that a text stands for, by the key of the text."""
    title, subtitle = comparison_key(book.title), comparison_key(book.subtitle)
    authors = [comparison_key(name) for name in book.authors]
    by_key = {"".join(authors): "author", **dict.fromkeys(authors, "author")}
    by_key |= {subtitle: "subtitle", title + subtitle: "title", title: "title"}
    return {key: field for key, field in by_key.items() if key and field in fields}


def _author_field(key: str, known: dict[str, str], language: str) -> str:
    """The field of the author if the key is that of "by" and a name; else ""."""
    names = (name for name, field in known.items() if field == "author" and key.endswith(name))
    return "author" if any(_is_by(key.removesuffix(name), language) for name in names) else ""


def _is_by(key: str, language: str) -> bool:
    """True for "" and the key of "by" in any language: books tell a wrong one of theirs."""
    return key in _keys_of_by(credits_wording(language)) or any(
        key in _keys_of_by(one) for one in all_credits_wordings()
    )


def _keys_of_by(wording: CreditsWording) -> frozenset[str]:
    return frozenset(("", *map(comparison_key, wording.before_author)))


def written_date(iso_date: str, language: str) -> str:
    """“March 2, 2026” of “2026-03-02”, “March 2026” of “2026-03”; a year alone, or "", stays.

    A language that is not known writes English dates. The forms are those of Unicode's CLDR.
    """
    from babel import Locale, UnknownLocaleError  # which takes a while to import
    from babel.dates import format_date, format_skeleton

    written = _ISO.match(iso_date.strip())
    if written is None:
        return ""
    if not written["month"]:
        return written["year"]
    try:
        day = date(int(written["year"]), int(written["month"]), int(written["day"] or 1))
    except ValueError:  # there is no such day
        return ""
    try:
        locale = Locale.parse(language, sep="-")
    except (UnknownLocaleError, ValueError):
        locale = Locale("en")
    if written["day"]:
        return format_date(day, "long", locale=locale)
    return format_skeleton("yMMMM", day, locale=locale)


def spoken_name(text: str, language: str) -> str:
    """The title or the name on one line, with a comma before what was in brackets at its end."""
    line = _IN_BRACKETS.sub(r", \1", " ".join(text.split()))
    # English has rules of its own for capitals, which know initials such as "NATO".
    is_english = language.lower().split("-")[0] == "en"
    n_letters = sum(map(str.isalpha, line))
    if is_english or not line.isupper() or n_letters < MIN_CAPITALS:
        return line
    return " ".join(word if "." in word else word.title() for word in line.split(" "))
