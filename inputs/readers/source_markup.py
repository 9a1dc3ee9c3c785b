"""Reads the markup of a source that is no EPUB: the elements that its text was read from.

Markdown              the HTML that its blocks are made of
web page, article     the main content, or the body of which only the article was read
letter                its body
plain text            none

Elements that reading leaves out are marked. Pictures are those in files of the source's folder,
inside the text, or fetched with an article; nothing is fetched here.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from audiomill.inputs.articles.page import (
    ARTICLE_SUFFIX,
    Fetched,
    load,
    picture_path,
    picture_url,
)
from audiomill.inputs.chapters.outline import mark_contents
from audiomill.inputs.markup.parser import Element, body_of, local_name, parse_xhtml
from audiomill.inputs.markup.skips import skip_reason
from audiomill.inputs.metadata.source_metadata import title_of_file
from audiomill.inputs.model.book import Limits, SkipReason, SourceCorrupt
from audiomill.inputs.readers.sources import MARKDOWN_SUFFIXES, PAGE_SUFFIXES
from audiomill.inputs.text.decoding import decode_text

LEFT_OUT = "audiomill-left-out"  # the class of elements that reading leaves out
_NEVER_SHOWN = frozenset(
    (
        *(SkipReason.FRAME, SkipReason.HIDDEN, SkipReason.NAVIGATION, SkipReason.SCRIPT),
        *(SkipReason.TABLE_OF_CONTENTS, SkipReason.TEMPLATE),
    )
)
_DATA = re.compile(r"data:image/[\w.+-]+;base64,", re.IGNORECASE)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:|//|/", re.IGNORECASE)

Picture = Callable[[Element], bytes]  # the file that an element shows; b"" for none


@dataclass(frozen=True, slots=True)
class SourceMarkup:
    """The element with the text of a source, and what finds its pictures.

    `is_whole` if all of it is the text, but for what is marked.
    """

    body: Element
    picture: Picture
    is_whole: bool = True
    base: str = ""  # the address of the page, for its links


def source_markup(
    path: Path, limits: Limits, is_read: Callable[[str], bool]
) -> SourceMarkup | None:
    """The markup of the source at `path`; None for one without any.

    `is_read` tells whether a text is one that was read. Raises SourceError, and OSError.
    """
    suffix = path.suffix.lower()
    if suffix in MARKDOWN_SUFFIXES:
        found = SourceMarkup(_markdown_body(path), _pictures_beside(path, limits))
    elif suffix in PAGE_SUFFIXES:
        found = SourceMarkup(_page_body(path, limits, is_read), _pictures_beside(path, limits))
    elif suffix == ARTICLE_SUFFIX:
        found = _article(path, limits, is_read)
    else:
        return None
    if found:
        _mark_left_out(found.body)
    return found


def _markdown_body(path: Path) -> Element:
    from audiomill.inputs.markdown.mdx import dialect_of
    from audiomill.inputs.markdown.parser import to_html
    from audiomill.inputs.markdown.reader import split_front_matter

    text, _ = decode_text(path.read_bytes(), path.name)
    below = split_front_matter(text).text_below
    root = parse_xhtml(to_html(below, dialect_of(path.name, below)).encode())
    mark_contents(root)
    return body_of(root)


def _page_body(path: Path, limits: Limits, is_read: Callable[[str], bool]) -> Element:
    from audiomill.inputs.articles.html import PageBytes, body_of_page, main_of

    page = PageBytes(path.read_bytes(), path.name, title_of_file(path))
    return main_of(body_of_page(page, limits, is_read))


def _article(path: Path, limits: Limits, is_read: Callable[[str], bool]) -> SourceMarkup | None:
    from audiomill.inputs.articles.html import PageBytes, body_of_page
    from audiomill.inputs.articles.letters import SCHEME, prepare_letter
    from audiomill.inputs.articles.main_text import prepare

    page = load(path)
    is_letter = page.url.startswith(SCHEME)
    if is_letter and page.media_type == "text/plain":
        return None
    body = body_of_page(PageBytes(page.content or b"", page.url, "", page.charset), limits, is_read)
    (prepare_letter if is_letter else prepare)(body)

    def picture(element: Element) -> bytes:
        return _embedded(element) or _kept(element, page)

    def _kept(element: Element, page: Fetched) -> bytes:
        for named in _addresses(element):
            try:
                return load(picture_path(path, picture_url(page, named))).content or b""
            except (OSError, SourceCorrupt):
                continue
        return b""

    base = "" if is_letter else page.url
    return SourceMarkup(body, picture, is_whole=False, base=base)


def _mark_left_out(body: Element) -> None:
    for node in body.iter():
        reason = skip_reason(node) if local_name(node) and node is not body else None
        if reason in _NEVER_SHOWN and not _holds_formula(node, reason):
            node.set("class", f"{node.get('class') or ''} {LEFT_OUT}".strip())


def _holds_formula(node: Element, reason: SkipReason | None) -> bool:
    """Whether an element hides a formula, in place of which pages show a picture of it."""
    return reason is SkipReason.HIDDEN and any(local_name(one) == "math" for one in node.iter())


def _addresses(element: Element) -> list[str]:
    """The addresses of a picture, that of the page first, then those that scripts put there."""
    keys = ("src", "data-src", "data-original", "data-lazy-src")
    return [value.strip() for key in keys if (value := element.get(key))]


def _pictures_beside(path: Path, limits: Limits) -> Picture:
    """What finds pictures in files of the source's folder, and in the text itself."""
    folder = path.parent.resolve()

    def picture(element: Element) -> bytes:
        for address in _addresses(element):
            name = unquote(address.partition("#")[0].partition("?")[0])
            if not name or _SCHEME.match(address):
                continue
            try:
                file = (folder / name).resolve()
                is_picture = file.is_relative_to(folder) and file.is_file()
                if is_picture and file.stat().st_size <= limits.max_entry_bytes:
                    return file.read_bytes()
            except (OSError, ValueError, RuntimeError):  # RuntimeError: links in a circle
                continue
        return _embedded(element)

    return picture


def _embedded(element: Element) -> bytes:
    """The picture that is written as an address itself."""
    address = next((one for one in _addresses(element) if _DATA.match(one)), "")
    try:
        return base64.b64decode(unquote(address.partition(",")[2]), validate=False)
    except (binascii.Error, ValueError):
        return b""
