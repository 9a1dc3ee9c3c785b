"""Converts the documents of the reading order to blocks, one at a time.

Lists what is not read as skipped: pages that are left out as a whole, pages of pictures, documents
outside the reading order. Knows nothing of chapters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.epub.frames import FrameReader
from audiomill.inputs.epub.opf_repair import READABLE_TYPES
from audiomill.inputs.epub.package import ManifestItem, Package
from audiomill.inputs.epub.page_reasons import Page, page_reason
from audiomill.inputs.epub.styles import StyleSheets
from audiomill.inputs.epub.toc import TableOfContents
from audiomill.inputs.gutenberg.pages import take_all, take_edition
from audiomill.inputs.gutenberg.typed_notes import without_typed_asides
from audiomill.inputs.gutenberg.wording import without_label
from audiomill.inputs.markup.blocks import to_blocks
from audiomill.inputs.markup.joining import AnchoredBlock
from audiomill.inputs.markup.page_titles import title_types
from audiomill.inputs.markup.parser import Element, body_of, local_name, parse_xhtml
from audiomill.inputs.markup.pictures import printed_texts, words_and_pictures
from audiomill.inputs.markup.semantics import own_language
from audiomill.inputs.markup.text import normalise_spaces
from audiomill.inputs.model.book import Skipped, SkipReason, SourceCorrupt, SourceTooLarge
from audiomill.inputs.model.ledger import words_of
from audiomill.inputs.reading.rules import ReadingRules

FEWEST_TAG_BYTES = 32  # per tag, at the size limit: a tag takes far more memory than its bytes
DOCUMENT_TYPES = READABLE_TYPES - {"image/svg+xml"}
N_LANGUAGE_PAGES = 5  # searched for a language if the package names none
PICTURE_REASONS = frozenset((SkipReason.ALTERNATIVE_TEXT, SkipReason.BADGE))
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
    # By all documents, and what is written out: how often each word occurs.
    printed: Counter[str] = field(default_factory=Counter[str])
    # (path, id) of what is about the edition and is not read: no chapter begins there
    edition_ids: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])


def read_documents(
    archive: Archive,
    package: Package,
    toc: TableOfContents,
    language: str,
    rules: ReadingRules,
) -> ReadDocuments:
    """Read every document of the reading order; the others are listed as skipped.

    A document that cannot be read becomes a warning and a `Skipped`. Raises SourceTooLarge.
    """
    result = ReadDocuments()
    order = dict.fromkeys(_reading_order(archive, package))
    reader = _Reader(archive, package, order, _landmark_types(toc), language, rules, result)
    for item in order:
        reader.read(item)
    for item in dict.fromkeys((*package.non_linear, *outside_spine(package))):
        if item not in order:
            reader.leave_out(item)
    return result


def outside_spine(package: Package) -> tuple[ManifestItem, ...]:
    """Return the documents that the spine leaves out. Pictures are no documents."""
    listed = {*package.spine, *package.non_linear, package.nav}
    return tuple(
        one
        for one in package.items
        if one.path and one.media_type in DOCUMENT_TYPES and one not in listed
    )


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
        if n_entries[entry.path] == 1:
            types.setdefault(entry.path, set()).update(title_types(entry.title))
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
        order: Iterable[ManifestItem],
        landmark_types: dict[str, set[str]],
        language: str,
        rules: ReadingRules,
        result: ReadDocuments,
    ) -> None:
        self._archive = archive
        self._nav = package.nav
        self._frames = FrameReader(archive, package, order, self._parse)
        self._styles = StyleSheets(archive)
        self._landmark_types = landmark_types
        self._language = language
        self._rules = rules
        self._result = result
        self._is_edition = _is_of_project(package)
        self._has_ended = False  # what follows is the licence

    def read(self, item: ManifestItem) -> None:
        """Convert one document to blocks, or list it as skipped."""
        root = self._parse(item)
        if root is None or item.path is None:
            return
        body = body_of(root)
        self._frames.embed(body, item.path)
        self._result.printed.update(words_of(printed_texts(body)))
        self._take_edition(body, item.path)
        types = frozenset(self._landmark_types.get(item.path, ()))
        page = Page(body, is_nav=item == self._nav, landmark_types=types)
        reason = page_reason(page)
        text = words_and_pictures(body) if reason else ""
        if reason and not self._rules.reads(reason, text, item.path):
            self._skip(reason, text, item.path)
            return
        result = to_blocks(body, where=item.path, language=self._language, rules=self._rules)
        result = without_typed_asides(result, self._rules, is_edition=self._is_edition)
        self._result.printed.update(words_of(result.written_out))
        has_text = any(anchored.block.text for anchored in result.blocks)
        for skipped in result.skipped:
            # The pictures of a page without text are listed together.
            if has_text or skipped.reason not in PICTURE_REASONS:
                self._skip(skipped.reason, skipped.text, skipped.where)
        self._count(sum(len(anchored.block.text) for anchored in result.blocks))
        if has_text:
            title = next((normalise_spaces(n.text or "") for n in root.iter() if _is_title(n)), "")
            title = without_label(title).title
            self._result.documents.append(
                Document(item.path, result.blocks, result.end_ids, title, result.note_links)
            )
        elif any(local_name(node) in PICTURES for node in body.iter()):
            words = (one.text for one in result.skipped if one.reason in PICTURE_REASONS)
            self._skip(SkipReason.IMAGE_ONLY, "; ".join(words), item.path)

    def _take_edition(self, body: Element, path: str) -> None:
        """List the licence and the like in an edition of Project Gutenberg, and take it out."""

        def reads(text: str, place: str) -> bool:
            where = f"{path}#{place}" if place else path
            return self._rules.reads(SkipReason.EDITION, text, where)

        parts = take_edition(body, is_known=self._is_edition, reads=reads)
        if self._has_ended and not parts.begins:
            rest = take_all(body, reads)
            parts.taken += rest.taken
            parts.ids |= rest.ids
        self._is_edition |= parts.is_known
        self._has_ended = parts.ends or (self._has_ended and not parts.begins)
        self._result.edition_ids |= {(path, name) for name in parts.ids}
        for text, place in parts.taken:
            self._skip(SkipReason.EDITION, text, f"{path}#{place}" if place else path)

    def leave_out(self, item: ManifestItem) -> None:
        """List a document outside the reading order as skipped, unless a frame shows it."""
        root = None if self._frames.has_embedded(item) else self._parse(item)
        if root is not None:
            reason = SkipReason.NOT_IN_READING_ORDER
            if item == self._nav:
                reason = SkipReason.TABLE_OF_CONTENTS
            body = body_of(root)
            self._result.printed.update(words_of(printed_texts(body)))
            self._skip(reason, words_and_pictures(body), item.path or item.href)

    def _parse(self, item: ManifestItem) -> Element | None:
        where = item.path or item.href
        if item.media_type.startswith("image/") and item.media_type not in READABLE_TYPES:
            self._skip(SkipReason.IMAGE_ONLY, "", where)
            return None
        try:
            data = self._read_item(item)
            self._check_tags(data)
            root = parse_xhtml(data)
        except SourceCorrupt as error:
            self._archive.warnings.append(f"{where}: {error}; it is left out")
            self._skip(SkipReason.UNREADABLE, "", where)
            return None
        self._styles.hide(root, where)
        return root

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


def _is_of_project(package: Package) -> bool:
    """True if the package says that the book is an edition of Project Gutenberg."""
    return any("gutenberg.org" in meta.value.lower() for meta in package.metadata)


def _is_title(node: Element) -> bool:
    parent = node.getparent()
    return local_name(node) == "title" and parent is not None and local_name(parent) == "head"
