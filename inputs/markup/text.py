"""Cuts runs of characters into the texts of blocks: spaces, lines, verse, scene breaks.

`blocks.py` marks positions inside a run with noncharacters, which no document may contain:

    CELL and ROW     the end of a table's cell and row
    HEADER and SPAN  the cell is a header, or spans others; removed here
    ANCHOR           the target of a link; counted and removed here
    BEGIN and END    words that an element says something about; they stay, see `marked_words.py`

Knows nothing of elements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from audiomill.inputs.markup.joining import is_label, with_label
from audiomill.inputs.markup.marked_words import BEGIN, END, without_marks
from audiomill.inputs.model.book import BlockKind

CELL, ROW, ANCHOR, HEADER, SPAN = "\ufdd0", "\ufdd1", "\ufdd2", "\ufdd3", "\ufdd4"

VERSE_LINE_CHARS = 50  # prose that is wrapped by hand has 60 or 70
PARAGRAPH_LINE_CHARS = 100  # longer lines between <br> are paragraphs
SCENE_BREAK_CHARS = 40  # the longest ornament

# Neither printed nor spoken: soft hyphen, zero-width space, word joiner, byte order mark, marks
# of direction, and the marks above. Joiners (U+200C, U+200D) stay: they change letters and emoji.
INVISIBLE = (
    "\u00ad\u200b\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    + CELL
    + ROW
    + ANCHOR
    + BEGIN
    + END
    + HEADER
    + SPAN
)
_BRAILLE_SPACE = "\u2800"
_SPACES = "".join(chr(code) for code in range(0x3001) if chr(code).isspace()) + _BRAILLE_SPACE
_CONTROLS = "".join(chr(code) for code in [*range(0x20), *range(0x7F, 0xA0)])
_PROSE = {ord(c): " " for c in _SPACES + _CONTROLS} | {ord(c): None for c in INVISIBLE}
_CODE = {key: value for key, value in _PROSE.items() if chr(key) not in "\n\t"}

_ORNAMENTS = "*⁂⁎∗✱✳★☆✦✧✶✻❋❊❉·•●○◦∙⋅~∼#§❦❧☙❖◆◇◊▪■□✵✷✸✺✽✿❀◈※☼"
_PUNCTUATION = "-‐–—―_=+/|\\^:;,'`’‘.…"  # a scene break only with an ornament, or three of one
_BREAK = re.compile(rf"(?:[{re.escape(_ORNAMENTS)}{re.escape(_PUNCTUATION)}\s]*)$")
_RULE = re.compile(r"(?:([-‐–—―_=+~])\s*)(?:\1\s*){2,}$")


@dataclass(frozen=True, slots=True)
class TextRun:
    """The text of one block, and the number of anchors up to its end."""

    kind: BlockKind
    text: str
    n_anchors: int = 0


def clean(text: str, kind: BlockKind) -> str:
    """Return text without invisible characters and with " " for every space (code keeps lines)."""
    if kind is BlockKind.CODE:
        return text if _is_clean(text) else text.translate(_CODE)
    text = text.replace("\n", " ")  # most have no other character that is to be replaced
    return text if _is_clean(text) else text.translate(_PROSE)


def _is_clean(text: str) -> bool:
    """Whether `clean` keeps each character of a text. False for some texts of which it does, too.

    What is no space and is not seen is not printable to Python, but for the empty Braille cell.
    """
    return text.isprintable() and _BRAILLE_SPACE not in text


def normalise_spaces(text: str) -> str:
    """Return text with single spaces and none at the ends, as `Block` requires."""
    short = " ".join(text.split())  # a formula may be set in thousands of spaces
    cleaned = clean(short, BlockKind.PARAGRAPH)
    return short if cleaned is short else " ".join(cleaned.split())


def shortened(text: str, n_chars: int) -> str:
    """The text, or its first words with an ellipsis."""
    if len(text) <= n_chars:
        return text
    head, _, _ = text[:n_chars].rpartition(" ")
    return f"{head or text[: n_chars - 1]}…"


def is_scene_break(text: str) -> bool:
    """True for "* * *", "⁂", "· · ·", "———" and other lines of ornaments."""
    if not text or len(text) > SCENE_BREAK_CHARS or not _BREAK.match(text):
        return False
    return any(character in _ORNAMENTS for character in text) or bool(_RULE.match(text))


def text_runs(run: str, kind: BlockKind) -> Iterator[TextRun]:
    """Yield the texts of the blocks in a run of characters; `kind` is the kind of its element.

    Anchors without text after them come last, in a TextRun without text.
    """
    if not run or run.isspace():  # between two elements, as a rule
        return
    n_anchors = 0
    for text_kind, text in _split(run, kind):
        n_anchors += text.count(ANCHOR)
        bare = text.replace(ANCHOR, "")
        if kind is not BlockKind.CODE and bare != text:  # removing an anchor can leave two spaces
            bare = "\n".join(" ".join(line.split()) for line in bare.split("\n"))
        if bare:
            yield TextRun(text_kind, bare, n_anchors)
            n_anchors = 0
    if n_anchors:
        yield TextRun(kind, "", n_anchors)


def _split(run: str, kind: BlockKind) -> Iterator[tuple[BlockKind, str]]:
    if kind is BlockKind.CODE:
        lines = [line.rstrip() for line in run.split("\n")]
        yield kind, "\n".join(lines).strip("\n")
    elif kind is BlockKind.TABLE:
        yield kind, _table(run)
    else:
        for group in _groups(run):
            yield from _prose(group, kind)


def _table(run: str) -> str:
    run = run.replace(HEADER, "").replace(SPAN, "")
    rows = ("; ".join(_filled_cells(row.split(CELL))) for row in run.split(ROW))
    return "\n".join(row for row in rows if row)


def _filled_cells(texts: list[str]) -> list[str]:
    """The cells that have text; anchors of empty cells go to the next cell, or else the last."""
    filled: list[str] = []
    anchors = ""
    for text in (" ".join(text.split()) for text in texts):
        if text.replace(ANCHOR, "").strip():
            filled.append(anchors + text)
            anchors = ""
        else:
            anchors += ANCHOR * text.count(ANCHOR)
    return [*filled[:-1], filled[-1] + anchors] if filled else [anchors] if anchors else []


def _groups(run: str) -> Iterator[list[str]]:
    """The lines, in groups between empty lines: old books set paragraphs with <br> like this."""
    group: list[str] = []
    for line in (" ".join(line.split()) for line in run.split("\n")):
        if line.replace(ANCHOR, ""):
            group.append(line)
        else:
            yield group
            yield [line]  # it has only anchors, if anything
            group = []
    if group:
        yield group


def _prose(lines: list[str], kind: BlockKind) -> Iterator[tuple[BlockKind, str]]:
    """The blocks of lines between <br>: a scene break, verse, headings, paragraphs, or one text."""
    joined = " ".join(lines)
    if not joined.replace(ANCHOR, ""):
        yield kind, joined
        return
    bare = [line.replace(ANCHOR, "") for line in lines]
    if kind is not BlockKind.LIST_ITEM and is_scene_break(" ".join(bare).strip()):
        yield BlockKind.SCENE_BREAK, joined
    elif kind is BlockKind.VERSE:
        yield kind, "\n".join(lines)
    elif kind is BlockKind.HEADING and len(lines) > 1 and is_label(without_marks(bare[0])):
        anchors = ANCHOR * joined.count(ANCHOR)
        yield kind, anchors + with_label(bare[0], " ".join(bare[1:]))
    elif kind in {BlockKind.PARAGRAPH, BlockKind.QUOTE} and len(lines) > 1:
        n_chars = sum(map(len, bare)) / len(bare)
        if n_chars <= VERSE_LINE_CHARS:
            yield BlockKind.VERSE, "\n".join(lines)
        elif n_chars > PARAGRAPH_LINE_CHARS:
            yield from ((kind, line) for line in lines)
        else:
            yield kind, joined
    else:
        yield kind, joined
