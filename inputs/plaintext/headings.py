"""Recognises the headings of a text by their wording, and tells them from names of speakers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median_low

from audiomill.inputs.chapters.listings import line_keys
from audiomill.inputs.markup.joining import NUMBER_WORDS
from audiomill.inputs.markup.text import comparison_key
from audiomill.inputs.plaintext.paragraphs import Paragraph
from audiomill.inputs.plaintext.plays import plays
from audiomill.inputs.plaintext.spacing import spaced_titles
from audiomill.inputs.spoken.roman import roman_value

PART, CHAPTER, CAPITALS, NUMERAL, NUMBER = 1, 2, 3, 4, 5  # kinds of headings, and their levels
LONGEST_HEADING = 80  # characters of a line
MOST_TITLE_LINES = 8  # of a title in capitals
MIN_CAPITALS = 2  # fewer lines in capitals, or numerals, are not headings
MIN_COUNTED = 3  # steps of one from a numeral to the next, in a volume that does not begin with I
COUNTED_SHARE = 0.8
MIN_NUMBER_GAP = 2  # blank lines above a number in digits; that of a page has fewer
LEAST_BELOW_NUMBER = 300  # characters between such numbers on the average; verses have fewer
MIN_SPEECHES = 3  # a name above so many paragraphs is that of a speaker
LONGEST_SPEECH = 300  # characters below a name, in the median; chapters are longer
SPEAKERS_SHARE = 0.5  # of the lines in capitals, from which a text is a play

_NUMBER = (
    rf"(?:\d{{1,3}}|[ivxlcdm]{{1,8}}|{NUMBER_WORDS}|(?:twen|thir|for|fif)ty(?:[- ]\w{{3,5}})?"
    r"|the (?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last)"
    r"|first|second|third|fourth|fifth|last|premi[eè]re?|dernier|primer[oa]|prim[oa]|[úu]ltim[oa])"
)
_NAMED = r"(?:[.:—–-]+\s*\S.*|\s*[.:—–-]*)"  # "Chapter 1: A Title", "Chapter 1."
# "Erster Teil", "Deuxième partie", "Segunda parte".
_ORDINAL = (
    r"[^\W\d_]{1,18}"
    r"(?:te[rs]?|ième|ière|er[oa]|nd[oa]|rt[oa]|nt[oa]|st[oa]|xt[oa]|rz[oa]|av[oa]|im[oa])"
)
_PART = re.compile(
    rf"(?:part|book|volume|teil|buch|partie|parte|libro)\s+{_NUMBER}{_NAMED}"
    rf"|{_ORDINAL}\s+(?:teil|buch|band|partie|parte|livre|libro){_NAMED}",
    re.I,
)
_CHAPTER = re.compile(
    rf"(?:chapter|canto|act|scene|letter|section|kapitel|chapitre|capítulo|capitolo|hoofdstuk)"
    rf"\s+{_NUMBER}{_NAMED}"
    rf"|{_ORDINAL}\s+(?:kapitel|chapitre|capítulo|capitolo|gesang|canto){_NAMED}",
    re.I,
)
# What stands before and after the chapters of a book.
_AROUND = re.compile(
    rf"(?:prologue|epilogue|preface|foreword|introduction|afterword|interlude|appendix"
    rf"|conclusion|postscript|prolog|epilog|vorwort|nachwort|prólogo|epílogo|prologo|epilogo)"
    rf"{_NAMED}",
    re.I,
)
_AFTER_LABEL = " .:–—-"
_LABEL = re.compile(rf"(?:the )?\w+(?: the)? {_NUMBER}[{_AFTER_LABEL}]*|\w+[{_AFTER_LABEL}]*", re.I)
# Of plays, also with the number first: "Premier acte", "ESCENA II", "Erster Akt".
_OF_PLAY = re.compile(
    r"(?:the )?(?:act|scene|prologue|epilogue|acte|scène|acto|escena|cuadro|atto|scena|ato|cena"
    r"|akt|aufzug|auftritt|szene|bedrijf|tooneel|toneel|dramatis person(?:ae|æ)"
    r"|(?:list of )?(?:characters|persons)(?: (?:in|of) the play)?)\b.{0,60}"
    r"|(?:the )?\w+ (?:act|acte|acto|atto|ato|akt|aufzug|auftritt|szene|scène|bedrijf)",
    re.I,
)
_NUMERAL = re.compile(r"([IVXLC]{1,7})\.?")
_COUNTED = re.compile(r"(?:no\. ?)?(\d{1,3})\.?", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{2}")
# Speech, an incomplete sentence, or the source of a quotation: “--LOWELL.”
_NOT_A_TITLE = re.compile(r"[\"“”„«»‘]|[!,;:…]$|^\[|^(?:--|[—–])(?!.*[—–-]$)")


def heading_levels(
    paragraphs: Sequence[Paragraph], listed: Collection[str] = frozenset()
) -> dict[int, int]:
    """The level of each paragraph that is a heading, by its index in `paragraphs`.

    `listed` are the keys (`line_keys`) of the entries of the book's table of contents.
    """
    possible = {index: _possible_level(paragraph) for index, paragraph in enumerate(paragraphs)}
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
    if not any(_CHAPTER.fullmatch(paragraphs[at].text) for at in levels):
        levels = {at: CHAPTER if level == NUMBER else level for at, level in levels.items()}
    named = [at for at, level in levels.items() if level <= CHAPTER]
    has_chapters = any(at in spaced or not _is_around(paragraphs[at]) for at in named)
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


def _is_around(paragraph: Paragraph) -> bool:
    """True for a heading of what stands before or after the chapters: "Preface"."""
    return _AROUND.fullmatch(paragraph.lines[0].strip()) is not None


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
    return is_named_heading(paragraph) and not _is_around(paragraph)


def is_named_heading(paragraph: Paragraph) -> bool:
    """True for a heading that names itself one: "Chapter 2", "Book Two", "Preface"."""
    return _possible_level(paragraph) in {PART, CHAPTER}


def names_chapter(line: str) -> bool:
    """True for a line that begins as the heading of a chapter or part does."""
    return numbers_chapter(line) or _AROUND.match(line) is not None


def numbers_chapter(line: str) -> bool:
    """True for a line that begins with the number of a chapter or part: "Chapter 2"."""
    return bool(_PART.match(line) or _CHAPTER.match(line))


def heading_text(lines: Sequence[str]) -> str:
    """The lines of a heading as one: "CHAPTER IV: OF WHAT HAPPENED AT THE INN"."""
    first, *title = (line.strip() for line in lines)
    if not title:
        return first.rstrip(":")
    if _LABEL.fullmatch(first):
        return f"{first.rstrip(_AFTER_LABEL)}: {' '.join(title)}"
    return " ".join((first, *title))


def _possible_level(paragraph: Paragraph) -> int:
    """The level of a paragraph that looks like a heading; 0 if it looks like text."""
    lines = paragraph.lines
    first = lines[0].strip()
    if _is_long_title(lines):
        return CHAPTER
    if len(lines) > 2 or any(len(line.strip()) > LONGEST_HEADING for line in lines):
        return 0
    if _PART.fullmatch(first):
        return PART
    if _CHAPTER.fullmatch(first) or _is_around(paragraph):
        return CHAPTER
    if _NUMERAL.fullmatch(first) and not any(map(_NOT_A_TITLE.search, lines[1:])):
        return NUMERAL
    if len(lines) > 1:
        return 0
    if _COUNTED.fullmatch(first):
        return NUMBER if paragraph.gap >= MIN_NUMBER_GAP else 0
    is_title = _is_in_capitals(first) and sum(map(str.isalpha, first)) > len("THE")
    return CAPITALS if is_title else 0


def _is_long_title(lines: Sequence[str]) -> bool:
    """True for a chapter's label with a title of several lines in capitals, as of old novels."""
    label, *title = lines
    is_title = 1 < len(title) < MOST_TITLE_LINES and " ".join(title).isupper()
    return is_title and _CHAPTER.fullmatch(label.strip()) is not None


def _is_in_capitals(line: str) -> bool:
    return line.isupper() and not _NOT_A_TITLE.search(line)


def _short_names(paragraphs: Sequence[Paragraph]) -> frozenset[int]:
    """The indices of lines in capitals that come again and again, however short: "TOM"."""
    names = {
        index: line
        for index, paragraph in enumerate(paragraphs)
        if len(paragraph.lines) == 1
        and len(line := paragraph.text) <= LONGEST_HEADING
        and _is_in_capitals(line)
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
        numerals = (_NUMERAL.match(text) for text in texts)
        return _count_on([roman_value(match[1]) or 0 for match in numerals if match], least=1)
    n_chars = sum(len(one.text) for one in paragraphs[indices[0] : indices[-1]])
    numbers = [int(match[1]) for text in texts if (match := _COUNTED.match(text))]
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
