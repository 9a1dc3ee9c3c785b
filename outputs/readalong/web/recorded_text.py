"""The text of a recording that is one file, such as a podcast's episode, and its times.

    <section class="recorded" data-clips="[[0,0,1830,[0,4,310,…]],…]" data-first="0" data-count="31"
        data-ms="93120">
      <section id="d0" class="document">…<span id="s0">He said no.</span>…</section>
    </section>

One section has all clips, in the order in which they sound, whichever document has their text. The
file of the audio is named by the page (`data-audio`). The times are in the page, as its text is
short: nothing has to be loaded before it plays, and no text can meet the times of another.
"""

from __future__ import annotations

import binascii
import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lxml import etree
from pydantic import TypeAdapter, ValidationError

from audiomill.inputs.markup.parser import Element
from audiomill.inputs.model.book import MIB, Book
from audiomill.outputs.pages.html_tree import element
from audiomill.outputs.readalong.document_audio import PieceClip
from audiomill.outputs.readalong.documents.xml import known_tag
from audiomill.outputs.readalong.narration import NarratedClip, NarratedDocument
from audiomill.outputs.readalong.source_books import SourceBook
from audiomill.outputs.readalong.web.book_page import chapter_entries, styled_root
from audiomill.outputs.readalong.web.contents import contents
from audiomill.outputs.readalong.web.pictures import PagePictures
from audiomill.outputs.readalong.web.sections import (
    ClipNumbers,
    Section,
    SectionPlace,
    clip_id,
    page_section,
)
from audiomill.outputs.readalong.web.times import SpanText, clip_times

MAX_PICTURE_BYTES = 32 * MIB  # of an episode
CREDITS = "credits"  # the class of what is said around the text
ClipTimes = Sequence[int | Sequence[int]]


@dataclass(frozen=True, slots=True)
class RecordedText:
    """The text of a recording: a list of links to its chapters, and a section with its clips.

    `pictures` are files, by the names by which the section shows them.
    """

    language: str
    contents: Element
    section: Element
    pictures: Mapping[str, bytes] = field(default_factory=dict[str, bytes])


def recorded_section(parts: Iterable[Element], clips: Sequence[ClipTimes]) -> Element:
    """A section of parts that have a span for each clip."""
    attributes = {
        "class": "recorded",
        "data-clips": json.dumps(clips, separators=(",", ":")),
        "data-first": "0",
        "data-count": str(len(clips)),
        "data-ms": str(clips[-1][2]),
    }
    return element("section", attributes, *parts)


def recorded_text(
    book: Book, source: SourceBook, documents: Sequence[NarratedDocument], sample_rate: int
) -> RecordedText | None:
    """The text of documents that sound in one recording; None if nothing of them sounds.

    Raises SourceError.
    """
    spoken = sorted(
        ((document.path, clip) for document in documents for clip in document.clips),
        key=lambda one: one[1].start,
    )
    if not spoken:
        return None
    pictures = PagePictures(source.entries, MAX_PICTURE_BYTES)
    sections = list(_sections(book, source, documents, spoken, pictures))
    texts = {at: text for section in sections for at, text in section.texts.items()}
    numbered = [(number, clip) for number, (_, clip) in enumerate(spoken)]
    first_clips: dict[int, str] = {}
    for number, clip in numbered:
        if clip.n_chars:
            first_clips.setdefault(clip.chapter, clip_id(number))
    return RecordedText(
        known_tag(book.language),
        contents(list(chapter_entries(book, source, _paths(source, documents), first_clips))),
        recorded_section(
            (one.element for one in sections if _has_text(one.element)),
            [_times(clip, texts.get(number), sample_rate) for number, clip in numbered],
        ),
        pictures.files(),
    )


def _paths(source: SourceBook, documents: Sequence[NarratedDocument]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*source.documents, *(one.path for one in documents))))


def _sections(
    book: Book,
    source: SourceBook,
    documents: Sequence[NarratedDocument],
    spoken: Sequence[tuple[str, NarratedClip]],
    pictures: PagePictures,
) -> Iterator[Section]:
    """A section for each document. `spoken` are the clips and the documents that have them."""
    marked = {one.path: one.content for one in documents}
    numbers = {path: number for number, path in enumerate(_paths(source, documents))}
    numbered: dict[str, list[tuple[int, NarratedClip]]] = {path: [] for path in numbers}
    for at, (path, clip) in enumerate(spoken):
        numbered[path].append((at, clip))
    credits_paths = _credits_paths(book, source)
    for path, number in numbers.items():
        place = SectionPlace(number, path, numbers, source.entries.find)
        root = styled_root(source, path, marked.get(path) or source.entries.read(path))
        section = page_section(place, root, ClipNumbers.of(numbered[path]), pictures)
        if path in credits_paths:
            section.element.set("class", f"{section.element.get('class')} {CREDITS}")
        yield section


def _credits_paths(book: Book, source: SourceBook) -> frozenset[str]:
    chapters = zip(book.chapters, source.paths, strict=True)
    return frozenset(path for chapter, own in chapters for path in own if chapter.is_credits)


def _has_text(section: Element) -> bool:
    return bool("".join(map(str, section.itertext())).strip())


def _times(clip: NarratedClip, text: SpanText | None, sample_rate: int) -> ClipTimes:
    start_ms, end_ms = (round(1000 * at / sample_rate) for at in (clip.start, clip.end))
    return clip_times(PieceClip(clip, 0, start_ms, end_ms), 0, text, sample_rate)


@dataclass(frozen=True, slots=True)
class _File:
    """What the file of a text has. The elements are XML: it is read as it was written."""

    language: str
    contents: str
    section: str
    pictures: dict[str, str] = field(default_factory=dict[str, str])  # in Base64


_FILE = TypeAdapter(_File | None)


def dumped(text: RecordedText | None) -> bytes:
    """The text as a file."""
    if text is None:
        return b"null\n"
    pictures = {name: b64encode(data).decode() for name, data in text.pictures.items()}
    file = _File(text.language, _xml(text.contents), _xml(text.section), pictures)
    return _FILE.dump_json(file, exclude_defaults=True) + b"\n"


def loaded(content: bytes) -> RecordedText | None:
    """The text of a file; None if it has none, or is damaged."""
    try:
        file = _FILE.validate_json(content)
        return file and RecordedText(
            file.language,
            _element(file.contents),
            _element(file.section),
            {name: b64decode(data) for name, data in file.pictures.items()},
        )
    except (ValidationError, etree.XMLSyntaxError, binascii.Error):
        return None


def _xml(one: Element) -> str:
    return etree.tostring(one, encoding="unicode")


def _element(xml: str) -> Element:
    return etree.fromstring(xml, etree.XMLParser(resolve_entities=False, huge_tree=True))
