"""The spine's documents to blocks, one at a time; knows reading order, not chapters."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from inputs.book import Skipped, SkipReason, SourceCorrupt, SourceTooLarge
from inputs.epub_archive import Archive
from inputs.epub_mend import READABLE_TYPES
from inputs.epub_package import Item, Package
from inputs.epub_pages import TITLES, Page, page_reason, picture_texts
from inputs.epub_toc import Contents
from inputs.markup import AnchoredBlock, walk
from inputs.markup_names import own_language, words_within
from inputs.markup_parse import Element, body_of, local_name, parse_xhtml
from inputs.markup_text import same_words, squeeze

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
class Reading:
    """What has been read so far."""

    documents: list[Document] = field(default_factory=list[Document])
    skipped: list[Skipped] = field(default_factory=list[Skipped])
    n_chars: int = 0


def read_documents(
    archive: Archive, package: Package, contents: Contents, language: str
) -> Reading:
    """Every document of the reading order walked, the others listed.

    Raises `SourceTooLarge`; a document that cannot be read is a warning and a `Skipped`.
    """
    reading = Reading()
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
        reading: Reading,
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
        walked = walk(body, where=item.path, language=self._language)
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
