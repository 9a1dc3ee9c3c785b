"""A digest: short articles that become one recording, with a chapter for each.

    opening │ intro, article │ intro, article │ … │ closing
    credits   a chapter        a chapter           credits

The list is a file of JSON. The articles stay in files of their own. Each is cut into segments
alone, so it has the voice, the language, the lexicon and the pauses that it has alone, and the same
segments: what was rendered for it alone is not rendered again.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import Any

from audiomill.inputs.json_text import parse_json
from audiomill.inputs.languages.registry import credits_wording
from audiomill.inputs.metadata.credits import WHERE
from audiomill.inputs.model.book import (
    Block,
    BlockKind,
    Book,
    Chapter,
    Manuscript,
    Segment,
    SourceCorrupt,
)

DIGEST_SUFFIX = ".digest"


@dataclass(frozen=True, slots=True)
class DigestArticle:
    """An article of a digest, and who reads it."""

    path: Path
    title: str = ""  # of its chapter if the article itself names none
    voice: str | None = None  # None: the engine's default for the article's language
    cast: Path | None = None  # its casting file


@dataclass(frozen=True, slots=True)
class Digest:
    """Articles in the order in which they are read, and what is said around them."""

    id: str
    title: str
    language: str  # BCP 47, of what is said before and after all articles
    date: str  # ISO 8601
    opening: str  # said before all articles; "": nothing
    closing: str  # said after them
    intro: str  # said before each article: a template of credits
    articles: tuple[DigestArticle, ...]


def dumped(digest: Digest) -> bytes:
    """The content of the file of a digest."""
    return json.dumps(asdict(digest), ensure_ascii=False, indent=1, default=str).encode() + b"\n"


def load(path: Path) -> Digest:
    """The digest in a file. Raises SourceCorrupt for another file, and OSError."""
    data = path.read_bytes()
    try:
        content = parse_json(data)
        articles = tuple(_article(one) for one in content.pop("articles"))
        return Digest(**content, articles=articles)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SourceCorrupt(f"“{path.name}” is no list of articles. Make it again.") from error


def _article(content: Mapping[str, Any]) -> DigestArticle:
    cast = content["cast"]
    path = Path(content["path"])
    return DigestArticle(path, content["title"], content["voice"], Path(cast) if cast else None)


@dataclass(frozen=True, slots=True)
class _ChapterPart:
    """A chapter with its segments, whose blocks are counted from its first one."""

    chapter: Chapter
    segments: Sequence[Segment]


def frame_of(digest: Digest) -> Book:
    """What is said before and after all articles, as a book of its own."""
    wording = credits_wording(digest.language)
    said = ((wording.opening_title, digest.opening), (wording.closing_title, digest.closing))
    return Book(
        title=digest.title,
        authors=(),
        language=digest.language,
        chapters=tuple(Chapter(title, _block_of(text), is_credits=True) for title, text in said),
        source_id=hashlib.sha256(digest.id.encode()).hexdigest(),
        date=digest.date,
    )


def _block_of(text: str) -> tuple[Block, ...]:
    return (Block(BlockKind.PARAGRAPH, text, where=WHERE),) if text else ()


def join_articles(digest: Digest, frame: Manuscript, articles: Sequence[Manuscript]) -> Manuscript:
    """The digest as one manuscript. `frame` is that of `frame_of`."""
    opening, closing = _chapters(frame)
    titled = zip(articles, digest.articles, strict=True)
    parts = [opening, *(_one_chapter(one, listed.title) for one, listed in titled), closing]
    whole = [frame, *articles]
    listed = [skipped for one in whole for skipped in one.book.skipped]
    cut = [skipped for one in whole for skipped in one.skipped[len(one.book.skipped) :]]
    book = replace(
        frame.book,
        chapters=tuple(part.chapter for part in parts),
        skipped=tuple(listed),
        warnings=tuple(dict.fromkeys(text for one in whole for text in one.book.warnings)),
        printed=dict(sum((Counter(one.book.printed) for one in whole), Counter[str]())),
    )
    segments = tuple(one for number, part in enumerate(parts) for one in _numbered(part, number))
    return Manuscript(book, segments, (*listed, *cut))


def _chapters(manuscript: Manuscript) -> Iterator[_ChapterPart]:
    for number, chapter in enumerate(manuscript.book.chapters):
        yield _ChapterPart(chapter, [one for one in manuscript.segments if one.chapter == number])


def _one_chapter(manuscript: Manuscript, title: str) -> _ChapterPart:
    """All chapters of an article as one, its intro first. Their pauses stay."""
    book = manuscript.book
    starts = list(accumulate((len(one.blocks) for one in book.chapters), initial=0))
    blocks = tuple(
        replace(block, language=block.language or book.language)
        for chapter in book.chapters
        for block in chapter.blocks
    )
    segments = [
        replace(one, span=replace(one.span, block=starts[one.chapter] + one.span.block))
        for one in manuscript.segments
    ]
    return _ChapterPart(Chapter(book.title or title, blocks), segments)


def _numbered(part: _ChapterPart, number: int) -> Iterator[Segment]:
    """The segments as those of the chapter with this number, from 0."""
    for index, one in enumerate(part.segments):
        yield replace(one, id=f"{number:04}-{index:05}", span=replace(one.span, chapter=number))
