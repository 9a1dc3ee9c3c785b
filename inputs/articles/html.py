"""Reads a saved web page or another HTML file into a `Book`.

Finds the main content and the metadata of a page. The parts around the main content (menus,
banners, forms) are listed as navigation.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from audiomill.inputs.chapters.outline import (
    Outline,
    mark_contents,
    outline,
    with_label_headings,
)
from audiomill.inputs.gutenberg.pages import EditionParts, take_edition
from audiomill.inputs.gutenberg.typed_notes import without_typed_asides
from audiomill.inputs.gutenberg.wording import without_label
from audiomill.inputs.languages.codes import language_tag
from audiomill.inputs.languages.detection import SourceLanguage, are_close, language_of_source
from audiomill.inputs.markup.blocks import DocumentBlocks, to_blocks
from audiomill.inputs.markup.notes import separate_notes_of_page, with_notes_of_all
from audiomill.inputs.markup.parser import Element, body_of, local_name, parse_xhtml
from audiomill.inputs.markup.pictures import printed_texts
from audiomill.inputs.markup.semantics import (
    CODE,
    HEADINGS,
    language_of,
    semantics,
    text_within,
    words_within,
)
from audiomill.inputs.markup.tex import mark_formulas
from audiomill.inputs.markup.text import normalise_spaces
from audiomill.inputs.metadata.descriptions import plain_description
from audiomill.inputs.metadata.source_metadata import isbn_in, title_of_file
from audiomill.inputs.model.book import (
    Book,
    LanguageSource,
    Limits,
    Skipped,
    SkipReason,
    SourceCorrupt,
    SourceTooLarge,
)
from audiomill.inputs.model.ledger import letters_of
from audiomill.inputs.reading.rules import ReadingRules

# Names of metadata, best first. They are compared in lower case.
_TITLE = ("og:title", "dc.title", "dcterms.title", "twitter:title")
_AUTHOR = ("author", "article:author", "dc.creator", "dcterms.creator", "byl", "parsely-author")
_LANGUAGE = ("content-language", "og:locale", "dc.language", "dcterms.language")
_DATE = ("article:published_time", "date", "dc.date", "dcterms.created", "datepublished", "pubdate")
_DESCRIPTION = ("og:description", "description", "dc.description")
_PUBLISHER = ("og:site_name", "dc.publisher")
_RIGHTS = ("dc.rights", "dcterms.rights", "copyright")
_ISBN = ("book:isbn", "books:isbn", "isbn", "citation_isbn")
_SUBJECTS = ("article:tag", "dc.subject", "article:section")  # not keywords, which are for robots

_AROUND = frozenset({"aside", "footer", "form", "header", "nav"})
_TAG = re.compile(rb"<[^<>]*+>")
_LONGEST_CHARACTER = 4  # bytes, in UTF-8 and UTF-32
_NO_CHARACTER = bytes([0, *range(0x80, 0xC0)])  # continuation bytes of UTF-8, zeros of UTF-16


@dataclass(frozen=True, slots=True)
class PageBytes:
    """A web page: its bytes, how its places are called, and its title if it names none."""

    data: bytes
    name: str
    title: str
    charset: str = ""  # that its server told
    language: str = ""  # that its text shows, whatever the page tells (BCP 47); "" if not known


# (the blocks of a page that are its text, the text around it) of its body, name, language, rules
SplitPage = Callable[[Element, str, str, ReadingRules], tuple[DocumentBlocks, list[Skipped]]]


def read(path: Path, limits: Limits, rules: ReadingRules | None = None) -> Book:
    """Return the book in an HTML file; `rules` decide what is read.

    Raises SourceError, and OSError if it cannot be read.
    """
    page = PageBytes(path.read_bytes(), path.name, title_of_file(path))
    return book_of_page(page, limits, rules or ReadingRules(), _split_main)


def book_of_page(page: PageBytes, limits: Limits, rules: ReadingRules, split: SplitPage) -> Book:
    """The book that `split` finds in a page. Raises SourceError."""
    _check_raw_length(page.data, page.name, limits)
    root = _parse(page)
    metadata, body = _metadata(root), body_of(root)
    limits.check_text_length(sum(len(str(text)) for text in body.itertext()), page.name)
    printed = [*printed_texts(body)]
    mark_formulas(body)
    edition = _take_edition(body, page.name, rules)
    fields = edition.fields()
    language = _language_of_page(page, body, metadata, fields.language)
    main, around = split(body, page.name, language.tag, rules)
    main = without_typed_asides(main, rules, is_edition=edition.is_known)
    named = without_label(_first_of(metadata, ("title",)))
    declared = fields.title or _first_of(metadata, _TITLE)
    fallback = named.title or page.title
    result, notes = _outlined(main, page.name, rules, declared or fallback)
    return Book(
        title=declared or result.title or fallback,
        subtitle=fields.subtitle,
        authors=fields.authors or _authors(metadata) or tuple(filter(None, (named.author,))),
        translators=fields.translators,
        language=language.tag,
        language_source=language.source,
        chapters=result.chapters,
        source_id=hashlib.sha256(page.data).hexdigest(),
        date=fields.date or _first_of(metadata, _DATE),
        original_year=fields.original_year,
        identifier=fields.identifier,
        publisher=_first_of(metadata, _PUBLISHER),
        description=plain_description(_first_of(metadata, _DESCRIPTION)),
        rights=_first_of(metadata, _RIGHTS),
        isbn=isbn_in(_first_of(metadata, _ISBN)),
        subjects=_subjects(metadata),
        skipped=(*_listed(edition, page.name), *around, *main.skipped, *notes),
        printed=dict(letters_of([*printed, *main.written_out])),
        warnings=language.warnings,
    )


def body_of_page(page: PageBytes, limits: Limits, is_read: Callable[[str], bool]) -> Element:
    """The body of a page as it is read: with formulas as elements, and without its edition.

    Of what the edition has set around the book those texts stay that `is_read`. Raises SourceError.
    """
    _check_raw_length(page.data, page.name, limits)
    body = body_of(_parse(page))
    mark_formulas(body)
    take_edition(body, is_known=False, reads=lambda text, _: is_read(text))
    return body


def _outlined(
    main: DocumentBlocks, name: str, rules: ReadingRules, title: str
) -> tuple[Outline, Sequence[Skipped]]:
    """(the chapters of the main content with their notes, the notes that are not read)."""
    text, notes = separate_notes_of_page(main, name, rules)
    blocks = with_label_headings([one.block for one in text])
    text = [replace(one, block=block) for one, block in zip(text, blocks, strict=True)]
    found = outline(blocks, title)
    chapters = with_notes_of_all(found.chapters, text, rules.reading.notes)
    return replace(found, chapters=tuple(chapters)), notes


def _take_edition(body: Element, name: str, rules: ReadingRules) -> EditionParts:
    """Take the licence and the like out of a page of Project Gutenberg."""

    def reads(text: str, place: str) -> bool:
        return rules.reads(SkipReason.EDITION, text, f"{name}#{place}" if place else name)

    return take_edition(body, is_known=False, reads=reads)


def _listed(edition: EditionParts, name: str) -> Iterator[Skipped]:
    for text, place in edition.taken:
        yield Skipped(SkipReason.EDITION, text, f"{name}#{place}" if place else name)


def _parse(page: PageBytes) -> Element:
    try:
        return parse_xhtml(page.data, page.charset)
    except SourceCorrupt as error:
        raise SourceCorrupt(f"“{page.name}” is no web page: {error}. Check the file.") from error
    except SourceTooLarge as error:
        raise SourceTooLarge(f"“{page.name}” cannot be read: {error}. Split it.") from error


def _check_raw_length(data: bytes, name: str, limits: Limits) -> None:
    """Raise SourceTooLarge for a page that is clearly too long, before it is parsed.

    Markup does not count.
    """
    if len(data) > limits.max_text_chars:
        n_markup = sum(len(match[0]) for match in _TAG.finditer(data))
        n_chars = len(data.translate(None, _NO_CHARACTER))
        n_chars = max(n_chars, len(data) // _LONGEST_CHARACTER)  # counts a page of only zeros too
        limits.check_text_length(n_chars - n_markup, name)


def _metadata(root: Element) -> dict[str, list[str]]:
    """The values of `<title>` and `<meta>`, by name in lower case."""
    metadata = dict[str, list[str]]()
    for node in root.iter("{*}title", "{*}meta"):
        if local_name(node) == "title":
            name, value = "title", text_within(node)
        else:
            names = (node.get(key) for key in ("property", "name", "itemprop", "http-equiv"))
            name, value = next(filter(None, names), ""), node.get("content") or ""
        if normalise_spaces(value):
            metadata.setdefault(name.strip().lower(), []).append(normalise_spaces(value))
    return metadata


def _language_of_page(
    page: PageBytes, body: Element, metadata: dict[str, list[str]], of_edition: str
) -> SourceLanguage:
    """As the page tells, or else as it shows, or as its edition tells.

    Many programs write their own language into every page; that is taken away.
    """
    shown = page.language or of_edition
    declared = _declared_language(body, metadata)
    wanted = declared
    if shown and not (declared and are_close(declared, shown)):
        wanted = shown
        _remove_languages(body)
    language = language_of_source(wanted, words_within(body, without=CODE | {"math"}))
    if page.language and wanted != declared:
        return replace(language, source=LanguageSource.DETECTED)
    return language


def _remove_languages(body: Element) -> None:
    for node in (body, *body.iterancestors()):
        for name in [name for name in map(str, node.attrib) if name.split("}")[-1] == "lang"]:
            del node.attrib[name]


def _declared_language(body: Element, metadata: dict[str, list[str]]) -> str:
    """The language that a page names; "" if it names none."""
    return language_tag(language_of(body) or _first_of(metadata, _LANGUAGE))


def _first_of(metadata: dict[str, list[str]], names: tuple[str, ...]) -> str:
    return next((metadata[name][0] for name in names if name in metadata), "")


def _subjects(metadata: dict[str, list[str]]) -> tuple[str, ...]:
    named = (metadata[name] for name in _SUBJECTS if name in metadata)
    return tuple(dict.fromkeys(next(named, [])))


def _authors(metadata: dict[str, list[str]]) -> tuple[str, ...]:
    """The names of the authors, without the addresses of their pages."""
    for name in _AUTHOR:
        names = [value for value in metadata.get(name, []) if "://" not in value]
        if names:
            return tuple(dict.fromkeys(names))
    return ()


def _split_main(
    body: Element, name: str, language: str, rules: ReadingRules
) -> tuple[DocumentBlocks, list[Skipped]]:
    """(the blocks of the main content, the text around it)."""
    main = main_of(body)
    parent = main.getparent()
    if main is body or parent is None:
        return to_blocks(main, where=name, language=language, rules=rules), []
    converted = to_blocks(main, where=name, language=language, rules=rules)
    _remove(main, parent)
    rest = to_blocks(body, where=name, language=language)
    around = [
        Skipped(SkipReason.NAVIGATION, anchored.block.text, anchored.block.where)
        for anchored in rest.blocks
        if anchored.block.text
    ]
    return converted, [*around, *rest.skipped]


def main_of(body: Element) -> Element:
    """The main content of a page, in which tables of contents and navigation are marked."""
    mark_contents(body)
    main = _main_content(body)
    for node in main.iterdescendants():
        if local_name(node) in _AROUND and not semantics(node) and not _is_content(node):
            node.set("role", "navigation")
    return main


def _main_content(body: Element) -> Element:
    """The article of the page if there is exactly one, or else its <main>, or else the body."""
    mains = [n for n in body.iter() if local_name(n) == "main" or "main" in semantics(n)]
    within = mains[0] if mains else body
    articles = [
        node
        for node in within.iter("{*}article")
        if not any(local_name(above) == "article" for above in node.iterancestors())
    ]
    for chosen in (articles if len(articles) == 1 else []), mains:
        if chosen and normalise_spaces(text_within(chosen[0])):
            return chosen[0]
    return body


def _is_content(node: Element) -> bool:
    """True for a header with a heading, and for the footer of a quotation, which has its source."""
    if local_name(node) == "header":
        return any(local_name(inner) in HEADINGS for inner in node.iter())
    return local_name(node) == "footer" and any(
        local_name(above) == "blockquote" for above in node.iterancestors()
    )


def _remove(node: Element, parent: Element) -> None:
    """Remove an element from the tree, but keep the text after it, preceded by a space."""
    before, tail = node.getprevious(), " " + (node.tail or "")
    if before is None:
        parent.text = (parent.text or "") + tail
    else:
        before.tail = (before.tail or "") + tail
    parent.remove(node)
