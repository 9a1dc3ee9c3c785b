"""Makes an EPUB 3 of an EPUB 2, and mends the documents of an EPUB 3 that are not well formed.

    package  ─▶ metadata, manifest, spine          package, metadata
    toc      ─▶ navigation document, NCX           navigation
    document ─▶ elements, places, head, links      documents and what it calls

Nothing is read but the archive, and no clock: the same book gives the same bytes.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, count

from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.epub.opf_repair import NCX_TYPE, XHTML_TYPE
from audiomill.inputs.epub.toc import TableOfContents, TocEntry
from audiomill.inputs.markup.encodings import decode
from audiomill.inputs.markup.parser import Element
from audiomill.inputs.model.book import SourceCorrupt
from audiomill.outputs.readalong.documents.addresses import relative_url
from audiomill.outputs.readalong.documents.source_reader import is_well_formed
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
    OldPackage,
    container_document,
    cover_path,
    first_text,
    free_id,
    manifest_items,
    more_items,
    package_document,
    read_old_package,
    spine_paths,
    with_properties,
)
from audiomill.outputs.readalong.upgrade.styles import (
    Sheet,
    addresses,
    is_styled,
    link_sheet,
    mend_styles,
    mended_sheet,
    set_directions,
)

CSS_TYPE = "text/css"
OWN_SHEET = b"/* For documents that had no style sheet. */\n"


@dataclass(frozen=True, slots=True)
class Pages:
    """The documents of a book as trees of XHTML 5, and the entries that their links lead to."""

    trees: dict[str, Element]
    used: frozenset[str]


def upgraded(archive: Archive, package_path: str, toc: TableOfContents) -> dict[str, bytes]:
    """Return the entries of the archive that change or are new; all else stays as it is.

    Of an EPUB 3 they are the documents that are not well-formed XML, and its package if that does
    not tell what they hold. `toc` is that of `read_toc`. Raises SourceCorrupt if the package
    document cannot be read.
    """
    old = read_old_package(archive, package_path)
    items = manifest_items(old)
    if old.is_epub_3:
        pages = read_pages(archive, _broken(archive, items), toc, old.title)
        needed = {path: properties_of(tree) for path, tree in pages.trees.items()}
        package = with_properties(old, needed)
        return {**package, **{path: serialized(tree) for path, tree in pages.trees.items()}}
    return _upgraded_book(old, toc, items)


def _broken(archive: Archive, items: Iterable[Item]) -> list[Item]:
    return [item for item in _pages_of(items) if not is_well_formed(archive.read(item.path))]


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


def _upgraded_book(old: OldPackage, toc: TableOfContents, items: list[Item]) -> dict[str, bytes]:
    archive = old.archive
    pages = read_pages(archive, _pages_of(items), toc, old.title)
    items += more_items(archive, sorted(pages.used), items)
    sheets, used = _mended_sheets(archive, items, pages)
    items += more_items(archive, sorted(used), items)
    items, own_sheet = _with_own_sheet(old, pages, items)
    language = next((tree.get("lang") or "" for tree in pages.trees.values()), "")
    identifier_id = old.root.get("unique-identifier") or ""
    metadata = upgraded_metadata(old.repaired[0], identifier_id, old.title, language)
    spine = _spine(spine_paths(old), pages, items)
    items, navigation = _with_navigation(old, _Contents(toc, spine, pages), items, metadata)
    cover = cover_path(old)
    items = [_with_properties(item, pages, cover) for item in items]
    guide = _guide(old, pages)
    package = package_document(metadata, items, spine, old.path, guide, old.direction)
    documents = {path: serialized(tree) for path, tree in pages.trees.items()}
    container = container_document(archive, old.path)
    return {old.path: package, **container, **navigation, **sheets, **own_sheet, **documents}


def _with_own_sheet(
    old: OldPackage, pages: Pages, items: list[Item]
) -> tuple[list[Item], dict[str, bytes]]:
    """The items with a style sheet for the documents that link none, which link it now.

    Whoever says how text is to look while it sounds needs a sheet in each document.
    """
    places = Places(old.archive.find, {})
    bare = [path for path, tree in pages.trees.items() if not is_styled(tree, path, places)]
    if not bare:
        return items, {}
    sheet = _free_path(old.folder, "readalong", ".css", old.archive.names)
    for path in bare:
        link_sheet(pages.trees[path], relative_url(posixpath.dirname(path), sheet))
    item = Item(free_id("readalong", {item.id for item in items}), sheet, CSS_TYPE)
    return [*items, item], {sheet: OWN_SHEET}


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


@dataclass(frozen=True, slots=True)
class _Contents:
    """The contents of the book, as far as they lead to documents of its reading order."""

    toc: TableOfContents
    spine: Mapping[str, bool]
    pages: Pages

    def lines(self, folder: str) -> list[Line]:
        """The lines, or one for each document of a book without any, for a file in a folder."""
        url = partial(relative_url, folder)
        trees = self.pages.trees
        entries = [_entry(one, self.pages) for one in self.toc.entries if one.path in self.spine]
        readable = (path for path in self.spine if path in trees)
        by_page = [Line(_title_of(trees[path]), url(path, ""), []) for path in readable]
        return toc_lines(entries, url) or by_page

    def landmarks(self, folder: str) -> list[tuple[str, str, str]]:
        """(type, title, address) of the places that the guide names."""
        return [
            (kind, kind, relative_url(folder, path, _known(path, fragment, self.pages)))
            for landmark, path, fragment in self.toc.landmarks
            if (kind := LANDMARKS.get(landmark)) and path in self.spine
        ]


def _with_navigation(
    old: OldPackage, contents: _Contents, items: list[Item], metadata: Element
) -> tuple[list[Item], dict[str, bytes]]:
    """The items with those of the navigation document and the NCX, and the bytes of both."""
    base, names = old.folder, old.archive.names
    nav = _free_path(base, "nav", ".xhtml", names)
    declared = next((item.path for item in items if item.media_type == NCX_TYPE), "")
    ncx = declared or _free_path(base, "toc", ".ncx", names)
    ids = {item.id for item in items}
    added = [Item(free_id("nav", ids), nav, XHTML_TYPE, frozenset(("nav",)))]
    if not declared:
        added.append(Item(free_id("ncx", ids), ncx, NCX_TYPE))
    title, language = (first_text(metadata, name) for name in ("title", "language"))
    identifier, lines = identifier_of(metadata)[1], contents.lines(posixpath.dirname(ncx))
    made = {
        nav: nav_document(title, language, contents.lines(base), contents.landmarks(base)),
        ncx: ncx_document(title, identifier, lines),
    }
    return [*items, *added], made


def _free_path(folder: str, stem: str, suffix: str, names: Iterable[str]) -> str:
    """The path of a file that no archive entry has; on some systems case does not tell apart."""
    taken = {name.lower() for name in names}
    ends = chain((suffix,), (f"-{number}{suffix}" for number in count(2)))
    paths = (posixpath.join(folder, stem + end) for end in ends)
    return next(path for path in paths if path.lower() not in taken)


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


def _guide(old: OldPackage, pages: Pages) -> list[tuple[str, str]]:
    """The guide's references that lead to documents of the book (OPF 2.0.1, 2.6)."""
    places = Places(old.archive.find, {})
    found: list[tuple[str, str]] = []
    for node in old.named("reference"):
        path, fragment = target(node.get("href") or "", old.path, places)
        kind = (node.get("type") or "").strip()
        if path in pages.trees and kind:
            known = _known(path, fragment, pages)
            url = relative_url(old.folder, path, known)
            found.append((kind, url))
    return list(dict.fromkeys(found))
