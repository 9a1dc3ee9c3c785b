"""Finds what lexicons say for the words of a text, in one pass, and makes edits of it.

    lengths of the entries by their first word     "saint" ─▶ 10, 5
    at each such word of the text                  "saint john", else "saint", is looked up

Of two entries for the same words the later one wins. Patterns are tried one by one. The capitals of
an entry tell which spellings of the text it applies to:

    entry       in the text                  not
    reading     reading, Reading, READING
    Reading     Reading, READING             reading      (a town, not what one does)

What lexicons and the source itself say in place of the rules, as edits.

    the source     [Nguyen](/wˈɪn/) in the text, or an element with phonemes around it
    lexicons       where the source gives nothing

Phonemes take the place of the sound only: the text stays what the rules say for it, for engines
that take no phonemes, and for timings of words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from audiomill.inputs.languages.grammars import spoken_line
from audiomill.inputs.lexicons.entries import NOTATION, compiled, is_pronunciation, pattern_matches
from audiomill.inputs.model.book import Block
from audiomill.inputs.model.lexicon_entry import LexiconEntry
from audiomill.inputs.spoken.edits import Edit

# Scripts without spaces between words: there each character counts as a word.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORDS = rf"[^\W{_UNSPACED}]+|[{_UNSPACED}]"
_WORD = re.compile(_WORDS)
_WORD_OR_SIGN = re.compile(rf"{_WORDS}|[^\w\s]")
_INSIDE_WORD = re.compile(rf"[^\W{_UNSPACED}]|[\u0300-\u036f]")
# Characters that are alike in a lexicon and a text, each as long as the other.
_ALIKE = (("’", "'"), ("ʼ", "'"), ("‐", "-"), ("‑", "-"), ("\u00a0", " "), ("\u202f", " "))
LEXICON = "lexicon"  # the kind of these edits
_GENITIVE = re.compile(r"['’]s(?![^\W_])")
_VOICELESS, _HISSING = tuple("ptkfθ"), tuple("szʃʒʧʤ")


@dataclass(frozen=True, slots=True)
class LexiconMatch:
    """Characters [start, end) of a text are said as `say`, or by the entry's phonemes."""

    start: int
    end: int
    say: str
    entry: LexiconEntry


class Lexicon:
    """Entries in order, compiled: the later ones win."""

    def __init__(self, entries: Sequence[LexiconEntry] = ()) -> None:
        """Raises LexiconError for a pattern that is none."""
        self._patterns = [entry for entry in entries if entry.is_pattern]
        for entry in self._patterns:
            compiled(entry)
        numbered = enumerate(entries if self._patterns else ())
        self._ranks = {entry: number for number, entry in numbered}
        # By the word or phrase, in small letters; the last entry is the strongest.
        self._by_words: dict[str, list[LexiconEntry]] = {}
        self._lengths: dict[str, tuple[int, ...]] = {}  # by the first word; the longest first
        words = [entry for entry in entries if not entry.is_pattern]
        begin_with_sign = [self._add(entry) for entry in words]
        self._word = _WORD_OR_SIGN if any(begin_with_sign) else _WORD
        self.is_empty = not entries

    def _add(self, entry: LexiconEntry) -> bool:
        """Add an entry; True if it begins with a sign, such as .NET."""
        first = ""
        for form in _normal_forms(entry.written):
            small = folded(form)
            found = _WORD_OR_SIGN.match(small)
            first = found[0] if found else ""
            self._by_words.setdefault(small, []).append(entry)
            lengths = self._lengths.get(first, ())
            if len(small) not in lengths:
                self._lengths[first] = tuple(sorted((*lengths, len(small)), reverse=True))
        return not _WORD.match(first)

    def matches(self, text: str, language: str) -> list[LexiconMatch]:
        """What is said for which characters of `text`, in order, without overlap.

        Raises LexiconError for a pattern that takes too long.
        """
        if self.is_empty:
            return []
        found = [*self._words_in(text, language)]
        if self._patterns:
            found += self._patterns_in(text, language)
            # The first, of those the longest, of those the last.
            found.sort(key=lambda one: (one.start, -one.end, -self._ranks[one.entry]))
        return [*_without_overlap(found)]

    def _words_in(self, text: str, language: str) -> Iterator[LexiconMatch]:
        small, end = folded(text), 0
        for word in self._word.finditer(small):
            lengths = self._lengths.get(word[0])
            if lengths and word.start() >= end:
                match = self._longest(lengths, text, small, word.start(), language)
                if match:
                    end = match.end
                    yield match

    def _longest(
        self, lengths: Sequence[int], text: str, small: str, start: int, language: str
    ) -> LexiconMatch | None:
        """The longest entry that the text has at `start`; of several the last."""
        for length in lengths:
            end = start + length
            if end > len(text):
                continue
            for entry in reversed(self._by_words.get(small[start:end], ())):
                if is_for(entry, language) and _applies(entry, text, start, end):
                    return LexiconMatch(start, end, entry.say, entry)
        return None

    def _patterns_in(self, text: str, language: str) -> Iterator[LexiconMatch]:
        for entry in self._patterns:
            if is_for(entry, language):
                for start, end, say in pattern_matches(entry, text):
                    if entry.phonemes or say.strip():
                        yield LexiconMatch(start, end, say, entry)


