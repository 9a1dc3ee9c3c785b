"""Searches a document for the texts of blocks, in the order in which they are read. Pure.

A block is found where its letters are those of consecutive texts between tags, some left out
between them; of several such places the ones are taken that leave out least together.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from audiomill.outputs.readalong.documents.source_text import SourceText

N_KEY = 8  # letters by which beginnings are looked up
N_STATES = 8  # partial alignments that are kept
N_CANDIDATES = 4  # places tried for a block in each of them
MAX_SKIPPED_TEXTS = 200  # inside a block
MAX_STEPS = 5000  # of one try; each is at a text that has letters
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


@dataclass(frozen=True, slots=True)
class BlockLetters:
    """A block's text, its folded letters, and which character each of them belongs to."""

    text: str
    letters: str
    places: array[int]

    @property
    def begin(self) -> int:
        """The first letter after the first word, which may be a number that was written out."""
        head = len(self.text.split(maxsplit=1)[0]) if self.letters else 0
        return bisect_left(self.places, head)


class _Beginnings:
    """Looks up the texts with which some letters may begin.

    `lettered` are the texts that have letters. Formulas have most of a book's texts, of a letter
    each: so the next one with some letter is looked up, too.
    """

    def __init__(self, source: SourceText) -> None:
        self._by_start = defaultdict[str, list[int]](list)  # up to N_KEY letters of a longer text
        self._whole = defaultdict[str, list[int]](list)  # texts of fewer letters
        self.lettered = list[int]()
        self._by_letter = defaultdict[str, list[int]](list)  # places in `lettered`
        letters, edges = source.letters, source.text_letters
        for text in range(len(edges) - 1):
            start = letters[edges[text] : min(edges[text + 1], edges[text] + N_KEY)]
            if not start:
                continue
            self._by_letter[start[0]].append(len(self.lettered))
            self.lettered.append(text)
            if len(start) < N_KEY:
                self._whole[start].append(text)
            for n in range(1, len(start) + 1):
                self._by_start[start[:n]].append(text)

    def next_place(self, letter: str, place: int) -> int:
        """The first place in `lettered`, from `place` on, of a text that begins with a letter."""
        places = self._by_letter.get(letter, ())
        index = bisect_left(places, place)
        return places[index] if index < len(places) else len(self.lettered)

    def of(self, letters: str) -> list[int]:
        """The texts that the letters begin with, or that begin with the letters, in order."""
        start = letters[:N_KEY]
        texts = set(self._by_start.get(start, ()))
        for n in range(1, len(start)):
            texts.update(self._whole.get(start[:n], ()))
        return sorted(texts)


def best_runs(source: SourceText, blocks: Sequence[BlockLetters]) -> list[Runs]:
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

    def __init__(self, source: SourceText, block: BlockLetters, beginnings: _Beginnings) -> None:
        self._source = source
        self._letters = block.letters
        self._beginnings = beginnings
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
            runs = _match(self._source, self._beginnings, self._letters[n_left_out:], text)
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
    cost += INNER_GAP * (len(runs) - 1) + PER_LETTER * n_inside
    if n_left_out:  # more than the gap before a place that has these letters
        cost += GAP + INNER_GAP * n_left_out
    if gap < 0:  # what is read later than it stands: what follows it, follows where it was
        return _State(state.cost + cost, state.text, state.letter, state, runs)
    return _State(state.cost + cost, _text_at(source, end), end, state, runs)


def _text_at(source: SourceText, letter: int) -> int:
    """The first text that ends after a letter."""
    text = bisect_left(source.text_letters, letter)  # the last edge is the end of all letters
    return text if source.text_letters[text] == letter else text - 1


def _match(source: SourceText, beginnings: _Beginnings, letters: str, first: int) -> Runs:
    """The letters of a block in texts from `first` on, of which some are left out; () if not."""
    edges, texts = source.text_letters, beginnings.lettered
    failed = set[tuple[int, int]]()
    path: list[tuple[int, int, int]] = []  # (place of a text, letters before it, how many it gives)
    place, at = bisect_left(texts, first), 0
    n_steps = MAX_STEPS
    while n_steps > 0:
        if at == len(letters):
            return _runs((edges[texts[place]], at, n) for place, at, n in path)
        end = bisect_right(texts, first + len(path) + MAX_SKIPPED_TEXTS)
        found = beginnings.next_place(letters[at], place)
        if not at and found > place:
            break
        n_steps -= max(0, min(found, end) - place) + 1  # a step for each text
        if found < end and (found, at) not in failed:
            start = edges[texts[found]]
            n = min(edges[texts[found] + 1] - start, len(letters) - at)
            place = found + 1
            if source.letters.startswith(letters[at : at + n], start):
                path.append((found, at, n))
                at += n
            elif not at:
                break
            continue
        if not path:
            break
        place, at, _ = path.pop()
        failed.add((place, at))  # it may be left out, unless it is the first
        if not at:
            break
        place += 1
    return ()


def _runs(path: Iterable[tuple[int, int, int]]) -> Runs:
    """The texts of a match, those joined that follow each other.

    Of each text `path` has its first letter, how many of the block are before it, and its length.
    """
    runs: list[tuple[int, int, int]] = []
    for start, at, n in path:
        last = runs[-1] if runs else None
        if last and last[1] + last[2] == start:
            runs[-1] = (last[0], last[1], last[2] + n)
        else:
            runs.append((at, start, n))
    return tuple(runs)
