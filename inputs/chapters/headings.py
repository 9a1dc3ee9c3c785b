"""Tells which headings begin one chapter together, and which lines are the title of the book.

Headings of chapters:

# EVERY GIRL A BUSINESS WOMAN         no text between them: one chapter,
# A Practical Guide                   “EVERY GIRL A BUSINESS WOMAN: A Practical Guide”

# THE END                             begins none

# INDEX                               its list is left out: nothing is below it

The title of a book, where it is set in several lines:

    <h1>CONTRIBUTION</h1> <h2>to</h2> <h2>FOLK-LORE</h2>    "Contribution to Folk-Lore"
    ADVENTURES / OF / THE MILLER / (A Tale) / By Ann Ode    "Adventures of the Miller"
    THE MILLER / or / THE LONG ROAD / by / ANN ODE          "The Miller, 1653"
    ANN ODE ON MILLS / A Treatise / by / BO LI, M.A.        "Mills", whose translator is Bo Li

Such lines are one title page, whatever their levels, and begin no chapters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import reduce
from itertools import accumulate, takewhile, zip_longest

from audiomill.inputs.chapters.listings import list_reason
from audiomill.inputs.markup.joining import is_label, with_label
from audiomill.inputs.model.book import Block, BlockKind, SkipReason
from audiomill.inputs.model.comparison import comparison_key
from audiomill.inputs.segmentation.lengths import is_speakable

_NOTES = frozenset(
    (
        *("footnotes", "endnotes", "notes", "fußnoten", "anmerkungen", "notes de bas de page"),
        *("voetnoten", "note", "notas", "notas al pie", "notas de rodapé"),
    )
)
PART = re.compile(r"(?:part|book|volume|teil|buch|band|partie|livre|parte|libro)\b", re.IGNORECASE)
LONGEST_TITLE_PAGE = 300  # characters of text above the first chapter
MOST_TITLES = 3  # of one chapter; the first one alone names it where more stand in a row
_END = re.compile(
    r"\W*(?:the end|finis|fin|fine|ende|einde|fim|slut|(?:the )?end of .{1,40})\W*", re.IGNORECASE
)
MOST_LINES = 12  # of a title, and of what is told below it
MOST_ABOVE = 3  # lines above a title: of a series, of the author
MOST_BLOCKS = 40  # of a book in which they are looked for
LONGEST_LINE = 120  # characters
LONGEST_ABOVE = 300  # characters of the lines above a title
LONGEST_TITLE = 300  # characters that are compared; a longer title is in no lines
LONGEST_REST = 300  # characters of a title page below the name of the author
_WITHOUT_SUBTITLE = 0.95  # the likeness of a title to itself without its subtitle
_NEARLY = 0.9  # the least likeness of a title

_ARTICLE = re.compile(r"(?:the|an?|der|die|das|les?|la|il|el|los|las|os?)\s+(?=\w)", re.IGNORECASE)
_SUBTITLE = re.compile(
    r"\s*[:;(\[]|,\s+(?:or\b|by\b|complete|illustrated|vol(?:ume|\.)|part\b|\d)", re.IGNORECASE
)
_JOINT = re.compile(r"(?:or|oder|ou|o)[,;:]?", re.IGNORECASE)  # between two titles of a book
_BY_ALONE = re.compile(r"(?:written |edited |translated )?by|von|par|di|por|de", re.IGNORECASE)
_BY = re.compile(rf"(?:{_BY_ALONE.pattern})\s+\S.*", re.IGNORECASE)
_DEGREES = re.compile(r"(?:,\s*(?:[A-Z][A-Za-z]{0,3}\.\s?)+)+$")  # "Bo Li, M.A., Ph.D."
_LONGEST_BETWEEN = 3  # letters between an author and a title: "Ann Ode on Mills", "Ode's Mills"
_IN_BRACKETS = re.compile(r"\([^()]+\)[.,]?|\[[^\[\]]+\][.,]?")


def reference_reason(heading: str) -> SkipReason | None:
    """Why what stands below a heading may be left out: notes, or a list; None for a text."""
    is_notes = heading.strip(" .:_[]").lower() in _NOTES
    return SkipReason.NOTE if is_notes else list_reason(heading)


def empty_titles(blocks: Sequence[Block]) -> Iterator[tuple[int, SkipReason]]:
    """(index, reason) of each title of notes or a list below which the next chapter begins."""
    spoken = [at for at, block in enumerate(blocks) if is_speakable(block.text)]
    for at, below in zip_longest(spoken, spoken[1:]):
        block, next_one = blocks[at], blocks[below] if below is not None else None
        is_empty = next_one is None or (
            next_one.kind is BlockKind.HEADING and next_one.level <= block.level
        )
        if block.kind is BlockKind.HEADING and is_empty:
            reason = reference_reason(blocks[at].text)
            if reason is not None:
                yield at, reason


def is_end(heading: Block) -> bool:
    """True for "THE END" and its like."""
    return _END.fullmatch(heading.text) is not None


def grouped_starts(blocks: Sequence[Block], starts: Sequence[int]) -> list[list[int]]:
    """The headings at `starts`, in groups that begin one chapter each.

    Such headings have one level, and no text between them. Those of the title page stay alone.
    """
    groups = list[list[int]]()
    n_chars, at_start = 0, 0
    for at in starts:
        n_chars += sum(len(b.text) for b in blocks[at_start:at] if b.kind is not BlockKind.HEADING)
        at_start = at
        above = groups[-1][-1] if groups and n_chars > LONGEST_TITLE_PAGE else None
        if above is not None and _belong_together(blocks, above, at):
            groups[-1].append(at)
        else:
            groups.append([at])
    return groups


def title_of(blocks: Sequence[Block], group: Sequence[int], book_title: str) -> str:
    """The title of the chapter that the headings of `group` begin."""
    texts = [blocks[at].text for at in group]
    book_key = comparison_key(book_title)
    if len(texts) > 1 and comparison_key(" ".join(texts)) == book_key != "":
        return book_title
    texts = [text for text in texts if comparison_key(text) != book_key] or texts
    return reduce(with_label, texts) if len(texts) <= MOST_TITLES else texts[0]


def has_other_text(blocks: Sequence[Block]) -> bool:
    """True if `blocks` has text that can be spoken, besides headings."""
    return any(b.kind is not BlockKind.HEADING and is_speakable(b.text) for b in blocks)


def _belong_together(blocks: Sequence[Block], above: int, below: int) -> bool:
    """True for headings of one level without text between them.

    "Act I" and "Act II" are two, and so is what heads a part, notes or a list. Those are told apart
    later.
    """
    first, second = blocks[above], blocks[below]
    if first.level != second.level or has_other_text(blocks[above:below]):
        return False
    if PART.match(first.text) or reference_reason(first.text) or reference_reason(second.text):
        return False
    words = {one.text.split()[0].lower() for one in (first, second) if is_label(one.text)}
    return len(words) != 1 or not (is_label(first.text) and is_label(second.text))


def count_title_lines(lines: Sequence[str], title: str) -> int:
    """The number of lines at the beginning that together are the title; 0 if one line alone is."""
    n_lines = _count_lines(lines, title)
    n_with_words = sum(bool(comparison_key(line)) for line in lines[:n_lines])
    return n_lines if n_with_words > 1 else 0


def _count_lines(lines: Sequence[str], title: str) -> int:
    """The number of lines at the beginning that together, or alone, are the title."""
    first = [*lines[:MOST_LINES]] if len(title) <= LONGEST_TITLE else []
    n_short = next((n for n, line in enumerate(first) if len(line) > LONGEST_LINE), len(first))
    joined = accumulate(first[:n_short], lambda above, line: f"{above} {line}")
    scores = {n: _likeness(text, title) for n, text in enumerate(joined, 1)}
    n_lines = max(scores, key=scores.__getitem__, default=0)
    return n_lines if n_lines and scores[n_lines] >= _NEARLY else 0


def title_page_span(blocks: Sequence[Block], title: str, authors: Sequence[str] = ()) -> range:
    """The blocks at the front that are a title in several lines and its author; may be empty.

    Where the `authors` are known, and translators among them, a line with one of them ends the
    page, whatever is told above it. A half title may be above: then the title is there twice.
    """
    first = _span(blocks, title, authors)
    again = _span(blocks[first.stop :], title, authors) if first else first
    return range(first.start, first.stop + again.stop)


def _span(blocks: Sequence[Block], title: str, authors: Sequence[str]) -> range:
    """The first lines of `title_page_span`."""
    places = [at for at, one in enumerate(blocks[:MOST_BLOCKS]) if comparison_key(one.text)]
    front = [blocks[at] for at in places]
    lines = [block.text.strip() for block in front]
    for start in range(min(MOST_ABOVE + 1, len(lines))):
        n_lines = _count_lines(lines[start:], title) or _names_both(lines[start], title, authors)
        end = _end_of_page(front, start + n_lines) if n_lines else start
        if n_lines and authors:
            end = max(end, _author_end(front, start + n_lines, authors))
        if end > start + 1 and len(" ".join(lines[:start])) <= LONGEST_ABOVE:
            return range(places[start], places[end - 1] + 1)
    return range(0)


def _names_both(line: str, title: str, authors: Sequence[str]) -> bool:
    """True for a line with an author and the title: "Ann Ode on Mills"."""
    key, wanted = comparison_key(line[:LONGEST_LINE]), comparison_key(title)
    names = {comparison_key(name) for name in authors} - {""}
    n_between = (len(key) - len(wanted) - len(name) for name in names if key.startswith(name))
    is_near = any(0 <= n <= _LONGEST_BETWEEN for n in n_between)
    return bool(wanted) and key.endswith(wanted) and is_near


def _likeness(text: str, title: str) -> float:
    """1 if the text is the title, a little less if a subtitle or an article is missing."""
    key, wanted = comparison_key(text), comparison_key(title)
    if not wanted or key == wanted:
        return float(bool(wanted))
    if _main_key(text) == _main_key(title) != "":
        return _WITHOUT_SUBTITLE
    return _WITHOUT_SUBTITLE * SequenceMatcher(None, key[:LONGEST_TITLE], wanted).ratio()


def _main_key(title: str) -> str:
    """The key of a title without its article and its subtitle."""
    return comparison_key(_SUBTITLE.split(_ARTICLE.sub("", title, count=1), maxsplit=1)[0])


def _end_of_page(blocks: Sequence[Block], end: int) -> int:
    """The end of a title page, whose title ends at `end`, with the author and words in brackets."""
    while end < len(blocks) and _is_of_title_page(blocks, end):
        end += 1
    return end


def _author_end(blocks: Sequence[Block], start: int, authors: Sequence[str]) -> int:
    """The end of the lines from `start` on that end with the name of an author; `start` if none.

    Without a known name, one below a line that only says "by" is that of an author, unless text
    follows: then it is that of a story in a collection, or "by" is a word of the text.
    """
    lines = [block.text.strip() for block in blocks[start : start + MOST_LINES]]
    names = {comparison_key(name.partition("(")[0]) for name in authors} - {""}
    page = [*takewhile(lambda line: len(line) <= LONGEST_LINE, lines)]
    for at, line in enumerate(page, start):
        name = _BY_ALONE.sub("", line, count=1) if _BY.fullmatch(line) else line
        if comparison_key(_DEGREES.sub("", name)) in names:
            return at + 1
    alone = (at for at, line in enumerate(page[:-1], start) if _BY_ALONE.fullmatch(line))
    return next((at + 2 for at in alone if not _has_text_below(blocks, at + 1)), start)


def awaits_name(blocks: Sequence[Block]) -> bool:
    """True for a title page, or the head of a story, whose last line only says "by"."""
    return len(blocks) > 1 and _BY_ALONE.fullmatch(blocks[-1].text.strip()) is not None


def _is_of_title_page(blocks: Sequence[Block], at: int) -> bool:
    """True for a block of a title page: "By Ann Ode", "by", the name below it, "(A Story)"."""
    text = blocks[at].text.strip()
    lines = [one.text.strip() for one in blocks[at - 1 : at + 1]]
    if any(_BY_ALONE.fullmatch(one) or _JOINT.fullmatch(one) for one in lines):
        return len(text) <= LONGEST_LINE
    is_marked = bool(_BY.fullmatch(text) or _IN_BRACKETS.fullmatch(text))
    return is_marked and not _has_text_below(blocks, at)


def _has_text_below(blocks: Sequence[Block], at: int) -> bool:
    """True if more text follows than a title page has: the block begins a chapter."""
    n_chars = len(blocks[at].text)
    for block in blocks[at + 1 :]:
        if block.kind is BlockKind.HEADING or n_chars > LONGEST_REST:
            break
        n_chars += len(block.text)
    return n_chars > LONGEST_REST
