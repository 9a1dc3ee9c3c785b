"""Finds the text of blocks in the document that they were read from. Pure.

    document   [Chapter 1][The Sea][He stood¹ there.][1][ He saw it.][A note.]
    blocks     “Chapter 1: The Sea”  “He stood there. He saw it.”

Reading leaves out whole elements, so whole texts between tags, and writes out a little: numbers of
lists, words for pictures. A block is found where its letters are those of consecutive texts, some
left out between them; of several such places the ones are taken that leave out least together. What
is not found so, because letters were added or a part of a text was cut out, is found by its longest
common runs of letters, between the blocks around it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice, pairwise
from operator import itemgetter

from audiomill.outputs.readalong.source_text import SourceText, letters_with_places

NOWHERE = -1
N_KEY = 8  # letters by which beginnings are looked up
N_STATES = 8  # partial alignments that are kept
N_CANDIDATES = 4  # places tried for a block in each of them
MAX_SKIPPED_TEXTS = 200  # inside a block
MAX_STEPS = 5000  # of one try; each is at a text that has letters
LONGEST_WORD = 24  # letters; what is longer has no spaces between its words
# The costs of what an alignment leaves out; only their order matters.
GAP, INNER_GAP, BACKWARDS, UNPLACED = 1.0, 0.5, 12.0, 30.0
PER_LETTER = 0.001
MAX_GAP_LETTERS = 5000

Runs = tuple[tuple[int, int, int], ...]  # (first letter of the block, of the document, how many)


@dataclass(frozen=True, slots=True)
class _State:
    """The blocks so far, of which the last ends before text `text` and letter `letter`."""

    cost: float
    text: int
    letter: int
    before: _State | None = None
    runs: Runs = ()


def aligned(source: SourceText, blocks: Sequence[str]) -> list[array[int]]:
    """For each block the character of the document for each of its characters, or NOWHERE.

    Spaces have none, and neither have signs that are not found between the same letters. The blocks
    are in the order in which they are read; no character of the document has two.
    """
    folded = [_BlockLetters(block, *letters_with_places(block)) for block in blocks]
    found = _completed(source, folded, _best(source, folded))
    return [_characters(source, one, runs) for one, runs in zip(folded, found, strict=True)]


@dataclass(frozen=True, slots=True)
class _BlockLetters:
    """A block's text, its folded letters, and which character each of them belongs to."""

    text: str
    letters: str
    places: array[int]

    @property
    def begin(self) -> int:
        """The first letter after the first word, which may be a number that was written out."""
        head = len(self.text.split(maxsplit=1)[0]) if self.letters else 0
        return bisect_left(self.places, head)


def _characters(source: SourceText, block: _BlockLetters, runs: Runs) -> array[int]:
    characters = array("q", [NOWHERE]) * len(block.text)
    for first, at, n in runs:
        for offset in range(n):
            place = block.places[first + offset]
            if characters[place] == NOWHERE:  # of “ﬁ” the first letter decides
                characters[place] = source.letter_chars[at + offset]
    _add_signs(source.chars, block.text, characters)
    return characters


def _add_signs(chars: str, text: str, characters: array[int]) -> None:
    """Find the signs of a block: next to its first and last letter, and between two others."""
    placed = [at for at, character in enumerate(characters) if character != NOWHERE]
    if not placed:
        return
    at = characters[placed[0]]
    for place in range(placed[0] - 1, -1, -1):
        if not at or chars[at - 1] != text[place]:
            break
        at -= 1
        characters[place] = NOWHERE if text[place].isspace() else at
    for before, after in pairwise(placed):
        _add_signs_between(chars, text, characters, before, after)
    at = characters[placed[-1]]
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


class _Beginnings:
    """Looks up the texts with which some letters may begin."""

    def __init__(self, source: SourceText) -> None:
        self._by_start = defaultdict[str, list[int]](list)  # up to N_KEY letters of a longer text
        self._whole = defaultdict[str, list[int]](list)  # texts of fewer letters
        letters, edges = source.letters, source.text_letters
        for text in range(len(edges) - 1):
            start = letters[edges[text] : min(edges[text + 1], edges[text] + N_KEY)]
            if len(start) < N_KEY and start:
                self._whole[start].append(text)
            for n in range(1, len(start) + 1):
                self._by_start[start[:n]].append(text)

    def of(self, letters: str) -> list[int]:
        """The texts that the letters begin with, or that begin with the letters, in order."""
        start = letters[:N_KEY]
        texts = set(self._by_start.get(start, ()))
        for n in range(1, len(start)):
            texts.update(self._whole.get(start[:n], ()))
        return sorted(texts)


