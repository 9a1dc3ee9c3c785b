"""Cuts a text into paragraphs, and joins the lines of each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from audiomill.inputs.gutenberg.asides import Aside, aside_end, find_asides
from audiomill.inputs.markup.text import normalise_spaces

_EMPHASIS = re.compile(r"(?<![\w*=])([_*=]{1,3})(?=\S)([^_*=]{1,300}+)(?<=\S)\1(?![\w*=])")
_JOINED_LINES = re.compile(r"(?<=\w-|--|\w—)\n")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines as they were typed, none of them blank, and how many blank lines are above them."""

    lines: tuple[str, ...]
    gap: int = 1

    @property
    def text(self) -> str:
        """All lines as one text."""
        return " ".join(line.strip() for line in self.lines)


def split_paragraphs(text: str) -> list[Paragraph]:
    """The paragraphs of a text. Without any blank line, each line is a paragraph."""
    paragraphs, lines = list[Paragraph](), list[str]()
    gap = n_blank = 0
    for line in [*text.strip().split("\n"), ""]:
        if line.strip():
            gap = gap if lines else n_blank
            lines.append(line.rstrip())
            n_blank = 0
            continue
        n_blank += 1
        if lines:
            paragraphs.append(Paragraph(tuple(lines), gap))
            lines = []
    if len(paragraphs) == 1:
        return [Paragraph((line,)) for line in paragraphs[0].lines]
    return paragraphs


def join_asides(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    """The paragraphs, with those of one aside joined."""
    joined, texts = list[Paragraph](), [one.text for one in paragraphs]
    at = 0
    while at < len(paragraphs):
        end = aside_end(texts, at)
        lines = (line for one in paragraphs[at:end] for line in one.lines)
        joined.append(Paragraph(tuple(lines), paragraphs[at].gap))
        at = end
    return joined


def take_asides(lines: Sequence[str], *, is_edition: bool) -> tuple[tuple[str, ...], list[Aside]]:
    """(the lines of a paragraph without its asides, these)."""
    text, kept, at = "\n".join(lines), list[str](), 0
    found = find_asides(text, is_edition=is_edition)
    if not found:
        return tuple(lines), []
    for start, end, _ in found:
        kept.append(text[at:start])
        at = end
    rest = ("".join(kept) + text[at:]).split("\n")
    return tuple(line.rstrip() for line in rest if line.strip()), [one for *_, one in found]


def join_lines(lines: tuple[str, ...]) -> str:
    """Lines wrapped by hand as one; after a hyphen or dash they are joined without a space."""
    return normalise_spaces(_JOINED_LINES.sub("", "\n".join(line.strip() for line in lines)))


def without_emphasis(text: str) -> str:
    """The text without the signs of emphasis: `_word_`, `*word*`, `=word=`."""
    return _EMPHASIS.sub(r"\2", text)
