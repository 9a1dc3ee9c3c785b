"""Makes the page of a narrated book, and the files beside it, of its documents and clips."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.markup.parser import Element, local_name, parse_xhtml, parse_xml
from audiomill.inputs.model.book import Book
from audiomill.outputs.readalong.document_audio import SUFFIX, PieceClip
from audiomill.outputs.readalong.epub import NarratedBook
from audiomill.outputs.readalong.narration import NarratedClip
from audiomill.outputs.readalong.source_books import SourceBook
from audiomill.outputs.readalong.web.assets import AUDIO, TIMES, Asset, asset
from audiomill.outputs.readalong.web.contents import ContentsEntry
from audiomill.outputs.readalong.web.looks import PROPERTIES, set_looks
from audiomill.outputs.readalong.web.page import PageBook, page_html, reader_assets
from audiomill.outputs.readalong.web.pictures import PagePictures
from audiomill.outputs.readalong.web.sections import (
    ClipNumbers,
    Section,
    SectionPlace,
    clip_id,
    page_section,
    section_id,
)
from audiomill.outputs.readalong.web.times import times_script

_VERTICAL = words("ja ko zh")  # languages that may be set from top to bottom


@dataclass(frozen=True, slots=True)
class BookPage:
    """The page of a book as UTF-8, and the files beside it."""

    html: bytes
    assets: tuple[Asset, ...]


@dataclass(frozen=True, slots=True)
class _PageDocument:
    """A document, its clips, and the number of the first of them in the book."""

    path: str
    content: bytes
    first: int = 0
    clips: tuple[PieceClip, ...] = ()

    def numbered(self) -> Iterator[tuple[int, NarratedClip]]:
        """The clips with their numbers in the book."""
        return enumerate((one.clip for one in self.clips), self.first)


def book_page(
    book: Book, source: SourceBook, narration: NarratedBook, sample_rate: int
) -> BookPage:
    """The page of a book whose clips are in samples at `sample_rate`.

    The same book and narration give the same bytes. Raises SourceError, OutputUnwritable.
    """
    documents = tuple(_documents(source, narration))
    pictures = PagePictures(source.entries)
    audio = [asset(AUDIO, SUFFIX, one.path) for one in narration.audio.pieces]
    audio_names = [one.name for one in audio]
    sections: list[Section] = []
    times: list[Asset] = []
    cover = pictures.cover(book.cover.data) if book.cover else ""
    for section, script in _sections(source, documents, pictures, audio_names, sample_rate):
        if script or not _shows_only(section.element, cover):  # which the page begins with
            sections.append(section)
        times += script
    shown = PageBook(
        book,
        cover,
        narration.narrators,
        sum(clip.end_ms - clip.start_ms for one in documents for clip in one.clips) / 1000,
        tuple(section.element for section in sections),
        tuple(_entries(book, source, documents)),
        is_vertical=_is_vertical(book, source),
    )
    beside = (*reader_assets(), *audio, *times, *pictures.assets.values())
    return BookPage(page_html(shown), beside)


def _documents(source: SourceBook, narration: NarratedBook) -> Iterator[_PageDocument]:
    """Those of the reading order; clips are counted in the order in which they sound."""
    spoken: dict[str, _PageDocument] = {}
    n_clips = 0
    for document, clips in zip(narration.documents, narration.audio.clips, strict=True):
        spoken[document.path] = _PageDocument(document.path, document.content, n_clips, clips)
        n_clips += len(clips)
    for path in dict.fromkeys((*source.documents, *spoken)):
        yield spoken.get(path) or _PageDocument(path, source.entries.read(path))


def _sections(
    source: SourceBook,
    documents: Sequence[_PageDocument],
    pictures: PagePictures,
    audio: Sequence[str],
    sample_rate: int,
) -> Iterator[tuple[Section, list[Asset]]]:
    """The sections, each with the script of its times if it has any."""
    numbers = {document.path: number for number, document in enumerate(documents)}
    for number, document in enumerate(documents):
        place = SectionPlace(number, document.path, numbers, source.entries.find)
        root = styled_root(source, document.path, document.content)
        clips = ClipNumbers.of(document.numbered())
        section = page_section(place, root, clips, pictures)
        if not document.clips:
            yield section, []
            continue
        texts = [section.texts.get(document.first + at) for at in range(len(document.clips))]
        times = asset(TIMES, ".js", times_script(number, audio, document.clips, texts, sample_rate))
        _set_times(section.element, document, times.name)
        yield section, [times]


def styled_root(source: SourceBook, path: str, content: bytes) -> Element:
    """The root element of a document, with what its style sheets hide and set apart."""
    root = parse_xhtml(content)
    if source.styles:
        source.styles.hide(root, path)
        set_looks(root, source.styles.cascade(root, path, PROPERTIES))
    return root


def _set_times(section: Element, document: _PageDocument, name: str) -> None:
    duration_ms = sum(one.end_ms - one.start_ms for one in document.clips)
    section.set("data-times", name)
    section.set("data-first", str(document.first))
    section.set("data-count", str(len(document.clips)))
    section.set("data-ms", str(duration_ms))


def _shows_only(section: Element, picture: str) -> bool:
    is_empty = not "".join(map(str, section.itertext())).strip()
    return is_empty and [one.get("src") for one in section.iter("img")] == [picture]


def _entries(
    book: Book, source: SourceBook, documents: Sequence[_PageDocument]
) -> Iterator[ContentsEntry]:
    paths = [document.path for document in documents]
    first_clips: dict[int, str] = {}
    for number, document in enumerate(documents):
        for at, clip in document.numbered():
            if clip.n_chars:
                first_clips.setdefault(clip.chapter, clip_id(at))
            elif at == document.first:  # a picture: the section begins to sound with it
                first_clips.setdefault(clip.chapter, section_id(number))
    return chapter_entries(book, source, paths, first_clips)


def chapter_entries(
    book: Book, source: SourceBook, documents: Sequence[str], first_clips: Mapping[int, str]
) -> Iterator[ContentsEntry]:
    """A line for each chapter of the book that a page of these documents has.

    `first_clips` are the ids of where chapters begin to sound.
    """
    sections = {path: section_id(number) for number, path in enumerate(documents)}
    for number, chapter in enumerate(book.chapters):
        path = next(filter(None, source.paths[number]), "")
        target = first_clips.get(number) or sections.get(path)
        if chapter.title and not chapter.is_credits and target:
            yield ContentsEntry(chapter.title, chapter.level, target)


def _is_vertical(book: Book, source: SourceBook) -> bool:
    """Whether the pages are turned from right to left in a language that is set downwards so."""
    root = parse_xml(source.entries.read(source.package))
    spine = next((one for one in root.iter() if local_name(one) == "spine"), None)
    is_to_left = spine is not None and spine.get("page-progression-direction") == "rtl"
    return is_to_left and book.language.partition("-")[0].lower() in _VERTICAL
