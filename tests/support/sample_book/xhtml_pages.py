"""Writes the text of the sample book as XHTML files, without the package around them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape

from support.sample_book import story
from support.sample_book.story import Chapter, Lines, Mark, Piece, Text

_DOCUMENT = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"
      xml:lang="en-GB" lang="en-GB">
<head>
<title>{title}</title>
<link rel="stylesheet" type="text/css" href="style.css"/>
</head>
<body>
{body}
</body>
</html>
"""
_FIRST_OF_FILE = (0, 1, 3, 4, 5)  # chapters that begin a file; the second and third share a file
_NOTE_NUMBERS = {key: number for number, key in enumerate(story.NOTES, start=1)}


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """A place to which the table of contents or the page list can link."""

    kind: str  # "part", "chapter" or "page"
    label: str
    href: str


@dataclass(slots=True)
class Page:
    """An XHTML file that is filled line by line."""

    name: str
    title: str
    lines: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])
    targets: list[LinkTarget] = field(default_factory=list[LinkTarget])

    def document(self) -> str:
        """Return the text of the file, with the notes at the end."""
        notes = [
            f'<aside epub:type="footnote" role="doc-footnote" id="note-{key}">'
            f"<p>{escape(story.NOTES[key], quote=False)}</p></aside>"
            for key in self.notes
        ]
        return wrapped(self.title, "\n".join([*self.lines, *notes]))

    def add_target(self, kind: str, label: str, target_id: str) -> None:
        """Record a link target in this file."""
        self.targets.append(LinkTarget(kind, label, f"{self.name}.xhtml#{target_id}"))


def wrapped(title: str, body: str) -> str:
    """Return a whole XHTML document."""
    return _DOCUMENT.format(title=escape(title), body=body)


def text_pages() -> list[Page]:
    """Return all files with text, in reading order."""
    pages = list[Page]()
    for number, chapter in enumerate(story.CHAPTERS):
        if number in _FIRST_OF_FILE:
            pages.append(Page(f"text-{number + 1}", chapter.title))
        _begin(pages[-1], chapter, number + 1)
        for piece in chapter.pieces:
            if isinstance(piece, Mark) and piece.shape == "file":
                pages.append(Page(f"text-{number + 1}-continued", chapter.title))
            else:
                _add(pages[-1], piece)
    return pages


def _begin(page: Page, chapter: Chapter, number: int) -> None:
    if chapter.part:
        page.lines.append(f'<h1 id="part-{number}">{escape(chapter.part)}</h1>')
        page.add_target("part", chapter.part, f"part-{number}")
    page.lines.append(f'<h2 id="chapter-{number}">{escape(chapter.title, quote=False)}</h2>')
    page.add_target("chapter", chapter.title, f"chapter-{number}")


def _add(page: Page, piece: Piece) -> None:
    match piece:
        case Mark(shape="page"):
            name = f"page-{piece.label}"
            page.lines.append(
                f'<div epub:type="pagebreak" role="doc-pagebreak" id="{name}"'
                f' aria-label="{piece.label}"></div>'
            )
            page.add_target("page", piece.label, name)
        case Mark():
            page.lines.append(f'<p class="scene-break">{piece.label}</p>')
        case Lines():
            page.lines.append(_lines(piece))
        case Text():
            page.notes += re.findall(r"\[\^(\w+)\]", piece.text)
            page.lines.append(_text(piece))


def _text(piece: Text) -> str:
    text = _inline(piece.text)
    if piece.shape == "caption":
        picture = f'<img src="cover.png" alt="{escape(story.TITLE)}" />'
        return f"<figure>{picture}<figcaption>{text}</figcaption></figure>"
    if piece.shape == "quote":
        return f"<blockquote><p>{text}</p></blockquote>"
    language = f' xml:lang="{piece.language}" lang="{piece.language}"' if piece.language else ""
    return f"<p{language}>{text}</p>"


def _lines(piece: Lines) -> str:
    lines = [_inline(line) for line in piece.lines]
    if piece.shape == "verse":
        return f'<div class="verse"><p>{"<br />".join(lines)}</p></div>'
    if piece.shape == "list":
        return "<ul>" + "".join(f"<li>{line}</li>" for line in lines) + "</ul>"
    head, *rows = [line.split(" | ") for line in lines]
    body = "".join(_row(row, "td") for row in rows)
    return f"<table><thead>{_row(head, 'th')}</thead><tbody>{body}</tbody></table>"


def _row(cells: list[str], name: str) -> str:
    return "<tr>" + "".join(f"<{name}>{cell}</{name}>" for cell in cells) + "</tr>"


def _inline(text: str) -> str:
    text = escape(text, quote=False)
    text = re.sub(r"\{(\w+):([^}]*)\}", r'<i xml:lang="\1" lang="\1">\2</i>', text)
    text = re.sub(r"_([^_]+)_", r"<em>\1</em>", text)
    return re.sub(r"\[\^(\w+)\]", lambda match: _reference(match[1]), text)


def _reference(key: str) -> str:
    number = _NOTE_NUMBERS[key]
    return f'<a epub:type="noteref" role="doc-noteref" href="#note-{key}">{number}</a>'
