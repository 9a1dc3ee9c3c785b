"""Finds the blocks of a book in the document that they were read from. Pure.

    document   [Chapter 1][The Sea][He stood¹ there.][1][ He saw it.][A note.]
    blocks     “Chapter 1: The Sea”  “He stood there. He saw it.”

Reading leaves out whole elements, so whole texts between tags, and writes out a little: numbers of
lists, words for pictures. So blocks are found by their letters (`block_search.py`). What is not
found so, because letters were added or a part of a text was cut out, is found by its longest common
runs of letters, between the blocks around it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import islice, pairwise
from operator import itemgetter

from audiomill.inputs.model.book import Block, BlockKind
from audiomill.outputs.readalong.documents.block_search import BlockLetters, Runs, best_runs
from audiomill.outputs.readalong.documents.source_text import (
    SourceElement,
    SourcePicture,
    SourceText,
    letters_with_places,
)

NOWHERE = -1
LONGEST_WORD = 24  # letters; what is longer has no spaces between its words


def aligned(source: SourceText, blocks: Sequence[str]) -> list[array[int]]:
    """For each block the character of the document for each of its characters, or NOWHERE.

    Spaces have none, and neither have signs that are not found between the same letters. The blocks
    are in the order in which they are read; no character of the document has two.
    """
    folded = [BlockLetters(block, *letters_with_places(block)) for block in blocks]
    found = _completed(source, folded, best_runs(source, folded))
    edges = _formula_edges(source)
    return [_characters(source, one, runs, edges) for one, runs in zip(folded, found, strict=True)]


def _formula_edges(source: SourceText) -> tuple[dict[int, int], dict[int, int]]:
    """The first character of each formula by the first that it prints, and the last by the last.

    A formula may begin and end with spaces, and the sign beside it is the one beside these.
    """
    firsts, lasts = dict[int, int](), dict[int, int]()
    for one in source.formulas:
        start, end = source.text_start(one.first_text), source.text_start(one.last_text)
        text = source.chars[start:end]
        if text.strip():
            firsts[end - len(text.lstrip())] = start
            lasts[start + len(text.rstrip()) - 1] = end - 1
    return firsts, lasts


def _characters(
    source: SourceText,
    block: BlockLetters,
    runs: Runs,
    edges: tuple[Mapping[int, int], Mapping[int, int]],
) -> array[int]:
    characters = array("q", [NOWHERE]) * len(block.text)
    for first, at, n in runs:
        for offset in range(n):
            place = block.places[first + offset]
            if characters[place] == NOWHERE:  # of “ﬁ” the first letter decides
                characters[place] = source.letter_chars[at + offset]
    _add_signs(source.chars, block.text, characters, *edges)
    return characters


def _add_signs(
    chars: str,
    text: str,
    characters: array[int],
    firsts: Mapping[int, int],
    lasts: Mapping[int, int],
) -> None:
    """Find the signs of a block: next to its first and last letter, and between two others.

    `firsts` and `lasts` are where formulas begin and end.
    """
    placed = [at for at, character in enumerate(characters) if character != NOWHERE]
    if not placed:
        return
    at = firsts.get(characters[placed[0]], characters[placed[0]])
    for place in range(placed[0] - 1, -1, -1):
        if not at or chars[at - 1] != text[place]:
            break
        at -= 1
        characters[place] = NOWHERE if text[place].isspace() else at
    for before, after in pairwise(placed):
        _add_signs_between(chars, text, characters, before, after)
    at = lasts.get(characters[placed[-1]], characters[placed[-1]])
    for place in range(placed[-1] + 1, len(text)):
        if at + 1 == len(chars) or chars[at + 1] != text[place]:
            break
        at += 1
        characters[place] = NOWHERE if text[place].isspace() else at


def _add_signs_between(
    chars: str, text: str, characters: array[int], before: int, after: int
) -> None:
    at, end = characters[before] + 1, characters[after]
    for place in range(before + 1, after):
        if at < end and not text[place].isspace():
            found = chars.find(text[place], at, end)
            if found >= 0:
                characters[place], at = found, found + 1


def _completed(
    source: SourceText, blocks: Sequence[BlockLetters], found: Sequence[Runs]
) -> list[Runs]:
    """The runs, with those of the blocks that have none so far, between their neighbours."""
    completed: list[Runs] = []
    at = 0
    following = _next_starts(found, len(source.letters))
    taken = sorted((run[1], run[1] + run[2]) for runs in found for run in runs)
    words = _word_starts(source.letter_chars, source.text_letters)
    for block, runs, until in zip(blocks, found, following, strict=True):
        if block.letters and not runs:
            n_window = 4 * len(block.letters) + 2000
            free = _free(at, min(until, at + n_window), taken)
            runs = tuple(_common_runs(source.letters, words, block, free))
        completed.append(runs)
        if runs:
            at = max(at, runs[-1][1] + runs[-1][2])
    return completed


def _free(start: int, end: int, taken: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The first range of letters in [start, end) that no block has."""
    for first, last in islice(taken, bisect_right(taken, start, key=itemgetter(1)), None):
        if first >= end:
            break
        if first <= start:
            start = last
        else:
            end = first
    return start, max(start, end)


