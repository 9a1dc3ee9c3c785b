"""Finds what typed books set in brackets because it stood beside the text on paper.

[Illustration]  [Illustration: The mill by night.]     a picture, with its caption
[Footnote 3: See the map.]                             a note; its mark in the text is [3]
[Sidenote: The miller dies]                            words in the margin
[Pg 12]                                                the number of a page
[Transcriber's Note: …]                                words of those who typed it
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from audiomill.inputs.markup.text import normalise_spaces

LONGEST_ASIDE_CHARS = 8_000
MOST_PARAGRAPHS = 40  # of one aside


class AsideKind(StrEnum):
    """What an aside is."""

    PICTURE = "picture"
    NOTE = "note"
    MARGIN = "margin"
    PAGE = "page"
    MAKERS = "makers"


@dataclass(frozen=True, slots=True)
class Aside:
    """An aside. `label` is what stands before its text: "Illustration", "Footnote 3"."""

    kind: AsideKind
    label: str
    text: str
    where: str = ""  # as in `Block.where`
    language: str | None = None  # as in `Block.language`
    ids: tuple[str, ...] = ()  # of the elements that have it, in a page

    @property
    def mark(self) -> str:
        """The mark of a note in the text: "3" of "Footnote 3"."""
        is_marked = self.kind is AsideKind.NOTE and self.label
        return self.label.split()[-1].strip("[]") if is_marked else ""


_MARK = (
    r"(?:\[?(?:\d{1,4}(?::\d{1,2})?|[ivxlc]{1,5}\.\d{1,4}|[A-Z]{1,2}|[ivxlc]{1,6}|[*†‡§]{1,3})\]?)"
)
_NAMES = {
    AsideKind.PICTURE: r"illustrations?|picture|decoration|image|frontispiece|plate|tail-?piece"
    r"|head-?piece|ornament|map|music|bild|abbildung|illustrazione|ilustración|ilustração"
    r"|ilustracion|illustratie|grabado|figure|figura|photo(?:graph)?",
    AsideKind.NOTE: rf"(?:foot|end)?notes?(?:\s+{_MARK})|footnotes?|(?:fußnote|nota|anmerkung"
    rf"|voetnoot|noot)\s+{_MARK}",
    AsideKind.MARGIN: r"side-?notes?|margin(?:al)? ?notes?",
    AsideKind.PAGE: r"(?:pg|page|p\.)\s*(?:\d{1,4}|[ivxlc]{1,7})",
    AsideKind.MAKERS: r"(?:original )?transcriber(?:s|['’]s|s['’])?\s+notes?"
    r"|notes? (?:du transcripteur|de transcription)|anmerkung(?:en)? (?:zur|des) transkrip\w+"
    r"|nota (?:del? transcriptor|do transcritor|del trascrittore)"
    r"|(?:typographical|printer['’]s) errors? .{0,40}corrected",
}
_OPENING = re.compile(
    r"\[\s*(?:"
    + "|".join(rf"(?P<{kind}>[_=*]?(?:{names})[_=*]?)" for kind, names in _NAMES.items())
    + r")\s*(?P<colon>[:.,—-]|(?=\])|(?<=illustration\s)(?=of\b)|$)",
    re.IGNORECASE,
)
_UNMISTAKABLE = re.compile(
    r"\[\s*(?:side-?note\s*:|foot-?note\s+\S{1,8}\s*:|pg\s*\d)", re.IGNORECASE
)


def aside_end(texts: Sequence[str], start: int) -> int:
    """The index after the last paragraph of the aside that begins at `start`.

    It is `start + 1` where none begins, and for an aside of one paragraph.
    """
    if not _OPENING.match(texts[start].lstrip()):
        return start + 1
    n_open = n_chars = 0
    for at in range(start, min(start + MOST_PARAGRAPHS, len(texts))):
        text = texts[at].strip()
        n_open += text.count("[") - text.count("]")
        n_chars += len(text)
        if n_open <= 0 and text.endswith("]"):
            return at + 1
        if n_open <= 0 or n_chars > LONGEST_ASIDE_CHARS:
            break
    return start + 1


def find_asides(text: str, *, is_edition: bool) -> list[tuple[int, int, Aside]]:
    """(start, end, aside) of each aside in a paragraph, in order.

    Inside a line, words in brackets are text, unless `is_edition`: the book is known to be typed
    from paper; or they begin as nothing else does.
    """
    found, at = list[tuple[int, int, Aside]](), 0
    for match in _OPENING.finditer(text) if "[" in text else ():
        if match.start() < at:
            continue
        end = len(text) if _is_whole(text, match) else _closing(text, match.start())
        is_apart = is_edition or _UNMISTAKABLE.match(text, match.start())
        if end and (is_apart or _is_on_own_lines(text, match.start(), end)):
            kind = AsideKind(match.lastgroup if match.lastgroup != "colon" else _kind(match))
            label = normalise_spaces(match[str(kind)]).strip("_=*")
            inside = normalise_spaces(text[match.end() : end - 1])
            found.append((match.start(), end, Aside(kind, label, inside)))
            at = end
    return found


def _is_whole(text: str, match: re.Match[str]) -> bool:
    """True for a paragraph that is one aside, also with a bracket more than it closes."""
    return (
        match.start() == len(text) - len(text.lstrip())
        and text.endswith("]")
        and not _OPENING.search(text, match.end())
        and _closing(text, match.start()) in {0, len(text)}
    )


def _is_on_own_lines(text: str, start: int, end: int) -> bool:
    """True if nothing else is on the lines from `start` to `end`."""
    before, after = text[:start].rpartition("\n")[2], text[end:].partition("\n")[0]
    return not before.strip() and not after.strip()


def _kind(match: re.Match[str]) -> str:
    return next(str(kind) for kind in AsideKind if match[str(kind)])


def _closing(text: str, start: int) -> int:
    """The index after the bracket that closes the one at `start`; 0 if it is too far away."""
    n_open = 0
    for at in range(start, min(start + LONGEST_ASIDE_CHARS, len(text))):
        n_open += (text[at] == "[") - (text[at] == "]")
        if n_open == 0:
            return at + 1
    return 0
