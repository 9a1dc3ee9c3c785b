"""Finds what lexicons say for the words of a text, in one pass, however many entries there are.

    lengths of the entries by their first word     "saint" ─▶ 10, 5
    at each such word of the text                  "saint john", else "saint", is looked up

Of two entries for the same words the later one wins. Patterns are tried one by one. The capitals of
an entry tell which spellings of the text it applies to:

    entry       in the text                  not
    reading     reading, Reading, READING
    Reading     Reading, READING             reading      (a town, not what one does)
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from audiomill.inputs.spoken.lexicon_entries import LexiconEntry
from audiomill.inputs.spoken.lexicon_patterns import compiled, pattern_matches

# Scripts without spaces between words: there each character counts as a word.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORDS = rf"[^\W{_UNSPACED}]+|[{_UNSPACED}]"
_WORD = re.compile(_WORDS)
_WORD_OR_SIGN = re.compile(rf"{_WORDS}|[^\w\s]")
_INSIDE_WORD = re.compile(rf"[^\W{_UNSPACED}]|[\u0300-\u036f]")
# Characters that are alike in a lexicon and a text, each as long as the other.
_ALIKE = (("’", "'"), ("ʼ", "'"), ("‐", "-"), ("‑", "-"), ("\u00a0", " "), ("\u202f", " "))


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
