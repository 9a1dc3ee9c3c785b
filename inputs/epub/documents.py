"""The spine's documents to blocks, one at a time; knows reading order, not chapters."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from audiomill.inputs.book import BlockKind, Skipped, SkipReason, SourceCorrupt, SourceTooLarge
from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.epub.package import READABLE_TYPES, Item, Package, resolve
from audiomill.inputs.epub.toc import Contents
from audiomill.inputs.markup.blocks import AnchoredBlock, to_blocks
from audiomill.inputs.markup.parser import Element, body_of, local_name, parse_xhtml
from audiomill.inputs.markup.semantics import HEADINGS, own_language, text_within, words_within
from audiomill.inputs.markup.text import same_words, squeeze

# Pages that are not read aloud as a whole:

FRONT_MATTER = frozenset(
    ("cover", "title-page", "titlepage", "halftitlepage", "copyright-page", "copyright")
)
# Lines of a table of contents that lead to such pages, without spaces and in lower case.
TITLES = {
    **dict.fromkeys(("cover", "coverpage", "frontcover"), "cover"),
    **dict.fromkeys(("titlepage", "halftitle", "halftitlepage"), "titlepage"),
    **dict.fromkeys(("copyright", "copyrightpage", "copyrightnotice"), "copyright-page"),
    **dict.fromkeys(("contents", "tableofcontents"), "toc"),
}
BODY = frozenset(("text", "bodymatter", "start"))  # where a landmark says the reading begins
LONGEST_FRONT_MATTER_CHARS = 4_000  # a landmark on more than that points at the wrong page
STRAY_CHARS = 300  # of headings and the like around a navigation document's lists
FEWEST_LINKS = 3
PICTURES = frozenset(("img", "image", "svg", "object", "picture"))


@dataclass(frozen=True, slots=True)
class Page:
    """What is known of a page before it is walked."""

    body: Element
    is_nav: bool
    meanings: frozenset[str]  # of the landmarks that lead to it


def page_reason(page: Page) -> SkipReason | None:
    """Why a whole page stays unspoken, or None if it is to be walked."""
    text = squeeze(text_within(page.body))
    if not text:
        return None
    if page.is_nav and len(text) - _chars_within(page.body, frozenset(("nav",))) < STRAY_CHARS:
        return SkipReason.TABLE_OF_CONTENTS
    if _is_list_of_links(page.body, least_share=0.5 if "toc" in page.meanings else 0.85):
        return SkipReason.TABLE_OF_CONTENTS
    is_front = page.meanings & FRONT_MATTER and not page.meanings & BODY
    if is_front and len(text) <= LONGEST_FRONT_MATTER_CHARS:
        return SkipReason.FRONT_MATTER
    return None


def picture_texts(body: Element) -> str | None:
    """The alternative texts of a page's pictures; None if it has no pictures."""
    pictures = [node for node in body.iter() if local_name(node) in PICTURES]
    if not pictures:
        return None
    return "; ".join(alt for node in pictures if (alt := squeeze(node.get("alt") or "")))


def _chars_within(body: Element, names: frozenset[str]) -> int:
    """Characters inside elements of these names; a nested one is counted once."""
    n_chars = 0
    for node in body.iter():
        if local_name(node) in names and names.isdisjoint(map(local_name, node.iterancestors())):
            n_chars += len(squeeze(text_within(node)))
    return n_chars


def _is_list_of_links(body: Element, *, least_share: float) -> bool:
    """True if nearly all the text outside headings is links into the book."""
    links = [node for node in body.iter() if local_name(node) == "a" and _leads_inside(node)]
    if len(links) < FEWEST_LINKS:
        return False
    n_linked = sum(len(squeeze(text_within(link))) for link in links)
    n_all = len(squeeze(text_within(body))) - _chars_within(body, frozenset(HEADINGS))
    return n_linked > 0 and n_linked >= least_share * n_all


def _leads_inside(link: Element) -> bool:
    """True for a link to another file of the book: notes link within their own."""
    href = (link.get("href") or "").strip()
    return bool(href) and not href.startswith("#") and ":" not in href


FEWEST_TAG_BYTES = 32  # per tag, at the size limit: a tag takes far more memory than its bytes
N_PAGES_ASKED = 5  # for their language, where the package has none


@dataclass(frozen=True, slots=True)
class Document:
    """A file of the book, walked. `title` is its `<title>`."""

    path: str
    blocks: tuple[AnchoredBlock, ...]
    end_ids: tuple[str, ...]
    title: str
    note_links: tuple[str, ...] = ()  # the hrefs of marks of notes, held back


@dataclass(slots=True)
class ReadDocuments:
    """What has been read so far."""

    documents: list[Document] = field(default_factory=list[Document])
    skipped: list[Skipped] = field(default_factory=list[Skipped])
    n_chars: int = 0


def read_documents(
    archive: Archive, package: Package, contents: Contents, language: str
) -> ReadDocuments:
    """Every document of the reading order walked, the others listed.

    Raises `SourceTooLarge`; a document that cannot be read is a warning and a `Skipped`.
    """
    reading = ReadDocuments()
    reader = _Reader(archive, package, _meanings(contents), language, reading)
    for item in dict.fromkeys(_reading_order(archive, package)):
        reader.read(item)
    for item in dict.fromkeys(package.beside_spine):
        if item not in package.spine and package.spine:
            reader.leave_out(item)
    return reading


def spoken_language(archive: Archive, package: Package) -> str:
    """The language that the first documents say they are in; "" if they do not."""
    for item in package.spine[:N_PAGES_ASKED]:
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