def is_for(entry: LexiconEntry, language: str) -> bool:
    """Whether an entry is for text in `language`: "en" is for en-GB too (RFC 4647, 3.3.1)."""
    wanted, tag = entry.language.lower(), language.lower()
    return not wanted or tag == wanted or tag.startswith(f"{wanted}-")


def _normal_forms(text: str) -> Iterable[str]:
    """The text with letters and their accents as one character each, and as several."""
    if text.isascii():
        return (text,)
    return {unicodedata.normalize(name, text) for name in ("NFC", "NFD")}


def _applies(entry: LexiconEntry, text: str, start: int, end: int) -> bool:
    """Whether the entry fits the capitals at [start, end), and no word goes on there."""
    if _INSIDE_WORD.match(text, end) and _INSIDE_WORD.match(text[end - 1]):
        return False
    form = unicodedata.normalize("NFC", entry.written)
    found = unicodedata.normalize("NFC", text[start:end])
    return fits_case(form, found, case_sensitive=entry.case_sensitive)


def _without_overlap(found: Sequence[LexiconMatch]) -> Iterator[LexiconMatch]:
    end = 0
    for match in found:
        if match.start >= end:
            end = match.end
            yield match


def unified(text: str) -> str:
    """The text with one kind of apostrophe, hyphen and space; of the same length."""
    for other, plain in _ALIKE:
        text = text.replace(other, plain)
    return text


def folded(text: str) -> str:
    """The unified text in small letters, of the same length: İ stays, as it would become two."""
    small = text.lower()
    if len(small) != len(text):
        small = "".join(
            lowered if len(lowered := character.lower()) == 1 else character for character in text
        )
    return unified(small)


def fits_case(written: str, found: str, *, case_sensitive: bool | None) -> bool:
    """Whether an entry for `written` applies to `found`, which folds to the same text."""
    if case_sensitive is False:
        return True
    if case_sensitive:
        return unified(found) == unified(written)
    if len(found) > 1 and found.isupper():
        return True
    return all(
        there == character
        for character, there in zip(written, found, strict=False)
        if character.isupper()
    )


def override_edits(
    text: str, language: str, lexicon: Lexicon, block: Block, at: int = 0
) -> tuple[Edit, ...]:
    """The edits of a line of `block`, which begins at character `at`; in order, without overlap.

    Raises LexiconError for a pattern that takes too long.
    """
    if lexicon.is_empty and not block.pronunciations and "](/" not in text:
        return ()
    by_source = [*_by_source(text, language, block, at)]
    by_lexicon = [*_by_lexicon(text, language, lexicon)]
    if not by_source:
        return tuple(by_lexicon)
    return tuple(_first_of_overlapping([*by_source, *by_lexicon]))


def _by_source(text: str, language: str, block: Block, at: int) -> Iterator[Edit]:
    for one in block.pronunciations:
        start, end = one.start - at, one.end - at
        if 0 <= start < end <= len(text):
            yield _pronounced(text, start, end, text[start:end], one.phonemes, language)
    if "](/" in text:
        for match in NOTATION.finditer(text):
            if is_pronunciation(match[2]):
                yield _pronounced(text, match.start(), match.end(), match[1], match[2], language)


def _by_lexicon(text: str, language: str, lexicon: Lexicon) -> Iterator[Edit]:
    for match in lexicon.matches(text, language):
        start, end, phonemes = match.start, match.end, match.entry.phonemes
        if phonemes:
            yield _with_genitive(
                _pronounced(text, start, end, text[start:end], phonemes, language), text, language
            )
        else:
            yield Edit(start, end, match.say, LEXICON)


def _pronounced(
    text: str, start: int, end: int, written: str, phonemes: str, language: str
) -> Edit:
    """The edit that says [start, end) by phonemes, and its words as the rules say them."""
    spoken = spoken_line(written, language).between(0, len(written))
    return Edit(start, end, spoken or text[start:end], LEXICON, " ".join(phonemes.split()))


def _with_genitive(edit: Edit, text: str, language: str) -> Edit:
    """The edit with an English 's, whose sound depends on the one before: a lexicon lacks it."""
    genitive = _GENITIVE.match(text, edit.end)
    if genitive is None or language.partition("-")[0].lower() != "en":
        return edit
    last = edit.phonemes.rstrip("ˈˌː")
    sound = "ᵻz" if last.endswith(_HISSING) else "s" if last.endswith(_VOICELESS) else "z"
    spoken, phonemes = edit.spoken + genitive[0], edit.phonemes + sound
    return Edit(edit.start, genitive.end(), spoken, edit.kind, phonemes)


def _first_of_overlapping(edits: Sequence[Edit]) -> Iterable[Edit]:
    """The edits in the order of the text; of two that overlap, the one that was first here."""
    kept = list[Edit]()
    for edit in edits:
        if all(edit.end <= other.start or edit.start >= other.end for other in kept):
            kept.append(edit)
    return sorted(kept, key=lambda edit: edit.start)
