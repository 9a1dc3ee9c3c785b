"""Converts the documents of the reading order to blocks, one at a time.

Decides which pages are left out as a whole: front matter, tables of contents, pages of pictures;
and takes out notes that no markup identifies. Knows nothing of chapters.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from audiomill.inputs.book import BlockKind, Skipped, SkipReason, SourceCorrupt, SourceTooLarge
from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.epub.package import READABLE_TYPES, ManifestItem, Package, resolve
from audiomill.inputs.epub.toc import TableOfContents
from audiomill.inputs.markup.blocks import AnchoredBlock, to_blocks
from audiomill.inputs.markup.parser import Element, body_of, local_name, parse_xhtml
from audiomill.inputs.markup.semantics import HEADINGS, own_language, text_within, words_within
from audiomill.inputs.markup.text import comparison_key, normalise_spaces

FRONT_MATTER = frozenset(
    ("cover", "title-page", "titlepage", "halftitlepage", "copyright-page", "copyright")
)
# Titles in a table of contents ─▶ the landmark type of such a page. Lower case, without spaces.
TITLE_TYPES = {
    **dict.fromkeys(("cover", "coverpage", "frontcover"), "cover"),
    **dict.fromkeys(("titlepage", "halftitle", "halftitlepage"), "titlepage"),
    **dict.fromkeys(("copyright", "copyrightpage", "copyrightnotice"), "copyright-page"),
    **dict.fromkeys(("contents", "tableofcontents"), "toc"),
}
BODY = frozenset(("text", "bodymatter", "start"))  # landmarks of the start of the text
LONGEST_FRONT_MATTER_CHARS = 4_000  # the landmark of a longer page is wrong
STRAY_CHARS = 300  # headings and the like around the lists of a navigation document
FEWEST_LINKS = 3  # of a page that is a table of contents
FEWEST_TAG_BYTES = 32  # per tag, at the size limit: a tag takes far more memory than its bytes
N_LANGUAGE_PAGES = 5  # searched for a language if the package names none
NOTE_KINDS = frozenset((BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.QUOTE))
PICTURES = frozenset(("img", "image", "svg", "object", "picture"))


@dataclass(frozen=True, slots=True)
class Document:
    """The blocks of one file of the book. `title` is its `<title>`."""

    path: str
    blocks: tuple[AnchoredBlock, ...]
    end_ids: tuple[str, ...]
    title: str
    note_links: tuple[str, ...] = ()  # the hrefs of note references that were left out


@dataclass(slots=True)
class ReadDocuments:
    """The documents and the skipped texts that have been read so far."""

    documents: list[Document] = field(default_factory=list[Document])
    skipped: list[Skipped] = field(default_factory=list[Skipped])
    n_chars: int = 0


def read_documents(
    archive: Archive, package: Package, toc: TableOfContents, language: str
) -> ReadDocuments:
    """Read every document of the reading order; the others are listed as skipped.

    A document that cannot be read becomes a warning and a `Skipped`. Raises SourceTooLarge.
    """
    result = ReadDocuments()
    reader = _Reader(archive, package, _landmark_types(toc), language, result)
    for item in dict.fromkeys(_reading_order(archive, package)):
        reader.read(item)
    for item in dict.fromkeys(package.non_linear):
        if item not in package.spine and package.spine:
            reader.leave_out(item)
    return result


def first_language(archive: Archive, package: Package) -> str:
    """Return the first language that one of the first documents declares; "" if none does."""
    for item in package.spine[:N_LANGUAGE_PAGES]:
        if item.path and item.media_type in READABLE_TYPES:
            try:
                root = parse_xhtml(archive.read(item.path))
            except SourceCorrupt:
                continue  # reported when it is read as part of the book
            for element in (root, body_of(root)):
                language = own_language(element)
                if language:
                    return language
    return ""


def _landmark_types(toc: TableOfContents) -> dict[str, set[str]]:
    """The types of whole files, by path: from landmarks and from titles such as "Copyright"."""
    types: dict[str, set[str]] = {}
    for landmark_type, path, fragment in toc.landmarks:
        if not fragment:
            types.setdefault(path, set()).add(landmark_type)
    n_entries = Counter(entry.path for entry in toc.entries)
    for entry in toc.entries:
        landmark_type = TITLE_TYPES.get(comparison_key(entry.title))
        if landmark_type and n_entries[entry.path] == 1:
            types.setdefault(entry.path, set()).add(landmark_type)
    return types


def _reading_order(archive: Archive, package: Package) -> tuple[ManifestItem, ...]:
    if package.spine:
        return package.spine
    if package.non_linear:
        archive.warnings.append("every document is marked as outside the reading order; all read")
        return package.non_linear
    archive.warnings.append("the book gives no reading order; its files are read as listed")
    return tuple(i for i in package.items if i.media_type in READABLE_TYPES and i != package.nav)


class _Reader:
    """Adds the documents of one EPUB to a `ReadDocuments`, one by one."""

    def __init__(
        self,
        archive: Archive,
        package: Package,
        landmark_types: dict[str, set[str]],
        language: str,
        result: ReadDocuments,
    ) -> None:
        self._archive = archive
        self._nav = package.nav
        self._landmark_types = landmark_types
        self._language = language
        self._result = result

    def read(self, item: ManifestItem) -> None:
        """Convert one document to blocks, or list it as skipped."""
        root = self._parse(item)
        if root is None or item.path is None:
            return
        body = body_of(root)
        types = frozenset(self._landmark_types.get(item.path, ()))
        page = _Page(body, is_nav=item == self._nav, landmark_types=types)
        reason = _page_reason(page)
        if reason:
            self._skip(reason, normalise_spaces(words_within(body)), item.path)
            return
        result = to_blocks(body, where=item.path, language=self._language)
        for skipped in result.skipped:
            self._skip(skipped.reason, skipped.text, skipped.where)
        self._count(sum(len(anchored.block.text) for anchored in result.blocks))
        if any(anchored.block.text for anchored in result.blocks):
            title = next((normalise_spaces(n.text or "") for n in root.iter() if _is_title(n)), "")
            self._result.documents.append(
                Document(item.path, result.blocks, result.end_ids, title, result.note_links)
            )
        else:
            pictures = _picture_texts(body)
            if pictures is not None:
                self._skip(SkipReason.IMAGE_ONLY, pictures, item.path)

    def leave_out(self, item: ManifestItem) -> None:
        """List a document outside the reading order as skipped."""
        root = self._parse(item)
        if root is not None:
            reason = SkipReason.NOT_IN_READING_ORDER
            if item == self._nav:
                reason = SkipReason.TABLE_OF_CONTENTS
            self._skip(
                reason, normalise_spaces(words_within(body_of(root))), item.path or item.href
            )

    def _parse(self, item: ManifestItem) -> Element | None:
        where = item.path or item.href
        if item.media_type.startswith("image/") and item.media_type not in READABLE_TYPES:
            self._skip(SkipReason.IMAGE_ONLY, "", where)
            return None
        try:
            data = self._read_item(item)
            self._check_tags(data)
            return parse_xhtml(data)
        except SourceCorrupt as error:
            self._archive.warnings.append(f"{where}: {error}; it is left out")
            self._skip(SkipReason.UNREADABLE, "", where)
            return None

    def _read_item(self, item: ManifestItem) -> bytes:
        if item.path is None:
            raise SourceCorrupt("it is not in the archive")
        if item.media_type not in READABLE_TYPES:
            raise SourceCorrupt(f"it is {item.media_type or 'of no known type'}, not text")
        return self._archive.read(item.path)

    def _check_tags(self, data: bytes) -> None:
        limits = self._archive.limits
        if data.count(b"<") > max(limits.max_entry_bytes // FEWEST_TAG_BYTES, 1000):
            raise SourceTooLarge(
                f"“{self._archive.name}” holds a page with too many tags for its size limit.\n"
                "If you trust the file, raise max_entry_bytes."
            )

    def _skip(self, reason: SkipReason, text: str, where: str) -> None:
        self._count(len(text))
        self._result.skipped.append(Skipped(reason, text, where))

    def _count(self, n_chars: int) -> None:
        self._result.n_chars += n_chars
        limit = self._archive.limits.max_text_chars
        if self._result.n_chars > limit:
            raise SourceTooLarge(
                f"“{self._archive.name}” holds more than {limit:,} characters of text.\n"
                "If you trust the file, raise max_text_chars."
            )


def _is_title(node: Element) -> bool:
    parent = node.getparent()
    return local_name(node) == "title" and parent is not None and local_name(parent) == "head"


@dataclass(frozen=True, slots=True)
class _Page:
    """A page before it is converted to blocks."""

    body: Element
    is_nav: bool  # it is the navigation document
    landmark_types: frozenset[str]  # of the landmarks that lead to it


def _page_reason(page: _Page) -> SkipReason | None:
    """Return the reason why a whole page is not spoken, or None if it is to be read."""
    text = normalise_spaces(text_within(page.body))
    if not text:
        return None
    if page.is_nav and len(text) - _chars_within(page.body, frozenset(("nav",))) < STRAY_CHARS:
        return SkipReason.TABLE_OF_CONTENTS
    if _is_list_of_links(page.body, least_share=0.5 if "toc" in page.landmark_types else 0.85):
        return SkipReason.TABLE_OF_CONTENTS
    is_front = page.landmark_types & FRONT_MATTER and not page.landmark_types & BODY
    if is_front and len(text) <= LONGEST_FRONT_MATTER_CHARS:
        return SkipReason.FRONT_MATTER
    return None


def _picture_texts(body: Element) -> str | None:
    """Return the alternative texts of a page's pictures; None if it has no pictures."""
    pictures = [node for node in body.iter() if local_name(node) in PICTURES]
    if not pictures:
        return None
    return "; ".join(alt for node in pictures if (alt := normalise_spaces(node.get("alt") or "")))


