"""Writes a book as a web page that reads itself aloud: a folder that opens from a disk, too.

    index.html           all of the text, its contents and the controls
    reader/….js  ….css   of the controls
    times/….js           when each word of a section sounds
    audio/….m4a          one or more for each section
    pictures/…           of the text, and the cover

The page asks nothing of a server but these files, and has no script or style in it. A page from a
disk has no origin that 'self' could mean, so `file:` is allowed too.

Sources: HTML (whatwg.org), Content Security Policy Level 3 (w3.org/TR/CSP3).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from lxml import html

from audiomill.inputs.languages.writing import is_right_to_left
from audiomill.inputs.markup.parser import Element
from audiomill.inputs.model.book import Book
from audiomill.inputs.model.comparison import comparison_key
from audiomill.outputs.pages.html_tree import element, html_bytes, metas, text_beside, text_element
from audiomill.outputs.readalong.documents.xml import known_tag
from audiomill.outputs.readalong.web.assets import READER, Asset, asset
from audiomill.outputs.readalong.web.contents import ContentsEntry, contents
from audiomill.outputs.text import UNTITLED, duration, line

INDEX_NAME = "index.html"
_BOOK = "book"  # the kind of text that controls speak of
_POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file:;"
    " img-src 'self' file: data:; media-src 'self' file: blob:; connect-src 'self';"
    " base-uri 'none'; form-action 'none'"
)
_VIEWPORT = "width=device-width, initial-scale=1, viewport-fit=cover"
_NO_ICON = {"rel": "icon", "href": "data:,"}  # else servers are asked for one


@dataclass(frozen=True, slots=True)
class PageBook:
    """A book as it is shown: `sections` are elements of the page, in order."""

    book: Book
    cover: str  # the name of the picture; "" without one
    narrators: tuple[str, ...]
    duration_s: float
    sections: tuple[Element, ...]
    entries: tuple[ContentsEntry, ...]
    is_vertical: bool = False


@dataclass(frozen=True, slots=True)
class ReaderPage:
    """A page with the reader. `contents` is a list of links, `main` the text that they lead to.

    Browsers keep a reader's place by `key`. `kind` is what people call the text; `style` and
    `script` are the names of the reader's files from the page.
    """

    kind: str
    key: str
    title: str
    style: str
    script: str
    contents: Element
    main: Element
    icon: Mapping[str, str] = field(default_factory=lambda: _NO_ICON)
    is_private: bool = True


def reader_page(page: ReaderPage) -> bytes:
    """The page as UTF-8."""
    head = element(
        "head",
        {},
        *metas(_POLICY, _VIEWPORT, is_private=page.is_private),
        element("title", {}, page.title),
        element("link", page.icon),
        element("link", {"rel": "stylesheet", "href": page.style}),
        element("script", {"defer": "", "src": page.script}),
    )
    kind = {"data-text": page.kind} if page.kind != _BOOK else {}
    navigation = element("nav", {"id": "contents", "aria-label": "Contents"}, page.contents)
    body = element("body", {"data-book": page.key, **kind})
    body.extend((*_controls(page.kind), navigation, page.main))
    return html_bytes(head, body)


@cache
def reader_assets() -> tuple[Asset, Asset]:
    """The style and the script of every book's page."""
    return asset(READER, ".css", reader_style().encode()), asset(READER, ".js", _script())


def page_html(shown: PageBook) -> bytes:
    """The page of a book as UTF-8."""
    book = shown.book
    style, script = reader_assets()
    return reader_page(
        ReaderPage(
            kind=_BOOK,
            key=_key(book),
            title=" – ".join(filter(None, (_title(book), _authors(book)))),
            style=style.name,
            script=script.name,
            contents=contents(shown.entries),
            main=_main(shown),
        )
    )


def _main(shown: PageBook) -> Element:
    language = known_tag(shown.book.language)
    attributes = {
        "id": "book",
        "lang": language,
        "dir": "rtl" if is_right_to_left(language) else "ltr",
        **({"class": "vertical"} if shown.is_vertical else {}),
    }
    main = element("main", attributes, _title_header(shown, language))
    main.extend(shown.sections)
    return main


def _title_header(shown: PageBook, language: str) -> Element:
    return element("header", {"class": "title"}, *_title_lines(shown, language))


def _title_lines(shown: PageBook, language: str) -> Iterator[Element]:
    book = shown.book
    if shown.cover:
        yield element("img", {"class": "cover", "src": shown.cover, "alt": ""})
    if not _begins_with_title(shown):
        yield text_element("h1", _title(book), language)
    lines = {"subtitle": line(book.subtitle), "author": _authors(book)}
    for kind, text in lines.items():
        if text:
            yield text_element("p", text, language, {"class": kind})
    read_by = f"Read by {', '.join(map(line, shown.narrators))}" if shown.narrators else ""
    narrator_line = " · ".join(filter(None, (read_by, duration(shown.duration_s))))
    yield element("p", {"class": "narrator", "lang": "en", "dir": "ltr"}, narrator_line)


def _begins_with_title(shown: PageBook) -> bool:
    """Whether the text itself begins with the title, as that of articles does."""
    headings = (one for section in shown.sections[:1] for one in section.iter("h1"))
    words = "".join(str(text) for one in headings for text in one.itertext())
    return comparison_key(words) == comparison_key(_title(shown.book))


def _key(book: Book) -> str:
    """What browsers keep a reader's place by: it stays when the text of the book is corrected."""
    names = (book.identifier, book.title, *book.authors)
    return hashlib.sha256("\0".join(names).encode()).hexdigest()[:16]


def _title(book: Book) -> str:
    return line(book.title) or UNTITLED


def _authors(book: Book) -> str:
    return ", ".join(filter(None, map(line, book.authors)))


def _controls(kind: str) -> Sequence[Element]:
    """The elements that stand before the contents and the text."""
    markup = text_beside(__file__, "controls.html").replace("the book", f"the {kind}")
    fragments = html.fragments_fromstring(markup, no_leading_text=True)
    return [one for one in fragments if not isinstance(one, str)]


@cache
def reader_style() -> str:
    """The style of the reader."""
    return _joined("*.css")


def _script() -> bytes:
    return f'(() => {{\n"use strict";\n{_joined("*.js")}}})();\n'.encode()


def _joined(pattern: str) -> str:
    """The files of a kind beside this one, in the order of their names."""
    return "".join(
        text_beside(__file__, path.name) for path in sorted(Path(__file__).parent.glob(pattern))
    )
