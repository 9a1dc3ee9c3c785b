"""Reads plain text files into a `Book`, by the conventions of typed books.

It recognises:

    Title: …  Author: …      fields above the text
    paragraphs               separated by blank lines and wrapped by hand, or one per line
    CHAPTER I / A Title      a heading, alone between blank lines
    * * *                    a scene break
    _word_                   emphasis; the marks are removed
    [Illustration: …]        what stands beside the text: pictures, notes (`gutenberg/asides.py`)

The text has no markup, so headings, tables of contents and indexes are recognised by their wording,
and so are paragraphs about the edition: who typed it, and what changed. Such a note of several
paragraphs ends where more than one line is left blank, or at a rule.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from audiomill.inputs.chapters.listings import line_keys, list_reason, list_spans, title_counts
from audiomill.inputs.chapters.outline import outline
from audiomill.inputs.chapters.reference_lists import untitled_spans
from audiomill.inputs.gutenberg import liber_liber
from audiomill.inputs.gutenberg.asides import Aside
from audiomill.inputs.gutenberg.text import (
    EditionText,
    HeaderFields,
    field_name,
    header_fields,
    split_edition,
)
from audiomill.inputs.gutenberg.typed_notes import separate_asides, with_marked_notes
from audiomill.inputs.gutenberg.wording import is_credit, is_makers_note, is_picture_file
from audiomill.inputs.languages.detection import language_of_source
from audiomill.inputs.markup.blocks import DocumentBlocks
from audiomill.inputs.markup.joining import AnchoredBlock
from audiomill.inputs.markup.notes import separate_notes_of_page, with_notes_of_all
from audiomill.inputs.markup.text import is_scene_break, normalise_spaces
from audiomill.inputs.metadata.source_metadata import title_of_file
from audiomill.inputs.model.book import Block, BlockKind, Book, Limits, Skipped, SkipReason
from audiomill.inputs.model.ledger import letters_of
from audiomill.inputs.reading.rules import ReadingRules
from audiomill.inputs.text.decoding import decode_text
from audiomill.inputs.text.heading_wording import (
    heading_text,
    is_named_heading,
    names_chapter,
    with_rules_apart,
)
from audiomill.inputs.text.headings import heading_levels
from audiomill.inputs.text.paragraphs import (
    Paragraph,
    join_asides,
    join_lines,
    split_paragraphs,
    take_asides,
    verse_lines,
    without_emphasis,
)
from audiomill.inputs.text.titles import titles_below

MIN_CONTENTS = 3  # lines that look like chapters, for a table of contents without a title
MAX_HEADER_LINES = 30  # searched for "Title:" and the like
MIN_HEADER_LINES = 2  # a single such line can be a sentence of the text

_ITEM = re.compile(r"\s*(?:[-*•]|(?=\d{1,3}[.)]\s))\s*(?=\S)")
FIRST = 12  # paragraphs that can be credits
LONGEST_TITLE = 45  # characters of "Transcriber's Notes:", without text behind it
MOST_PARAGRAPHS = 60  # of one note
LAST_CHARS = 20_000  # a note that is so near to the end goes on to the end
_FRAME = "|+*~=-_ "


def read(path: Path, limits: Limits, rules: ReadingRules | None = None) -> Book:
    """Return the book in a text file; `rules` decide what is read.

    Raises SourceError, and OSError if it cannot be read.
    """
    return book_of_text(path.read_bytes(), path.name, title_of_file(path), limits, rules)


def book_of_text(
    data: bytes, name: str, fallback: str, limits: Limits, rules: ReadingRules | None = None
) -> Book:
    """The book in a text. `name` is how its places are called, `fallback` its title without one.

    Raises SourceError.
    """
    text, warnings = decode_text(data, name)
    limits.check_text_length(len(text), name)
    rules = rules or ReadingRules()
    edition, around = _edition_of(text, name, rules)
    header, body = _split_header(edition.body)
    fields = _fields(edition, header, body)
    language = language_of_source(fields.language, body)
    page, unread = _read_blocks(body, name, rules, is_edition=edition.is_known)
    blocks, unmarked = separate_notes_of_page(page, name, rules)
    result = outline([one.block for one in blocks], fields.title or fallback)
    listed = (
        *((SkipReason.EDITION, part) for part in around),
        (SkipReason.FRONT_MATTER, header),
        *unread,
    )
    return Book(
        title=fields.title or result.title or fallback,
        authors=fields.authors,
        language=language.tag,
        language_source=language.source,
        chapters=tuple(with_notes_of_all(result.chapters, blocks, rules.reading.notes)),
        printed=dict(letters_of([text])),
        source_id=hashlib.sha256(data).hexdigest(),
        subtitle=fields.subtitle,
        translators=fields.translators,
        date=fields.date,
        publisher=fields.publisher,
        original_year=fields.original_year,
        identifier=fields.identifier,
        skipped=(*_skipped(listed, name), *page.skipped, *unmarked),
        warnings=(*warnings, *language.warnings),
    )


def _edition_of(text: str, name: str, rules: ReadingRules) -> tuple[EditionText, list[str]]:
    """The edition of a text, and the parts around its body that are not read."""
    edition = split_edition(text)
    around = [part for part in edition.around if part.strip()]
    if around and rules.reads(SkipReason.EDITION, normalise_spaces(around[0]), name):
        return replace(edition, body=text), []
    return edition, around


def _fields(edition: EditionText, header: str, body: str) -> HeaderFields:
    """What the header of a text says of it, else its edition, else its title page."""
    fields = header_fields(header.split("\n")) if header else edition.fields
    return fields if fields.title else liber_liber.fields_of(body)


def _read_blocks(
    body: str, name: str, rules: ReadingRules, *, is_edition: bool
) -> tuple[DocumentBlocks, list[tuple[SkipReason, str]]]:
    """The blocks of the text, and the paragraphs that are not read, in order."""
    paragraphs = [*with_rules_apart(join_asides(split_paragraphs(body)))]
    unread = _unread(paragraphs, name, rules, is_edition=is_edition)
    parts = [*_parts(paragraphs, unread, name, is_edition=is_edition)]
    separated = separate_asides(with_marked_notes(parts), rules)
    page = DocumentBlocks(
        tuple(separated.blocks), tuple(separated.skipped), note_links=tuple(separated.note_links)
    )
    return page, [(reason, paragraphs[at].text) for at, reason in sorted(unread.items())]


def _skipped(listed: Iterable[tuple[SkipReason, str]], name: str) -> Iterator[Skipped]:
    """The parts that hold text, as they are listed."""
    for reason, part in listed:
        if words := normalise_spaces(part):
            yield Skipped(reason, words, name)


def _split_header(body: str) -> tuple[str, str]:
    """(the lines "Title: …", "Author: …" at the beginning of the text, the rest).

    They are a header only if there are several, no name occurs twice, and a blank line follows.
    Otherwise they are text.
    """
    lines = body.lstrip("\n").split("\n", MAX_HEADER_LINES)
    n_lines = next((n for n, line in enumerate(lines) if not line.strip()), 0)
    names = {name for line in lines[:n_lines] if (name := field_name(line))}
    if len(names) == n_lines >= MIN_HEADER_LINES and names & {"title", "author"}:
        return "\n".join(lines[:n_lines]), "\n".join(lines[n_lines:])
    return "", body


def _unread(
    paragraphs: Sequence[Paragraph], where: str, rules: ReadingRules, *, is_edition: bool
) -> dict[int, SkipReason]:
    """The paragraphs that are not read, by their index: about the edition, contents, indexes."""
    found = dict.fromkeys(edition_indices(paragraphs) if is_edition else (), SkipReason.EDITION)
    found |= dict.fromkeys(_contents_indices(paragraphs), SkipReason.TABLE_OF_CONTENTS)
    texts = ["\n".join(line.strip() for line in one.lines) for one in paragraphs]
    for start, end in untitled_spans(texts):
        found |= dict.fromkeys(range(start, end), SkipReason.TABLE_OF_CONTENTS)
    levels = heading_levels(paragraphs)
    is_heading = [index in levels for index in range(len(paragraphs))]
    for start, end, reason in list_spans(texts, is_heading, title_counts(texts)):
        found |= dict.fromkeys(range(start, end), reason)
    return {
        index: reason
        for index, reason in found.items()
        if not rules.reads(reason, paragraphs[index].text, where)
    }


def _contents_indices(paragraphs: Sequence[Paragraph]) -> Iterator[int]:
    """The indices of paragraphs that list chapters, without a title above them."""
    for index, paragraph in enumerate(paragraphs):
        lines = [line.strip() for line in paragraph.lines]
        n_chapters = sum(map(names_chapter, lines))
        n_others = sum(1 for line in lines if list_reason(line) is None) - n_chapters
        if n_chapters >= MIN_CONTENTS and n_chapters > n_others:
            yield index


def _parts(
    paragraphs: Sequence[Paragraph],
    unread: Mapping[int, SkipReason],
    where: str,
    *,
    is_edition: bool,
) -> Iterator[AnchoredBlock | Aside]:
    contents = (at for at, why in unread.items() if why is SkipReason.TABLE_OF_CONTENTS)
    lines = (line for at in contents for line in paragraphs[at].lines)
    listed = {key for line in lines for key in line_keys(line)} - {""}
    levels = heading_levels(
        [Paragraph(("",)) if at in unread else one for at, one in enumerate(paragraphs)], listed
    )
    titles = titles_below(paragraphs, levels) - unread.keys()
    for index, paragraph in enumerate(paragraphs):
        if index in unread or index in titles:
            continue
        if index in levels:
            title = paragraphs[index + 1].lines if index + 1 in titles else ()
            heading = without_emphasis(heading_text((*paragraph.lines, *title)))
            yield AnchoredBlock(Block(BlockKind.HEADING, heading, level=levels[index], where=where))
            continue
        lines, asides = take_asides(paragraph.lines, is_edition=is_edition)
        if lines:
            yield from map(AnchoredBlock, _text_blocks(lines, where))
        for aside in asides:
            yield replace(aside, where=where, text=without_emphasis(aside.text))


def _text_blocks(lines: tuple[str, ...], where: str) -> Iterator[Block]:
    text = join_lines(lines)
    if is_scene_break(text):
        yield Block(BlockKind.SCENE_BREAK, text, where=where)
    elif whole := verse_lines(lines):
        verse = "\n".join(normalise_spaces(line) for line in whole)
        yield Block(BlockKind.VERSE, without_emphasis(verse), where=where)
    elif len(lines) > 1 and all(_ITEM.match(line) for line in lines):
        for line in lines:
            item = without_emphasis(_ITEM.sub("", line, count=1))
            yield Block(BlockKind.LIST_ITEM, item, level=1, where=where)
    else:
        yield Block(BlockKind.PARAGRAPH, without_emphasis(text), where=where)


def edition_indices(paragraphs: Sequence[Paragraph]) -> frozenset[int]:
    """The indices of the paragraphs about the edition, in a text that is known to be one."""
    found = set(_credits(paragraphs))
    for index, paragraph in enumerate(paragraphs):
        if index not in found and is_makers_note(paragraph.text):
            found.update(range(index, _note_end(paragraphs, index)))
        if is_picture_file(paragraph.text):
            found.add(index)
    return frozenset(found)


def _credits(paragraphs: Sequence[Paragraph]) -> Iterator[int]:
    at = 0
    while at < min(FIRST, len(paragraphs)):
        text = paragraphs[at].text
        if is_makers_note(text):
            end = _note_end(paragraphs, at)
        elif is_credit(text) or not text.strip(_FRAME):
            end = _bracket_end(paragraphs, at)
        else:
            return
        yield from range(at, end)
        at = end


def _bracket_end(paragraphs: Sequence[Paragraph], start: int) -> int:
    """The index after the paragraph that closes a bracket which `start` opens, or after `start`."""
    n_open = 0
    if not paragraphs[start].text.startswith("["):
        return start + 1
    for at, one in enumerate(paragraphs[start : start + MOST_PARAGRAPHS], start):
        n_open += one.text.count("[") - one.text.count("]")
        if n_open <= 0:
            return at + 1
    return start + 1


def _note_end(paragraphs: Sequence[Paragraph], start: int) -> int:
    """The index after the last paragraph of a note."""
    text = paragraphs[start].text
    if text.startswith("["):
        return _bracket_end(paragraphs, start)
    if _is_last(paragraphs, start):
        return len(paragraphs)
    is_title = len(text.strip(_FRAME)) <= LONGEST_TITLE and text.rstrip(" _*").endswith(
        ("ote", "otes", ":", ".", "OTE", "OTES")
    )
    end = start + 1
    while end < min(start + MOST_PARAGRAPHS, len(paragraphs)):
        is_near = paragraphs[end].gap == 1 or (is_title and end == start + 1)
        is_rule = end > start + 1 and not any(map(str.isalnum, paragraphs[end].text))
        if not is_near or is_rule or is_named_heading(paragraphs[end]):
            break
        end += 1
    return end


def _is_last(paragraphs: Sequence[Paragraph], start: int) -> bool:
    """True for a note after which no more of the book follows."""
    rest = paragraphs[start:]
    n_rest = sum(len(one.text) for one in rest)
    n_before = sum(len(one.text) for one in paragraphs[:start])
    return n_rest < min(LAST_CHARS, n_before / 4) and not any(map(is_named_heading, rest))
