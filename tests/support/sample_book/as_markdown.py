"""Writes the sample book as Markdown."""

from __future__ import annotations

import re

from support.sample_book import story
from support.sample_book.story import Lines, Mark, Piece, Text

COVER_NAME = "the-lighthouse-mill.png"


def as_markdown() -> str:
    """Return the whole file."""
    parts = [_front_matter()]
    for chapter in story.CHAPTERS:
        parts += [f"# {chapter.part}"] if chapter.part else []
        parts.append(f"## {chapter.title}")
        parts += filter(None, map(_piece, chapter.pieces))
    parts += [f"[^{key}]: {text}" for key, text in story.NOTES.items()]
    return "\n\n".join(parts) + "\n"


def _front_matter() -> str:
    fields = {
        "title": story.TITLE,
        "author": story.AUTHOR,
        "language": "en-GB",
        "date": story.DATE,
        "identifier": story.IDENTIFIER,
        "description": story.DESCRIPTION,
        "cover": COVER_NAME,
    }
    return "\n".join(["---", *(f'{name}: "{value}"' for name, value in fields.items()), "---"])


def _piece(piece: Piece) -> str:
    match piece:
        case Mark():
            return piece.label if piece.shape == "scene break" else ""
        case Lines():
            return _lines(piece)
        case Text(shape="caption"):
            return (
                f'<figure>\n<img src="{COVER_NAME}" alt="{story.TITLE}">\n'
                f"<figcaption>{piece.text}</figcaption>\n</figure>"
            )
        case Text(shape="quote"):
            return f"> {_inline(piece.text)}"
        case Text(language=""):
            return _inline(piece.text)
        case Text():
            return f'<p lang="{piece.language}">{piece.text}</p>'


def _lines(piece: Lines) -> str:
    lines = [_inline(line) for line in piece.lines]
    if piece.shape == "verse":
        return "\\\n".join(lines)
    if piece.shape == "list":
        return "\n".join(f"- {line}" for line in lines)
    rule = " | ".join("---" for _ in lines[0].split(" | "))
    return "\n".join(f"| {line} |" for line in (lines[0], rule, *lines[1:]))


def _inline(text: str) -> str:
    text = re.sub(r"\{(\w+):([^}]*)\}", r'<span lang="\1">\2</span>', text)
    return re.sub(r"_([^_]+)_", r"*\1*", text)