def _chars_within(body: Element, names: frozenset[str]) -> int:
    """The number of characters inside elements of these names; nested ones count once."""
    n_chars = 0
    for node in body.iter():
        if local_name(node) in names and names.isdisjoint(map(local_name, node.iterancestors())):
            n_chars += len(normalise_spaces(text_within(node)))
    return n_chars


def _is_list_of_links(body: Element, *, least_share: float) -> bool:
    """True if links into the book are at least `least_share` of the text outside headings."""
    links = [node for node in body.iter() if local_name(node) == "a" and _leads_inside(node)]
    if len(links) < FEWEST_LINKS:
        return False
    n_linked = sum(len(normalise_spaces(text_within(link))) for link in links)
    n_all = len(normalise_spaces(text_within(body))) - _chars_within(body, frozenset(HEADINGS))
    return n_linked > 0 and n_linked >= least_share * n_all


def _leads_inside(link: Element) -> bool:
    """True for a link to another file of the book. Links of notes stay in their own file."""
    href = (link.get("href") or "").strip()
    return bool(href) and not href.startswith("#") and ":" not in href


def remove_notes(
    documents: list[Document], find: Callable[[str], str | None]
) -> tuple[list[Document], list[Skipped]]:
    """Return (the documents without notes that no markup identifies, these notes).

    A block is such a note if a note reference leads to it and it begins with a link of the same
    kind. The ids of a note pass to the next block. `find` is `Archive.find`.
    """
    targets = {
        target
        for document in documents
        for href in document.note_links
        if (target := _target(document.path, href, find))
    }
    remaining: list[Document] = []
    skipped: list[Skipped] = []
    for document in documents:
        blocks: list[AnchoredBlock] = []
        pending_ids: tuple[str, ...] = ()
        for anchored in document.blocks:
            if _is_note(document.path, anchored, targets):
                block = anchored.block
                skipped.append(Skipped(SkipReason.NOTE, block.text, block.where))
                pending_ids += anchored.ids
            else:
                blocks.append(replace(anchored, ids=pending_ids + anchored.ids))
                pending_ids = ()
        if blocks:
            end_ids = pending_ids + document.end_ids
            remaining.append(replace(document, blocks=tuple(blocks), end_ids=end_ids))
    return remaining, skipped


def _is_note(path: str, anchored: AnchoredBlock, targets: set[tuple[str, str]]) -> bool:
    return (
        bool(anchored.opening_link)
        and anchored.block.kind in NOTE_KINDS
        and any((path, name) in targets for name in anchored.ids)
    )


def _target(path: str, href: str, find: Callable[[str], str | None]) -> tuple[str, str] | None:
    """(path, fragment) of a link in the file `path`; None if it does not lead to an id."""
    linked_path, fragment = resolve(posixpath.dirname(path), href)
    target_path = find(linked_path) if linked_path else path
    return (target_path, fragment) if target_path and fragment else None