def _best(source: SourceText, blocks: Sequence[_BlockLetters]) -> list[Runs]:
    """The runs of each block in the alignment of least cost; () where a block is not placed."""
    beginnings = _Beginnings(source)
    states = [_State(0.0, 0, 0)]
    for block in blocks:
        found = dict[int, _State]()
        search = _Search(source, block, beginnings)
        for state in states:
            for following in search.followers(state):
                known = found.get(following.letter)
                if known is None or following.cost < known.cost:
                    found[following.letter] = following
        states = sorted(found.values(), key=lambda state: state.cost)[:N_STATES]
    runs: list[Runs] = []
    state = states[0]
    while state.before is not None:
        runs.append(state.runs)
        state = state.before
    return runs[::-1]


class _Search:
    """Finds the places of one block, each once for all states."""

    def __init__(self, source: SourceText, block: _BlockLetters, beginnings: _Beginnings) -> None:
        self._source = source
        self._letters = block.letters
        # Where the letters begin that are looked for, and the texts that they may begin with.
        self._texts = {at: beginnings.of(block.letters[at:]) for at in {0, block.begin}}
        self._tried = dict[tuple[int, int], Runs]()

    def followers(self, state: _State) -> Iterator[_State]:
        """The states after the block: with some places from `state` on, and without a place."""
        letters, source = self._letters, self._source
        cost = UNPLACED if letters else 0.0
        yield _State(state.cost + cost, state.text, state.letter, state)
        is_inside = state.letter > source.text_letters[state.text]
        if letters and is_inside and source.letters.startswith(letters, state.letter):
            yield _after(source, state, ((0, state.letter, len(letters)),), 0)
        for n_left_out, texts in self._texts.items():
            first = bisect_left(texts, state.text)
            near = texts[first : first + N_CANDIDATES] + texts[max(0, first - 1) : first]
            for text in near:
                if runs := self._match(text, n_left_out):
                    yield _after(source, state, runs, n_left_out)

    def _match(self, text: int, n_left_out: int) -> Runs:
        """The block without its first letters, from a text on."""
        key = text, n_left_out
        if key not in self._tried:
            runs = _match(self._source, self._letters[n_left_out:], text)
            self._tried[key] = tuple((at + n_left_out, start, n) for at, start, n in runs)
        return self._tried[key]


def _after(source: SourceText, state: _State, runs: Runs, n_left_out: int) -> _State:
    start = runs[0][1]
    end = runs[-1][1] + runs[-1][2]
    gap = start - state.letter
    cost = 0.0
    if gap < 0:
        cost = BACKWARDS
    elif gap:
        cost = GAP + PER_LETTER * min(gap, MAX_GAP_LETTERS)
    n_inside = end - start - sum(n for _, _, n in runs)
    cost += INNER_GAP * (len(runs) - 1 + n_left_out) + PER_LETTER * n_inside
    if gap < 0:  # what is read later than it stands: what follows it, follows where it was
        return _State(state.cost + cost, state.text, state.letter, state, runs)
    return _State(state.cost + cost, _text_at(source, end), end, state, runs)


def _text_at(source: SourceText, letter: int) -> int:
    """The first text that ends after a letter."""
    text = bisect_left(source.text_letters, letter)  # the last edge is the end of all letters
    return text if source.text_letters[text] == letter else text - 1


def _match(source: SourceText, letters: str, first: int) -> Runs:
    """The letters of a block in texts from `first` on, of which some are left out; () if not."""
    edges, all_letters = source.text_letters, source.letters
    n_texts = len(edges) - 1
    failed = set[tuple[int, int]]()
    path: list[tuple[int, int, int]] = []  # (text, letters before it, how many of it are taken)
    text, at = first, 0
    for _ in range(MAX_STEPS):
        text = bisect_right(edges, edges[text], text) - 1  # the next one that has letters
        n_skipped = text - first - len(path)
        if at == len(letters):
            return _runs(path, edges)
        is_over = text >= n_texts or n_skipped > MAX_SKIPPED_TEXTS or (text, at) in failed
        n = 0 if is_over else min(edges[text + 1] - edges[text], len(letters) - at)
        if n and all_letters.startswith(letters[at : at + n], edges[text]):
            path.append((text, at, n))
            text, at = text + 1, at + n
        elif not is_over and (at or not n):
            text += 1
        else:
            if not path:
                break
            text, at, _ = path.pop()
            failed.add((text, at))  # it may be left out, unless it is the first
            if not at:
                break
            text += 1
    return ()


def _runs(path: Iterable[tuple[int, int, int]], edges: Sequence[int]) -> Runs:
    """The texts of a match, those joined that follow each other."""
    runs: list[tuple[int, int, int]] = []
    for text, at, n in path:
        last = runs[-1] if runs else None
        if last and last[1] + last[2] == edges[text]:
            runs[-1] = (last[0], last[1], last[2] + n)
        else:
            runs.append((at, edges[text], n))
    return tuple(runs)


def _completed(
    source: SourceText, blocks: Sequence[_BlockLetters], found: Sequence[Runs]
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
    document: str, starts: Sequence[int], block: _BlockLetters, within: tuple[int, int]
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
