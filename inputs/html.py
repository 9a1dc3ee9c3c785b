"""A saved web page or a plain HTML file to a `Book`. Knows where pages keep their text and title.

What stands around the article (menus, banners, forms) is listed as navigation.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from audiomill.inputs.book import Book, Limits, Skipped, SkipReason, SourceCorrupt
from audiomill.inputs.decoding import check_text_length, title_from
from audiomill.inputs.languages import language_tag
from audiomill.inputs.markup.blocks import DocumentBlocks, to_blocks
from audiomill.inputs.markup.outline import mark_contents, outline
from audiomill.inputs.markup.parser import Element, body_of, local_name, parse_xhtml
from audiomill.inputs.markup.semantics import HEADINGS, language_of, semantics, text_within
from audiomill.inputs.markup.text import squeeze

# What a page calls its facts, best first. Names are compared in lower case.
_TITLE = ("og:title", "dc.title", "twitter:title")
_AUTHOR = ("author", "article:author", "dc.creator", "byl", "parsely-author")
_LANGUAGE = ("content-language", "og:locale", "dc.language")
_DATE = ("article:published_time", "date", "dc.date", "datepublished", "pubdate")
_DESCRIPTION = ("og:description", "description", "dc.description")
_PUBLISHER = ("og:site_name", "dc.publisher")

_AROUND = frozenset({"aside", "footer", "form", "header", "nav"})
_TAG = re.compile(rb"<[^<>]*+>")
_LONGEST_CHARACTER = 4  # bytes, in UTF-8 and UTF-32
_NOT_A_CHARACTER = bytes([0, *range(0x80, 0xC0)])  # UTF-8's later bytes, UTF-16's zeros


def read(path: Path, limits: Limits) -> Book:
    """The book in an HTML file. Raises SourceError, and OSError if it cannot be read."""
    data = path.read_bytes()
    _refuse_early(data, path.name, limits)
    root = _parse(data, path.name)
    facts, body = _facts(root), body_of(root)
    check_text_length(sum(len(str(text)) for text in body.itertext()), path.name, limits)
    language = language_tag(language_of(body) or _fact(facts, _LANGUAGE)) or "en"
    main, around = _parted(body, path.name, language)
    named = _fact(facts, _TITLE)
    called = _fact(facts, ("title",)) or title_from(path)
    found = outline([a.block for a in main.blocks], named or called)
    title = named or found.title or called
    return Book(
        title=title,
        authors=_authors(facts),
        language=language,
        chapters=found.chapters,
        source_id=hashlib.sha256(data).hexdigest(),
        date=_fact(facts, _DATE),
        publisher=_fact(facts, _PUBLISHER),
        description=_fact(facts, _DESCRIPTION),
        skipped=(*around, *main.skipped),
    )


def _parse(data: bytes, name: str) -> Element:
    try:
        return parse_xhtml(data)
    except SourceCorrupt as error:
        raise SourceCorrupt(f"“{name}” is no web page: {error}. Check the file.") from error


def _refuse_early(data: bytes, name: str, limits: Limits) -> None:
    """Refuse what is plainly too long before it is parsed; markup does not count."""
    if len(data) > limits.max_text_chars:
        n_markup = sum(len(found[0]) for found in _TAG.finditer(data))
        n_chars = len(data.translate(None, _NOT_A_CHARACTER))
        n_chars = max(n_chars, len(data) // _LONGEST_CHARACTER)  # of zeros only, it is long too
        check_text_length(n_chars - n_markup, name, limits)


def _facts(root: Element) -> dict[str, list[str]]:
    """What `<title>` and `<meta>` say, by name, in lower case."""
    facts = dict[str, list[str]]()
    for node in root.iter("{*}title", "{*}meta"):
        if local_name(node) == "title":
            name, value = "title", text_within(node)
        else:
            names = (node.get(key) for key in ("property", "name", "itemprop", "http-equiv"))
            name, value = next(filter(None, names), ""), node.get("content") or ""
        if squeeze(value):
            facts.setdefault(name.strip().lower(), []).append(squeeze(value))
    return facts


def _fact(facts: dict[str, list[str]], names: tuple[str, ...]) -> str:
    return next((facts[name][0] for name in names if name in facts), "")


def _authors(facts: dict[str, list[str]]) -> tuple[str, ...]:
    """Names, not the addresses of their pages."""
    for name in _AUTHOR:
        names = [value for value in facts.get(name, []) if "://" not in value]
        if names:
            return tuple(dict.fromkeys(names))
    return ()


def _parted(body: Element, name: str, language: str) -> tuple[DocumentBlocks, list[Skipped]]:
    """(the main content, walked; what stands around it)."""
    mark_contents(body)
    main = _main(body)
    for node in main.iterdescendants():
        if local_name(node) in _AROUND and not semantics(node) and not _is_of_text(node):
            node.set("role", "navigation")
    parent = main.getparent()
    if main is body or parent is None:
        return to_blocks(main, where=name, language=language), []
    walked = to_blocks(main, where=name, language=language)
    _remove(main, parent)
    rest = to_blocks(body, where=name, language=language)
    around = [
        Skipped(SkipReason.NAVIGATION, anchored.block.text, anchored.block.where)
        for anchored in rest.blocks
        if anchored.block.text
    ]
    return walked, [*around, *rest.skipped]


def _main(body: Element) -> Element:
    """The one article of the page, else its main part, else all of it."""
    mains = [n for n in body.iter() if local_name(n) == "main" or "main" in semantics(n)]
    within = mains[0] if mains else body
    articles = [
        node
        for node in within.iter("{*}article")
        if not any(local_name(above) == "article" for above in node.iterancestors())
    ]
    for chosen in (articles if len(articles) == 1 else []), mains:
        if chosen and squeeze(text_within(chosen[0])):
            return chosen[0]
    return body


def _is_of_text(node: Element) -> bool:
    """Whether a header holds a heading, or a footer says whom a quotation is from."""
    if local_name(node) == "header":
        return any(local_name(inner) in HEADINGS for inner in node.iter())
    return local_name(node) == "footer" and any(
        local_name(above) == "blockquote" for above in node.iterancestors()
    )


def _remove(node: Element, parent: Element) -> None:
    """Take an element out of the tree and leave the text after it, set apart by a space."""
    before, tail = node.getprevious(), " " + (node.tail or "")
    if before is None:
        parent.text = (parent.text or "") + tail
    else:
        before.tail = (before.tail or "") + tail
    parent.remove(node)
