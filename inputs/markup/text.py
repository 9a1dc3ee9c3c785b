"""Runs of characters to the text of blocks: spaces, lines, verse, scene breaks; no elements.

The walker marks what it met inside a run with noncharacters, which no document may hold:

    CELL and ROW   the end of a table's cell and row
    ANCHOR         a place that a link can reach; counted here and taken out
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from audiomill.inputs.book import BlockKind

CELL, ROW, ANCHOR = "\ufdd0", "\ufdd1", "\ufdd2"

VERSE_LINE_CHARS = 50  # prose that was wrapped by hand runs to 60 or 70
PARAGRAPH_LINE_CHARS = 100  # lines longer than this, set off by <br>, are paragraphs
SCENE_BREAK_CHARS = 40

# Never seen and never heard: soft hyphen, zero-width space, word joiner, byte order mark, marks
# of direction, and our own marks. Joiners (U+200C, U+200D) stay: they change letters and emoji.
INVISIBLE = (
    "\u00ad\u200b\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    + CELL
    + ROW
    + ANCHOR
)
_SPACES = "".join(chr(code) for code in range(0x3001) if chr(code).isspace()) + "\u2800"
_CONTROLS = "".join(chr(code) for code in [*range(0x20), *range(0x7F, 0xA0)])
_PROSE = {ord(c): " " for c in _SPACES + _CONTROLS} | {ord(c): None for c in INVISIBLE}
_CODE = {key: value for key, value in _PROSE.items() if chr(key) not in "\n\t"}

_STRONG = "*⁂⁎∗✱✳★☆✦✧✶✻❋❊❉·•●○◦∙⋅~∼#§❦❧☙❖◆◇◊▪■□✵✷✸✺✽✿❀◈※☼"
_WEAK = "-‐–—―_=+/|\\^:;,'`’‘.…"  # a scene break only in the company of a strong one, or in threes
_BREAK = re.compile(rf"(?:[{re.escape(_STRONG)}{re.escape(_WEAK)}\s]*)$")
_RULE = re.compile(r"(?:([-‐–—―_=+~])\s*)(?:\1\s*){2,}$")
# A heading's first line that is only a label, so that its name should follow after a pause.
_LABEL = re.compile(
    r"(?:(?:chapter|part|book|volume|section|act|scene|canto|letter|kapitel|chapitre|capítulo)\b"
    r".{0,16}|\d{1,4}|[ivxlcdm]{1,9})[.:]?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class TextRun:
    """The text of one block and how many anchors came at or before its end."""

    kind: BlockKind
    text: str
    n_anchors: int = 0


def clean(text: str, kind: BlockKind) -> str:
    """Text without invisible characters, every kind of space as " " (code keeps its lines)."""
    return text.translate(_CODE if kind is BlockKind.CODE else _PROSE)


def squeeze(text: str) -> str:
    """Text as `Block` promises it: single spaces, none at the ends."""
    return " ".join(clean(text, BlockKind.PARAGRAPH).split())


def comparison_key(text: str) -> str:
    """A text without what differs between a heading and its line in a table of contents."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text)).casefold()


def is_scene_break(text: str) -> bool:
    """True for "* * *", "⁂", "· · ·", "———" and other lines of ornament."""
    if not text or len(text) > SCENE_BREAK_CHARS or not _BREAK.match(text):
        return False
    return any(character in _STRONG for character in text) or bool(_RULE.match(text))


def text_runs(run: str, kind: BlockKind) -> Iterator[TextRun]:
    """Cut a run of characters, `kind` as its elements have it, into the texts of blocks.

    Anchors that nothing follows come last in a piece whose text is empty.
    """
    waiting = 0
    for shape, text in _shapes(run, kind):
        waiting += text.count(ANCHOR)
        bare = text.replace(ANCHOR, "")
        if kind is not BlockKind.CODE:  # an anchor between two spaces leaves two
            bare = "\n".join(" ".join(line.split()) for line in bare.split("\n"))
        if bare:
            yield TextRun(shape, bare, waiting)
            waiting = 0
    if waiting:
        yield TextRun(kind, "", waiting)


def _shapes(run: str, kind: BlockKind) -> Iterator[tuple[BlockKind, str]]:
    if kind is BlockKind.CODE:
        lines = [line.rstrip() for line in run.split("\n")]
        yield kind, "\n".join(lines).strip("\n")
    elif kind is BlockKind.TABLE:
        yield kind, _table(run)
    else:
        for group in _groups(run):
            yield from _prose(group, kind)


def _table(run: str) -> str:
    rows = ("; ".join(_filled(row.split(CELL))) for row in run.split(ROW))
    return "\n".join(row for row in rows if row)


def _filled(texts: list[str]) -> list[str]:
    """The texts that hold something, squeezed; a lone anchor sticks to its neighbour."""
    filled: list[str] = []
    marks = ""
    for text in (" ".join(text.split()) for text in texts):
        if text.replace(ANCHOR, "").strip():
            filled.append(marks + text)
            marks = ""
        else:
            marks += ANCHOR * text.count(ANCHOR)
    return [*filled[:-1], filled[-1] + marks] if filled else [marks] if marks else []


def _groups(run: str) -> Iterator[list[str]]:
    """Lines, parted where a line is empty: that is how old books set paragraphs with <br>."""
    group: list[str] = []
    for line in (" ".join(line.split()) for line in run.split("\n")):
        if line.replace(ANCHOR, ""):
            group.append(line)
        else:
            yield group
            yield [line]  # anchors, at most
            group = []
    if group:
        yield group


def _prose(lines: list[str], kind: BlockKind) -> Iterator[tuple[BlockKind, str]]:
    joined = " ".join(lines)
    if not joined.replace(ANCHOR, ""):
        yield kind, joined
        return
    bare = [line.replace(ANCHOR, "") for line in lines]
    n_chars = sum(map(len, bare)) / len(bare)
    if kind is not BlockKind.LIST_ITEM and is_scene_break(" ".join(bare).strip()):
        yield BlockKind.SCENE_BREAK, joined
    elif kind is BlockKind.VERSE:
        yield kind, "\n".join(lines)
    elif kind is BlockKind.HEADING and len(lines) > 1 and _LABEL.match(bare[0]):
        yield kind, lines[0]
        yield kind, " ".join(lines[1:])
    elif kind in {BlockKind.PARAGRAPH, BlockKind.QUOTE} and len(lines) > 1:
        if n_chars <= VERSE_LINE_CHARS:
            yield BlockKind.VERSE, "\n".join(lines)
        elif n_chars > PARAGRAPH_LINE_CHARS:
            yield from ((kind, line) for line in lines)
        else:
            yield kind, joined
    else:
        yield kind, joined
