"""What lexicons and the source itself say in place of the rules, as edits.

    the source     [Nguyen](/wˈɪn/) in the text, or an element with phonemes around it
    lexicons       where the source gives nothing

Phonemes take the place of the sound only: the text stays what the rules say for it, for engines
that take no phonemes, and for timings of words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from audiomill.inputs.model.book import Block
from audiomill.inputs.spoken.edits import Edit
from audiomill.inputs.spoken.grammars import spoken_line
from audiomill.inputs.spoken.lexicon import Lexicon
from audiomill.inputs.spoken.phoneme_notation import NOTATION, is_pronunciation

LEXICON = "lexicon"  # the kind of these edits
_GENITIVE = re.compile(r"['’]s(?![^\W_])")
_VOICELESS, _HISSING = tuple("ptkfθ"), tuple("szʃʒʧʤ")


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
    return tuple(_without_overlap([*by_source, *by_lexicon]))


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


def _without_overlap(edits: Sequence[Edit]) -> Iterable[Edit]:
    """The edits in the order of the text; of two that overlap, the one that was first here."""
    kept = list[Edit]()
    for edit in edits:
        if all(edit.end <= other.start or edit.start >= other.end for other in kept):
            kept.append(edit)
    return sorted(kept, key=lambda edit: edit.start)
