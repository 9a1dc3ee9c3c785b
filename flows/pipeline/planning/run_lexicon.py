"""The lexicon of a run, and whether its engine has the phonemes in it.

    the book's own (PLS of an EPUB)     weakest
    lexicon.toml of the user            in the configuration folder
    the setting `lexicons`              in its order
    BOOK.lexicon.toml, .csv, .pls       beside the book; strongest

A phoneme that the engine does not have is an error in a file of the user, and a warning elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from audiomill.inputs.lexicons.entries import LexiconError
from audiomill.inputs.lexicons.lexicon import Lexicon
from audiomill.inputs.model.book import Book, Manuscript
from audiomill.inputs.model.lexicon_entry import LexiconEntry
from audiomill.renderers.engine.errors import UnknownPhoneme
from audiomill.renderers.engine.protocol import Renderer

MAX_EXAMPLES = 5  # of words, in a warning


@dataclass(frozen=True, slots=True)
class RunLexicon:
    """The spoken form of words in a run, and warnings for its report."""

    lexicon: Lexicon
    warnings: tuple[str, ...]


def combine_lexicons(
    book: Book,
    users: Sequence[LexiconEntry],
    renderer: Renderer,
    voice_for: Callable[[str], str],
) -> RunLexicon:
    """The book's lexicon and those of the user, which win.

    Raises LexiconError for a phoneme of the user's that the engine does not have.
    """
    for fault in _unknown(users, book.language, renderer, voice_for):
        raise LexiconError(f"{fault.entry.where}: {fault.message}")
    faults = [*_unknown(book.lexicon, book.language, renderer, voice_for)]
    unusable = {fault.entry for fault in faults}
    of_book = (entry for entry in book.lexicon if entry not in unusable)
    warnings = ()
    if faults:
        first = f"{faults[0].entry.where}: {faults[0].message}"
        warnings = (
            f"{len(faults)} entries of the book's lexicon are not used. The first: {first}",
        )
    return RunLexicon(Lexicon((*of_book, *users)), warnings)


def unread_phonemes(manuscript: Manuscript, renderer: Renderer) -> Iterator[str]:
    """Warnings of words whose phonemes the engine does not take: it says them as it sees fit."""
    given = {
        (segment.spoken[one.start : one.end], one.phonemes, segment.voice)
        for segment in manuscript.segments
        for one in segment.pronunciations
    }
    unread = sorted({word for word, *sound in given if not _is_taken(renderer, *sound)})
    if unread:
        examples = ", ".join(unread[:MAX_EXAMPLES])
        more = ", …" if len(unread) > MAX_EXAMPLES else ""
        yield (
            f"{renderer.name} does not take the phonemes that are given for {len(unread)} words,"
            f" and says them by their spelling: {examples}{more}."
        )


def _is_taken(renderer: Renderer, phonemes: str, voice: str) -> bool:
    try:
        return bool(renderer.own_phonemes(phonemes, voice))
    except UnknownPhoneme:
        return False


@dataclass(frozen=True, slots=True)
class _Fault:
    entry: LexiconEntry
    message: str


def _unknown(
    entries: Iterable[LexiconEntry],
    language: str,
    renderer: Renderer,
    voice_for: Callable[[str], str],
) -> Iterator[_Fault]:
    """The entries with phonemes that the engine does not have.

    Of a long lexicon, only those are looked at whole that have an unusual sign.
    """
    by_language: dict[str, list[LexiconEntry]] = {}
    for entry in entries:
        if entry.phonemes:
            by_language.setdefault(entry.language or language, []).append(entry)
    for tag, group in by_language.items():
        voice = voice_for(tag)
        signs = set[str]().union(*(entry.phonemes for entry in group))
        unusual = {sign for sign in signs if not _is_known(sign, voice, renderer)}
        for entry in group if unusual else ():
            if not unusual.isdisjoint(entry.phonemes):
                yield from _fault(entry, voice, renderer)


def _is_known(sign: str, voice: str, renderer: Renderer) -> bool:
    try:
        renderer.own_phonemes(sign, voice)
    except UnknownPhoneme:
        return False
    return True


def _fault(entry: LexiconEntry, voice: str, renderer: Renderer) -> Iterator[_Fault]:
    try:
        renderer.own_phonemes(entry.phonemes, voice)
    except UnknownPhoneme as error:
        yield _Fault(
            entry,
            f"{renderer.name} has no phoneme “{error}”, which is in /{entry.phonemes}/ for"
            f" “{entry.written}”.",
        )
