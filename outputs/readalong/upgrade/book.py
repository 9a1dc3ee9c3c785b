"""Makes an EPUB 3 of an EPUB 2, and mends the documents of an EPUB 3 that are not well formed.

    package  ─▶ metadata, manifest, spine          package, metadata
    toc      ─▶ navigation document, NCX           navigation
    document ─▶ elements, places, head, links      documents and what it calls

Nothing is read but the archive, and no clock: the same book gives the same bytes.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial

from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.epub.opf_repair import NCX_TYPE, OPF, XHTML_TYPE, repair_package
from audiomill.inputs.epub.toc import TableOfContents, TocEntry
from audiomill.inputs.markup.encodings import decode
from audiomill.inputs.markup.parser import Element, local_name, parse_xml
from audiomill.inputs.model.book import SourceCorrupt
from audiomill.outputs.readalong.addresses import relative_url
from audiomill.outputs.readalong.source_text import is_well_formed
from audiomill.outputs.readalong.upgrade.documents import (
    ids_of,
    properties_of,
    serialized,
    upgraded_tree,
)
from audiomill.outputs.readalong.upgrade.elements import html_name
from audiomill.outputs.readalong.upgrade.links import Places, is_missing, mend_links, target
from audiomill.outputs.readalong.upgrade.metadata import identifier_of, upgraded_metadata
from audiomill.outputs.readalong.upgrade.navigation import (
    LANDMARKS,
    Line,
    nav_document,
    ncx_document,
    toc_lines,
)
from audiomill.outputs.readalong.upgrade.package import (
    Item,
    container_document,
    cover_path,
    first_text,
    free_id,
    manifest_items,
    more_items,
    package_document,
    spine_paths,
)
from audiomill.outputs.readalong.upgrade.styles import (
    Sheet,
    addresses,
    mend_styles,
    mended_sheet,
    set_directions,
)

CSS_TYPE = "text/css"


@dataclass(frozen=True, slots=True)
class Pages:
    """The documents of a book as trees of XHTML 5, and the entries that their links lead to."""

    trees: dict[str, Element]
    used: frozenset[str]


def upgraded(archive: Archive, package_path: str, toc: TableOfContents) -> dict[str, bytes]:
    """Return the entries of the archive that change or are new; all else stays as it is.

    Of an EPUB 3 they are the documents that are not well-formed XML. `toc` is that of `read_toc`.
    Raises SourceCorrupt if the package document cannot be read.
    """
    root = parse_xml(archive.read(package_path))
    repaired = repair_package(root)
    items = manifest_items(repaired, archive, package_path)
    title = first_text(repaired[0], "title") or posixpath.splitext(archive.name)[0]
    if (root.get("version") or "").strip().startswith("3"):
        pages = read_pages(archive, _broken(archive, items), toc, title)
        return {path: serialized(tree) for path, tree in pages.trees.items()}
    return _upgraded_book(archive, package_path, toc, root, repaired, items, title)


def _broken(archive: Archive, items: Iterable[Item]) -> list[Item]:
    pages = [item for item in items if item.media_type == XHTML_TYPE]
    return [item for item in pages if not is_well_formed(archive.read(item.path))]


def read_pages(archive: Archive, items: Iterable[Item], toc: TableOfContents, title: str) -> Pages:
    """Return the documents upgraded; what cannot be read is left out and stays as it is."""
    titles = {entry.path: entry.title for entry in reversed(toc.entries)}
    trees: dict[str, Element] = {}
    for item in items:
        try:
            data = archive.read(item.path)
            trees[item.path] = upgraded_tree(data, titles.get(item.path) or title)
        except SourceCorrupt as error:
            archive.warnings.append(f"{item.path!r} is kept as it is: {error}")
    places = Places(archive.find, {path: ids_of(tree) for path, tree in trees.items()})
    used = [mend_links(tree, path, places) for path, tree in trees.items()]
    for path, tree in trees.items():
        mend_styles(tree, is_missing(path, places))
    return Pages(trees, frozenset().union(*used))


def _mended_sheets(
    archive: Archive, items: Iterable[Item], pages: Pages
) -> tuple[dict[str, bytes], set[str]]:
    """The style sheets that change, and the files that sheets use; pages tell the directions."""
    places = Places(archive.find, {})
    changed: dict[str, bytes] = {}
    used: set[str] = set()
    for item in items:
        if item.media_type == CSS_TYPE:
            text = decode(archive.read(item.path))
            sheet = mended_sheet(text, is_missing(item.path, places))
            used |= {target(url, item.path, places)[0] for url in addresses(sheet.text)}
            if sheet.text != text:
                changed[item.path] = sheet.text.encode()
            if sheet.directions:
                _tell_directions(pages, item.path, sheet, places)
    return changed, used - {""}


def _tell_directions(pages: Pages, sheet_path: str, sheet: Sheet, places: Places) -> None:
    for path, tree in pages.trees.items():
        links = (node.get("href") or "" for node in tree.iter() if html_name(node) == "link")
        if any(target(href, path, places)[0] == sheet_path for href in links):
            set_directions(tree, sheet.directions)


def _upgraded_book(
    archive: Archive,
    package_path: str,
    toc: TableOfContents,
    root: Element,
    repaired: Element,
    items: list[Item],
    title: str,
) -> dict[str, bytes]:
    pages = read_pages(archive, _pages_of(items), toc, title)
    items += more_items(archive, sorted(pages.used), items)
    sheets, used = _mended_sheets(archive, items, pages)
    items += more_items(archive, sorted(used), items)
    language = next((tree.get("lang") or "" for tree in pages.trees.values()), "")
    metadata = upgraded_metadata(repaired[0], root.get("unique-identifier") or "", title, language)
    spine = _spine(spine_paths(repaired, archive, package_path), pages, items)
    items, navigation = _with_navigation(archive, package_path, toc, pages, items, spine, metadata)
    cover = cover_path(repaired, archive, package_path)
    items = [_with_properties(item, pages, cover) for item in items]
    guide = _guide(repaired, archive, package_path, pages)
    spines = (node for node in root if local_name(node) == "spine")
    direction = next((node.get("page-progression-direction") or "" for node in spines), "")
    package = package_document(metadata, items, spine, package_path, guide, direction)
    documents = {path: serialized(tree) for path, tree in pages.trees.items()}
    container = container_document(archive, package_path)
    return {package_path: package, **container, **navigation, **sheets, **documents}


def _pages_of(items: Iterable[Item]) -> list[Item]:
    return [item for item in items if item.media_type == XHTML_TYPE]


def _spine(order: dict[str, bool], pages: Pages, items: Iterable[Item]) -> dict[str, bool]:
    """The reading order, and behind it the documents that are linked to (EPUB 3.3, 5.7.2)."""
    listed = {item.path for item in items}
    spine = {path: linear for path, linear in order.items() if path in listed}
    spine |= {path: False for path in pages.trees if path in pages.used and path not in spine}
    if not any(spine.values()):
        spine = dict.fromkeys(spine or pages.trees, True)
    return {path: linear or path not in pages.used for path, linear in spine.items()}


def _with_navigation(
    archive: Archive,
    package_path: str,
    toc: TableOfContents,
    pages: Pages,
    items: list[Item],
    spine: dict[str, bool],
    metadata: Element,
) -> tuple[list[Item], dict[str, bytes]]:
    """The items with those of the navigation document and the NCX, and the bytes of both."""
    base = posixpath.dirname(package_path)
    title = first_text(metadata, "title")
    nav = posixpath.join(base, free_id("nav.xhtml", archive.names))
    old = next((item.path for item in items if item.media_type == NCX_TYPE), "")
    ncx = old or posixpath.join(base, free_id("toc.ncx", archive.names))
    ids = {item.id for item in items}
    added = [Item(free_id("nav", ids), nav, XHTML_TYPE, frozenset(("nav",)))]
    if not old:
        added.append(Item(free_id("ncx", ids), ncx, NCX_TYPE))
    language, marks = first_text(metadata, "language"), _landmarks(toc, spine, pages, base)
    lines = _lines(toc, spine, pages, base)
    made = {nav: nav_document(title, language, lines, marks)}
    lines = _lines(toc, spine, pages, posixpath.dirname(ncx))
    made[ncx] = ncx_document(title, identifier_of(metadata)[1], lines)
    return [*items, *added], made


def _lines(toc: TableOfContents, spine: dict[str, bool], pages: Pages, base: str) -> list[Line]:
    """The lines of the table of contents; for a book without one, a line for each document."""
    url = partial(relative_url, base)
    entries = [_entry(entry, pages) for entry in toc.entries if entry.path in spine]
    readable = [path for path in spine if path in pages.trees]
    by_page = [Line(_title_of(pages.trees[path]), url(path, ""), []) for path in readable]
    return toc_lines(entries, url) or by_page


def _landmarks(
    toc: TableOfContents, spine: dict[str, bool], pages: Pages, base: str
) -> list[tuple[str, str, str]]:
    """(type, title, address) of the places that the guide names."""
    return [
        (LANDMARKS[kind], LANDMARKS[kind], relative_url(base, path, _known(path, fragment, pages)))
        for kind, path, fragment in toc.landmarks
        if kind in LANDMARKS and path in spine
    ]


def _entry(entry: TocEntry, pages: Pages) -> TocEntry:
    return replace(entry, fragment=_known(entry.path, entry.fragment, pages))


def _known(path: str, fragment: str, pages: Pages) -> str:
    """The fragment, if the document has it."""
    return fragment if path in pages.trees and fragment in ids_of(pages.trees[path]) else ""


def _title_of(tree: Element) -> str:
    return "".join(map(str, tree[0].itertext())).strip()


def _with_properties(item: Item, pages: Pages, cover: str) -> Item:
    found = properties_of(pages.trees[item.path]) if item.path in pages.trees else frozenset[str]()
    is_cover = item.path == cover and item.media_type.startswith("image/")
    covers = frozenset(("cover-image",)) if is_cover else frozenset[str]()
    return replace(item, properties=item.properties | found | covers)


def _guide(
    repaired: Element, archive: Archive, package_path: str, pages: Pages
) -> list[tuple[str, str]]:
    """The guide's references that lead to documents of the book (OPF 2.0.1, 2.6)."""
    places = Places(archive.find, {})
    found: list[tuple[str, str]] = []
    for node in repaired.iter(f"{{{OPF}}}reference"):
        path, fragment = target(node.get("href") or "", package_path, places)
        kind = (node.get("type") or "").strip()
        if path in pages.trees and kind:
            known = _known(path, fragment, pages)
            url = relative_url(posixpath.dirname(package_path), path, known)
            found.append((kind, url))
    return list(dict.fromkeys(found))