def _next_starts(found: Sequence[Runs], end: int) -> list[int]:
    """For each block where the next one begins that has a place; the document's end."""
    starts = [end] * len(found)
    at = end
    for index in range(len(found) - 1, -1, -1):
        starts[index] = at
        if found[index]:
            at = min(at, found[index][0][1])
    return starts


def _word_starts(letter_chars: Sequence[int], edges: Iterable[int] = ()) -> list[int]:
    """The letters with which words begin: after other signs, or at an edge."""
    starts = {at for at in edges if at < len(letter_chars)}
    starts.update(
        at
        for at, (before, character) in enumerate(pairwise(letter_chars), 1)
        if character > before + 1
    )
    return sorted(starts | ({0} if letter_chars else set()))


def _words(letters: str, starts: Sequence[int], end: int) -> Iterator[tuple[int, str]]:
    """The words that begin at some letters, and where; a long one without spaces is cut up."""
    for start, until in pairwise((*starts, end)):
        step = until - start if until - start <= LONGEST_WORD else 1
        for at in range(start, until, step):
            yield at, letters[at : at + step]


def _common_runs(
    document: str, starts: Sequence[int], block: BlockLetters, within: tuple[int, int]
) -> Iterator[tuple[int, int, int]]:
    """The longest runs of words that a block and a part of the document have in common."""
    start, end = within
    inside = starts[bisect_left(starts, start) : bisect_left(starts, end)]
    theirs = list(_words(document, inside, end))
    own = list(_words(block.letters, _word_starts(block.places), len(block.letters)))
    matcher = SequenceMatcher(
        None, [word for _, word in own], [word for _, word in theirs], autojunk=False
    )
    for first, at, n in matcher.get_matching_blocks():
        for (own_at, word), (their_at, _) in zip(
            own[first : first + n], theirs[at : at + n], strict=True
        ):
            yield own_at, their_at, len(word)


def spoken_pictures(blocks: Iterable[Block], source: SourceText) -> list[SourceElement | None]:
    """The picture of each block of the words for one, each picture once and in order."""
    unused = list(source.pictures)
    found: list[SourceElement | None] = []
    for block in blocks:
        picture = _picture(block, source, unused) if unused else None
        if picture is not None:
            unused.remove(picture)
        found.append(picture.element if picture else None)
    return found


def _picture(
    block: Block, source: SourceText, unused: Iterable[SourcePicture]
) -> SourcePicture | None:
    """The first picture of the words of a block, which may have “Image:” before them."""
    letters = ""
    if block.kind in {BlockKind.IMAGE, BlockKind.HEADING}:
        letters = letters_with_places(block.text)[0]
    if block.kind is BlockKind.HEADING:  # it may be a picture and nothing else
        is_text = letters in source.letters
        return next((one for one in unused if one.letters == letters and not is_text), None)
    alike = (one for one in unused if letters.endswith(one.letters))
    return max(alike, key=lambda one: len(one.letters), default=None)
