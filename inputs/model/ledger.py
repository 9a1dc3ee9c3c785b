"""Checks that no text of a source is lost on its way to the voice, and counts where it went. Pure.

    source   every letter and digit of its documents, with the words for its pictures
      │        must be
    book     in a block, or in a text that is listed as skipped
      │        must be
    segments in a segment, or in a text that is listed as skipped

Readers count what a source prints before they convert it, by another way than the conversion
(`printed_texts`), and what the conversion writes out: numbers of lists, words of formulas. All of
it must be among the letters of the book. How often each letter occurs is compared, not where: what
would be lost must be hidden by the same letters, added elsewhere. Only announcements add some, such
as “Note”, and that step is checked by itself. The cut into segments adds nothing.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import filterfalse

from audiomill.inputs.model.book import Book, Manuscript, Segment, Skipped, SkipReason, TextLost

Letters = Counter[str]  # how often each letter or digit occurs
MAX_NAMED = 12  # letters in an error message


@dataclass(frozen=True, slots=True)
class ChapterLedger:
    """The letters and digits of one chapter that are spoken. `number` is that of the plan."""

    number: int
    title: str
    spoken: int
    reworded: int  # of those that are spoken: something else is said for them, as for “1914”


@dataclass(frozen=True, slots=True)
class Ledger:
    """Where the letters and digits of a source went.

    printed + added = spoken + skipped. What a page shows without having it, such as the numbers of
    lists, counts as printed; announcements such as “Note” are added.
    """

    printed: int
    added: int
    spoken: int
    reworded: int
    skipped: dict[str, int]  # by reason
    chapters: tuple[ChapterLedger, ...]


def letters_of(texts: Iterable[str]) -> Letters:
    """The letters and digits of texts, without regard to width, case, accents or their place.

    Spaces and signs are not counted: the spaces of a page are not those of its text, and ornaments
    are drawn in many ways. An accent may be a character of its own, in another element.
    """
    return letters_in(Counter(words_of(texts)))


def words_of(texts: Iterable[str]) -> list[str]:
    """The words of texts, for `letters_in`: most of a page may be spaces between its tags."""
    return "\n".join(texts).split()


def letters_in(words: Mapping[str, int]) -> Letters:
    """As `letters_of`, for words and how often each occurs. Most of a book's words come again."""
    by_count: dict[int, list[str]] = {}
    for word, n in words.items():
        by_count.setdefault(n, []).append(word)
    counts = Letters()
    for n, those in by_count.items():
        joined = unicodedata.normalize("NFKC", " ".join(those))
        for letter, n_here in Counter(joined.casefold()).items():
            if letter.isalnum():
                counts[_without_accents(letter)] += n * n_here
    return counts


def _without_accents(letter: str) -> str:
    if letter.isascii():
        return letter
    parts = filterfalse(unicodedata.combining, unicodedata.normalize("NFD", letter))
    return unicodedata.normalize("NFC", "".join(parts))


def n_letters_of(text: str) -> int:
    """How many letters and digits a text has, as `letters_of` counts them."""
    return letters_of([text]).total()


def check_book(book: Book, chosen: Book, name: str) -> None:
    """Raise TextLost unless all text that the source prints is in the book, and in `chosen`.

    `chosen` is the book after it is decided what of it is read.
    """
    of_book, of_chosen = Counter(_texts_in(book)), Counter(_texts_in(chosen))
    _require_nothing(Counter(book.printed) - letters_of(of_book.elements()), name)
    # Of the same texts all letters are the same.
    gone, new = (of_book - of_chosen).elements(), (of_chosen - of_book).elements()
    _require_nothing(letters_of(gone) - letters_of(new), name)


def check_segments(manuscript: Manuscript, name: str) -> None:
    """Raise TextLost unless all text of the book's blocks is in a segment, or listed."""
    cut = manuscript.skipped[len(manuscript.book.skipped) :]
    found = letters_of(one.text for one in (*manuscript.segments, *cut))
    _require_nothing(letters_of(_texts_of(manuscript.book)) - found, name)


def _texts_in(book: Book) -> Iterable[str]:
    return (*_texts_of(book), *(skipped.text for skipped in book.skipped))


def _texts_of(book: Book) -> Iterable[str]:
    return (block.text for chapter in book.chapters for block in chapter.blocks)


def _require_nothing(lost: Letters, name: str) -> None:
    if lost:
        most = "".join(letter for letter, _ in lost.most_common(MAX_NAMED))
        raise TextLost(
            f"{lost.total()} letters of “{name}” would be lost ({most}): they would be neither read"
            " nor listed. This is a fault of audiomill; please report it with the file."
        )


def make_ledger(
    book: Book,
    segments: Iterable[Segment],
    skipped: Iterable[Skipped],
    numbers: Mapping[int, int],
    not_chosen: Collection[int] = (),
) -> Ledger:
    """The ledger of a run that speaks `segments`.

    `numbers` are those of the chapters that are spoken, by their index in the book; `not_chosen`
    are the indices of the others. Credits are added by us, so they are not counted at all.
    """
    chapters = tuple(_chapter_ledgers(book, segments, numbers))
    by_reason = Counter[str]()
    for one in skipped:
        if one.reason is not SkipReason.NOT_CHOSEN:
            by_reason[str(one.reason)] += n_letters_of(one.text)
    if not_chosen:
        by_reason[str(SkipReason.NOT_CHOSEN)] = _n_letters_in(book, not_chosen)
    spoken = sum(chapter.spoken for chapter in chapters)
    printed = sum(book.printed.values())
    return Ledger(
        printed=printed,
        added=spoken + by_reason.total() - printed,
        spoken=spoken,
        reworded=sum(chapter.reworded for chapter in chapters),
        skipped=dict(by_reason.most_common()),
        chapters=chapters,
    )


def _chapter_ledgers(
    book: Book, segments: Iterable[Segment], numbers: Mapping[int, int]
) -> Iterable[ChapterLedger]:
    texts, reworded = dict[int, list[str]](), Counter[int]()
    for segment in segments:
        texts.setdefault(segment.chapter, []).append(segment.text)
        reworded[segment.chapter] += segment.n_reworded
    for index, parts in texts.items():
        chapter = book.chapters[index]
        if not chapter.is_credits:
            spoken = letters_of(parts).total()
            yield ChapterLedger(numbers[index], chapter.title, spoken, reworded[index])


def _n_letters_in(book: Book, chapters: Collection[int]) -> int:
    blocks = (block for index in chapters for block in book.chapters[index].blocks)
    return letters_of(block.text for block in blocks).total()
