"""Finds the headings of a text, with their levels, and tells them from names of speakers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median_low

from audiomill.inputs.chapters.listings import line_keys
from audiomill.inputs.model.comparison import comparison_key
from audiomill.inputs.spoken.roman import roman_value
from audiomill.inputs.text.heading_wording import (
    CAPITALS,
    CHAPTER,
    LONGEST_HEADING,
    NUMBER,
    NUMBER_LINE,
    NUMERAL,
    NUMERAL_LINE,
    is_around_chapters,
    is_in_capitals,
    is_named_heading,
    is_numbered_chapter,
    possible_level,
)
from audiomill.inputs.text.paragraphs import Paragraph
from audiomill.inputs.text.titles import plays, spaced_titles

MIN_CAPITALS = 2  # fewer lines in capitals, or numerals, are not headings
MIN_COUNTED = 3  # steps of one from a numeral to the next, in a volume that does not begin with I
COUNTED_SHARE = 0.8
LEAST_BELOW_NUMBER = 300  # characters between such numbers on the average; verses have fewer
MIN_SPEECHES = 3  # a name above so many paragraphs is that of a speaker
LONGEST_SPEECH = 300  # characters below a name, in the median; chapters are longer
SPEAKERS_SHARE = 0.5  # of the lines in capitals, from which a text is a play
# Of plays, also with the number first: "Premier acte", "ESCENA II", "Erster Akt".
_OF_PLAY = re.compile(
    r"(?:the )?(?:act|scene|prologue|epilogue|acte|scène|acto|escena|cuadro|atto|scena|ato|cena"
    r"|akt|aufzug|auftritt|szene|bedrijf|tooneel|toneel|dramatis person(?:ae|æ)"
    r"|(?:list of )?(?:characters|persons)(?: (?:in|of) the play)?)\b.{0,60}"
    r"|(?:the )?\w+ (?:act|acte|acto|atto|ato|akt|aufzug|auftritt|szene|scène|bedrijf)",
    re.I,
)
_WORD = re.compile(r"[^\W\d_]{2}")


def heading_levels(
    paragraphs: Sequence[Paragraph], listed: Collection[str] = frozenset()
) -> dict[int, int]:
    """The level of each paragraph that is a heading, by its index in `paragraphs`.

    `listed` are the keys (`line_keys`) of the entries of the book's table of contents.
    """
    possible = {index: possible_level(paragraph) for index, paragraph in enumerate(paragraphs)}
    levels = {index: level for index, level in possible.items() if level}
    levels |= dict.fromkeys(_short_names(paragraphs) - levels.keys(), CAPITALS)
    spaced = spaced_titles(paragraphs)
    levels = {**dict.fromkeys(spaced, CHAPTER), **levels}
    numerals = [at for at, level in levels.items() if level == NUMERAL]
    if 2 * len(spaced.intersection(numerals)) > len(numerals):  # the first is below a title
        levels |= dict.fromkeys(numerals, CHAPTER)
    levels |= {at: CHAPTER for at in spaced if levels[at] > CHAPTER}
    levels = dict(sorted(levels.items()))
    speakers = _speakers(paragraphs, levels)
    for uncertain in (CAPITALS, NUMERAL, NUMBER):
        indices = [index for index, level in levels.items() if level == uncertain]
        are_headings = _are_headings(paragraphs, indices, uncertain)
        for index in indices:
            if not are_headings or index in speakers:
                del levels[index]
    if not any(is_numbered_chapter(paragraphs[at].text) for at in levels):
        levels = {at: CHAPTER if level == NUMBER else level for at, level in levels.items()}
    named = [at for at, level in levels.items() if level <= CHAPTER]
    has_chapters = any(at in spaced or not is_around_chapters(paragraphs[at]) for at in named)
    if named and not has_chapters:
        levels = _as_chapters(levels)
    # Below "Chapter 2" a title is its subtitle; beside titles that only stand apart it is another.
    name_themselves = any(_numbers_itself(paragraphs[at]) for at in levels)
    level = CAPITALS if name_themselves else CHAPTER
    levels = dict.fromkeys(_listed_titles(paragraphs, listed, levels), level) | levels
    for title, persons in plays(paragraphs):
        levels.pop(persons, None)
        levels[title] = CHAPTER
    return levels


def _as_chapters(levels: Mapping[int, int]) -> dict[int, int]:
    """The levels where no chapter names itself one: a preface is beside the titles, not above."""
    below = min((level for level in levels.values() if level > CHAPTER), default=CHAPTER)
    return {at: CHAPTER if level == below else level for at, level in levels.items()}


def _listed_titles(
    paragraphs: Sequence[Paragraph], listed: Collection[str], headings: Collection[int]
) -> Iterator[int]:
    """The indices of lines that are in the table of contents: "The Village", "I. The Village".

    They stand apart, or below the heading of a part, as the title of its first chapter.
    """
    for index, one in enumerate(paragraphs):
        is_apart = one.gap > 1 or index - 1 in headings
        is_line = len(one.lines) == 1 and not one.text.startswith("[")  # “[Illustration]”
        if is_apart and is_line and not line_keys(one.text).isdisjoint(listed):
            yield index


def _numbers_itself(paragraph: Paragraph) -> bool:
    """True for "Chapter 2" and "Book Two", not for "Preface"."""
    return is_named_heading(paragraph) and not is_around_chapters(paragraph)


def _short_names(paragraphs: Sequence[Paragraph]) -> frozenset[int]:
    """The indices of lines in capitals that come again and again, however short: "TOM"."""
    names = {
        index: line
        for index, paragraph in enumerate(paragraphs)
        if len(paragraph.lines) == 1
        and len(line := paragraph.text) <= LONGEST_HEADING
        and is_in_capitals(line)
        and _WORD.search(line)
    }
    counts = Counter(names.values())
    return frozenset(index for index, name in names.items() if counts[name] >= MIN_SPEECHES)


def _are_headings(paragraphs: Sequence[Paragraph], indices: Sequence[int], level: int) -> bool:
    """True if these lines are headings: there are several; numerals also count on."""
    texts = [paragraphs[index].text for index in indices]
    if len(texts) < MIN_CAPITALS or level == CAPITALS:
        return len(texts) >= MIN_CAPITALS
    if level == NUMERAL:
        numerals = (NUMERAL_LINE.match(text) for text in texts)
        return _count_on([roman_value(match[1]) or 0 for match in numerals if match], least=1)
    n_chars = sum(len(one.text) for one in paragraphs[indices[0] : indices[-1]])
    numbers = [int(match[1]) for text in texts if (match := NUMBER_LINE.match(text))]
    return n_chars >= LEAST_BELOW_NUMBER * len(numbers) and _count_on(numbers, least=None)


def _count_on(numbers: Sequence[int], least: int | None) -> bool:
    """True for numbers from `least` on, or for most of which the next one is one more."""
    n_next = sum(below - above == 1 for above, below in pairwise(numbers))
    return numbers[0] == least or n_next >= max(MIN_COUNTED, COUNTED_SHARE * (len(numbers) - 1))


def _speakers(paragraphs: Sequence[Paragraph], levels: Mapping[int, int]) -> frozenset[int]:
    """The indices of lines in capitals that are names of speakers.

    A name comes again and again, above little text: chapters named by their narrators are long.
    If most of these lines are names, the text is a play, and the few other ones are names as well,
    unless they say what begins: an act, a scene.
    """
    keys = {
        index: _name(paragraphs[index].text)
        for index, level in levels.items()
        if level == CAPITALS and not _OF_PLAY.fullmatch(paragraphs[index].text)
    }
    counts = Counter(keys.values())
    repeated = [index for index, key in keys.items() if counts[key] >= MIN_SPEECHES]
    n_chars = _n_chars_below(paragraphs, levels)
    speeches = [n_chars[index] for index in repeated if n_chars[index]]  # none in a contents table
    if speeches and median_low(speeches) > LONGEST_SPEECH:
        return frozenset()
    return frozenset(keys if len(repeated) > SPEAKERS_SHARE * len(keys) else repeated)


def _n_chars_below(paragraphs: Sequence[Paragraph], headings: Iterable[int]) -> dict[int, int]:
    """The characters between each possible heading and the next one, by its index."""
    bounds = pairwise([*sorted(headings), len(paragraphs)])
    return {
        start: sum(len(one.text) for one in paragraphs[start + 1 : end]) for start, end in bounds
    }


def _name(text: str) -> str:
    """The key of a name without what the speaker does: "NORA (laughing)." is "NORA"."""
    return comparison_key(re.split(r"[(\[,]", text)[0])
