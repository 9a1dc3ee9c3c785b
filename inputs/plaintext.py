"""Reads plain text files into a `Book`, by the conventions of typed books.

It recognises:

    Title: …  Author: …      fields above the text
    paragraphs               separated by blank lines and wrapped by hand, or one per line
    CHAPTER I / A Title      a heading, alone between blank lines
    * * *                    a scene break
    _word_                   emphasis; the marks are removed

The text has no markup, so headings and tables of contents are recognised by their wording.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from audiomill.inputs.book import Block, BlockKind, Book, Limits, Skipped, SkipReason
from audiomill.inputs.choices.rules import ReadingRules
from audiomill.inputs.decoding import check_text_length, decode_text, title_from
from audiomill.inputs.languages.codes import language_tag
from audiomill.inputs.ledger import letters_of
from audiomill.inputs.markup.outline import outline
from audiomill.inputs.markup.text import is_scene_break, normalise_spaces

Paragraph = tuple[str, ...]  # the lines of one paragraph, as they were typed, none of them blank

PART, CHAPTER, CAPITALS, NUMERAL = 1, 2, 3, 4  # kinds of headings, and their levels
LONGEST_HEADING = 80  # characters of a line
MIN_CAPITALS = 2  # fewer lines in capitals, or numerals, are not headings
MIN_CONTENTS = 3  # lines that look like chapters, for a table of contents
LONGEST_VERSE_LINE = 60  # characters; longer indented lines are a quotation
MAX_HEADER_LINES = 30  # searched for "Title:" and the like
MIN_HEADER_LINES = 2  # a single such line can be a sentence of the text

_NUMBER = (
    r"(?:\d{1,3}|[ivxlcdm]{1,8}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif)ty(?:[- ]\w{3,5})?"
    r"|the (?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last)"
    r"|first|second|third|fourth|fifth|last)"
)
_NAMED = r"(?:[.:—–-]+\s*\S.*|\s*[.:—–-]*)"  # "Chapter 1: A Title", "Chapter 1."
_PART = re.compile(rf"(?:part|book|volume|teil|buch|partie|parte|libro)\s+{_NUMBER}{_NAMED}", re.I)
_CHAPTER = re.compile(
    rf"(?:chapter|canto|act|scene|letter|section|kapitel|chapitre|capítulo|capitolo|hoofdstuk)"
    rf"\s+{_NUMBER}{_NAMED}"
    rf"|(?:prologue|epilogue|preface|foreword|introduction|afterword|interlude|appendix"
    rf"|conclusion|postscript|prolog|epilog|vorwort|nachwort|prólogo|epílogo|prologo|epilogo)"
    rf"{_NAMED}",
    re.I,
)
_NUMERAL = re.compile(r"([IVXLC]{1,7})\.?")
_NOT_A_TITLE = re.compile(r"[\"“”„«»‘]|[!,;:…]$")  # speech, or an incomplete sentence
_CONTENTS = re.compile(r"(?:table of )?contents|inhalt(?:sverzeichnis)?|índice|indice", re.I)
_FIELD = re.compile(
    r"(title|subtitle|author|translator|illustrator|editor|language|date|release date|publisher"
    r"|isbn|(?:character set )?encoding|credits|produced by):\s*(\S.*)",
    re.IGNORECASE,
)
_EMPHASIS = re.compile(r"(?<![\w*])([_*]{1,3})(?=\S)([^_*]{1,300}+)(?<=\S)\1(?![\w*])")
_ITEM = re.compile(r"\s*(?:[-*•]|(?=\d{1,3}[.)]\s))\s*(?=\S)")
_JOINED_LINES = re.compile(r"(?<=\w-|--|\w—)\n")
# Old books have a licence around them, with lines such as *** START OF THE … EBOOK … ***.
_BEGINS = re.compile(r"^\*\*\* ?START OF [^\n]*EBOOK[^\n]*$", re.MULTILINE)
_ENDS = re.compile(r"^\*\*\* ?END OF [^\n]*EBOOK[^\n]*$", re.MULTILINE)


def read(path: Path, limits: Limits, rules: ReadingRules | None = None) -> Book:
    """Return the book in a text file; `rules` decide what is read.

    Raises SourceError, and OSError if it cannot be read.
    """
    return book_of_text(path.read_bytes(), path.name, title_from(path), limits, rules)


def book_of_text(
    data: bytes, name: str, fallback: str, limits: Limits, rules: ReadingRules | None = None
) -> Book:
    """The book in a text. `name` is how its places are called, `fallback` its title without one.

    Raises SourceError.
    """
    text, warnings = decode_text(data, name)
    check_text_length(len(text), name, limits)
    before, body, after = _split_licence(text)
    header, body = _split_header(body)
    fields = {**_fields(before), **_fields(header)}
    title = fields.get("title", "")
    paragraphs = _paragraphs(body)
    contents = _unread_contents(paragraphs, name, rules or ReadingRules())
    blocks = list(_blocks(paragraphs, contents, name))
    result = outline(blocks, title or fallback)
    around = ((SkipReason.FRONT_MATTER, part) for part in (before, header, after))
    listed = (
        (SkipReason.TABLE_OF_CONTENTS, " ".join(paragraphs[index])) for index in sorted(contents)
    )
    return Book(
        title=title or result.title or fallback,
        authors=(fields["author"],) if "author" in fields else (),
        language=language_tag(fields.get("language", "")) or "en",
        chapters=result.chapters,
        printed=dict(letters_of([text])),
        source_id=hashlib.sha256(data).hexdigest(),
        subtitle=fields.get("subtitle", ""),
        translators=(fields["translator"],) if "translator" in fields else (),
        date=fields.get("date", fields.get("release date", "")),
        publisher=fields.get("publisher", ""),
        skipped=tuple(
            Skipped(reason, normalise_spaces(part), name)
            for reason, part in (*around, *listed)
            if normalise_spaces(part)
        ),
        warnings=warnings,
    )


def _split_licence(text: str) -> tuple[str, str, str]:
    """(the licence before the book, the book, the licence after it)."""
    begins, ends = _BEGINS.search(text), _ENDS.search(text)
    start = begins.end() if begins else 0
    stop = ends.start() if ends and ends.start() >= start else len(text)
    return text[:start], text[start:stop], text[stop:]


def _split_header(body: str) -> tuple[str, str]:
    """(the lines "Title: …", "Author: …" at the beginning of the text, the rest).

    They are a header only if there are several, no name occurs twice, and a blank line follows.
    Otherwise they are text.
    """
    lines = body.lstrip("\n").split("\n", MAX_HEADER_LINES)
    n_lines = next((n for n, line in enumerate(lines) if not line.strip()), 0)
    matches = [_FIELD.fullmatch(line.strip()) for line in lines[:n_lines]]
    names = {field[1].lower() for field in matches if field}
    if len(names) == n_lines >= MIN_HEADER_LINES and names & {"title", "author"}:
        return "\n".join(lines[:n_lines]), "\n".join(lines[n_lines:])
    return "", body


def _fields(header: str) -> Mapping[str, str]:
    """The values of the lines "Title: …", "Author: …", by name in lower case."""
    matches = (_FIELD.fullmatch(line.strip()) for line in header.split("\n")[:MAX_HEADER_LINES])
    return {field[1].lower(): normalise_spaces(field[2]) for field in matches if field}


def _paragraphs(text: str) -> list[Paragraph]:
    """The paragraphs, as lines. Without any blank line, each line is a paragraph."""
    paragraphs, lines = list[Paragraph](), list[str]()
    for line in [*text.strip().split("\n"), ""]:
        if line.strip():
            lines.append(line.rstrip())
        elif lines:
            paragraphs.append(tuple(lines))
            lines = []
    return [(line,) for line in paragraphs[0]] if len(paragraphs) == 1 else paragraphs


def _unread_contents(
    paragraphs: Sequence[Paragraph], where: str, rules: ReadingRules
) -> frozenset[int]:
    """The indices of paragraphs that list chapters and are not read."""
    reason = SkipReason.TABLE_OF_CONTENTS
    indices = _contents_indices(paragraphs)
    return frozenset(
        index for index in indices if not rules.reads(reason, " ".join(paragraphs[index]), where)
    )


def _blocks(
    paragraphs: Sequence[Paragraph], contents: frozenset[int], where: str
) -> Iterator[Block]:
    levels = _heading_levels(paragraphs)
    for index, paragraph in enumerate(paragraphs):
        if index in contents:
            continue
        if index in levels:
            text = _without_emphasis(": ".join(line.strip().rstrip(":") for line in paragraph))
            yield Block(BlockKind.HEADING, text, level=levels[index], where=where)
        else:
            yield from _text_blocks(paragraph, where)


def _text_blocks(paragraph: Paragraph, where: str) -> Iterator[Block]:
    text = _join_lines(paragraph)
    if is_scene_break(text):
        yield Block(BlockKind.SCENE_BREAK, text, where=where)
    elif len(paragraph) > 1 and all(_is_verse_line(line) for line in paragraph):
        lines = "\n".join(normalise_spaces(line) for line in paragraph)
        yield Block(BlockKind.VERSE, _without_emphasis(lines), where=where)
    elif len(paragraph) > 1 and all(_ITEM.match(line) for line in paragraph):
        for line in paragraph:
            yield Block(
                BlockKind.LIST_ITEM, _without_emphasis(_ITEM.sub("", line)), level=1, where=where
            )
    else:
        yield Block(BlockKind.PARAGRAPH, _without_emphasis(text), where=where)


def _is_verse_line(line: str) -> bool:
    return line[:2].isspace() and len(line.strip()) <= LONGEST_VERSE_LINE


def _join_lines(paragraph: Paragraph) -> str:
    """Lines wrapped by hand as one; after a hyphen or dash they are joined without a space."""
    return normalise_spaces(_JOINED_LINES.sub("", "\n".join(line.strip() for line in paragraph)))


def _without_emphasis(text: str) -> str:
    return _EMPHASIS.sub(r"\2", text)


def _heading_levels(paragraphs: Sequence[Paragraph]) -> dict[int, int]:
    """The level of each paragraph that is a heading, by its index in `paragraphs`."""
    possible = {index: _possible_level(paragraph) for index, paragraph in enumerate(paragraphs)}
    levels = {index: level for index, level in possible.items() if level}
    for uncertain in (CAPITALS, NUMERAL):
        indices = [index for index, level in levels.items() if level == uncertain]
        if not _are_headings([paragraphs[index][0].strip() for index in indices], uncertain):
            for index in indices:
                del levels[index]
    return levels


def _contents_indices(paragraphs: Sequence[Paragraph]) -> frozenset[int]:
    """The indices of paragraphs that list chapters, and of the word "Contents" above them."""
    lists = {index for index, paragraph in enumerate(paragraphs) if _is_contents(paragraph)}
    above = {index - 1 for index in lists if index and _is_contents_heading(paragraphs[index - 1])}
    return frozenset(lists | above)


def _is_contents(paragraph: Paragraph) -> bool:
    lines = [line.strip() for line in paragraph if not _CONTENTS.fullmatch(line.strip())]
    n_chapters = sum(1 for line in lines if _PART.match(line) or _CHAPTER.match(line))
    return n_chapters >= MIN_CONTENTS and 2 * n_chapters > len(lines)


def _is_contents_heading(paragraph: Paragraph) -> bool:
    return len(paragraph) == 1 and _CONTENTS.fullmatch(paragraph[0].strip(" .:")) is not None


def _possible_level(paragraph: Paragraph) -> int:
    """The level of a paragraph that looks like a heading; 0 if it looks like text."""
    first = paragraph[0].strip()
    if len(paragraph) > 2 or any(len(line.strip()) > LONGEST_HEADING for line in paragraph):
        return 0
    if _PART.fullmatch(first):
        return PART
    if _CHAPTER.fullmatch(first):
        return CHAPTER
    if len(paragraph) > 1:
        return 0
    if _NUMERAL.fullmatch(first):
        return NUMERAL
    is_title = first.isupper() and sum(map(str.isalpha, first)) > len("THE")
    return CAPITALS if is_title and not _NOT_A_TITLE.search(first) else 0


def _are_headings(texts: Sequence[str], level: int) -> bool:
    """True if lines in capitals are headings: there are several; numerals also begin with I."""
    return len(texts) >= MIN_CAPITALS and (level == CAPITALS or texts[0].rstrip(".") == "I")