def _meanings(contents: Contents) -> dict[str, set[str]]:
    """What landmarks and telling lines of the table of contents say of whole files."""
    meanings: dict[str, set[str]] = {}
    for meaning, path, fragment in contents.landmarks:
        if not fragment:
            meanings.setdefault(path, set()).add(meaning)
    n_lines = Counter(entry.path for entry in contents.entries)
    for entry in contents.entries:
        meaning = TITLES.get(same_words(entry.title))
        if meaning and n_lines[entry.path] == 1:
            meanings.setdefault(entry.path, set()).add(meaning)
    return meanings


def _reading_order(archive: Archive, package: Package) -> tuple[Item, ...]:
    if package.spine:
        return package.spine
    if package.beside_spine:
        archive.warnings.append("every document is marked as outside the reading order; all read")
        return package.beside_spine
    archive.warnings.append("the book gives no reading order; its files are read as listed")
    return tuple(i for i in package.items if i.media_type in READABLE_TYPES and i != package.nav)


class _Reader:
    def __init__(
        self,
        archive: Archive,
        package: Package,
        meanings: dict[str, set[str]],
        language: str,
        reading: ReadDocuments,
    ) -> None:
        self._archive = archive
        self._nav = package.nav
        self._meanings = meanings
        self._language = language
        self._reading = reading

    def read(self, item: Item) -> None:
        """Walk one document, or list why not."""
        root = self._tree(item)
        if root is None or item.path is None:
            return
        body = body_of(root)
        page = Page(body, item == self._nav, frozenset(self._meanings.get(item.path, ())))
        reason = page_reason(page)
        if reason:
            self._skip(reason, squeeze(words_within(body)), item.path)
            return
        walked = to_blocks(body, where=item.path, language=self._language)
        for skipped in walked.skipped:
            self._skip(skipped.reason, skipped.text, skipped.where)
        self._count(sum(len(anchored.block.text) for anchored in walked.blocks))
        if any(anchored.block.text for anchored in walked.blocks):
            title = next((squeeze(n.text or "") for n in root.iter() if _is_title(n)), "")
            self._reading.documents.append(
                Document(item.path, walked.blocks, walked.end_ids, title, walked.note_links)
            )
        else:
            pictures = picture_texts(body)
            if pictures is not None:
                self._skip(SkipReason.IMAGE_ONLY, pictures, item.path)

    def leave_out(self, item: Item) -> None:
        """List a document that stands outside the reading order."""
        root = self._tree(item)
        if root is not None:
            reason = SkipReason.NOT_IN_READING_ORDER
            if item == self._nav:
                reason = SkipReason.TABLE_OF_CONTENTS
            self._skip(reason, squeeze(words_within(body_of(root))), item.path or item.href)

    def _tree(self, item: Item) -> Element | None:
        where = item.path or item.href
        if item.media_type.startswith("image/") and item.media_type not in READABLE_TYPES:
            self._skip(SkipReason.IMAGE_ONLY, "", where)
            return None
        try:
            data = self._data(item)
            self._check_tags(data)
            return parse_xhtml(data)
        except SourceCorrupt as error:
            self._archive.warnings.append(f"{where}: {error}; it is left out")
            self._skip(SkipReason.UNREADABLE, "", where)
            return None

    def _data(self, item: Item) -> bytes:
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
        self._reading.skipped.append(Skipped(reason, text, where))

    def _count(self, n_chars: int) -> None:
        self._reading.n_chars += n_chars
        limit = self._archive.limits.max_text_chars
        if self._reading.n_chars > limit:
            raise SourceTooLarge(
                f"“{self._archive.name}” holds more than {limit:,} characters of text.\n"
                "If you trust the file, raise max_text_chars."
            )


def _is_title(node: Element) -> bool:
    parent = node.getparent()
    return local_name(node) == "title" and parent is not None and local_name(parent) == "head"


# Notes that no markup names:

NOTE_KINDS = frozenset((BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.QUOTE))


def without_notes(
    documents: list[Document], find: Callable[[str], str | None]
) -> tuple[list[Document], list[Skipped]]:
    """The documents without such notes, and the notes; their ids pass to what follows them."""
    targets = {
        target
        for document in documents
        for href in document.note_links
        if (target := _target(document.path, href, find))
    }
    kept: list[Document] = []
    skipped: list[Skipped] = []
    for document in documents:
        blocks: list[AnchoredBlock] = []
        waiting: tuple[str, ...] = ()
        for anchored in document.blocks:
            if _is_note(document.path, anchored, targets):
                block = anchored.block
                skipped.append(Skipped(SkipReason.NOTE, block.text, block.where))
                waiting += anchored.ids
            else:
                blocks.append(replace(anchored, ids=waiting + anchored.ids))
                waiting = ()
        if blocks:
            end_ids = waiting + document.end_ids
            kept.append(replace(document, blocks=tuple(blocks), end_ids=end_ids))
    return kept, skipped


def _is_note(path: str, anchored: AnchoredBlock, targets: set[tuple[str, str]]) -> bool:
    """True for a block that a mark leads to and that begins with a mark of its own."""
    return (
        bool(anchored.opening_link)
        and anchored.block.kind in NOTE_KINDS
        and any((path, name) in targets for name in anchored.ids)
    )


def _target(path: str, href: str, find: Callable[[str], str | None]) -> tuple[str, str] | None:
    to, fragment = resolve(posixpath.dirname(path), href)
    found = find(to) if to else path
    return (found, fragment) if found and fragment else None
