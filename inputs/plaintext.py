"""Plain text files to a `Book`. Knows how people set books with nothing but a keyboard.

Title: …  Author: …      above the text
paragraphs               parted by blank lines, their lines wrapped by hand; or a line each
CHAPTER I / A Title      alone between blank lines
* * *                    a scene break
_word_                   emphasis; the marks are not part of the text
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from audiomill.inputs.book import Block, BlockKind, Book, Limits, Skipped, SkipReason
from audiomill.inputs.decoding import check_text_length, decode_text, title_from
from audiomill.inputs.languages import language_tag
from audiomill.inputs.markup.outline import outline
from audiomill.inputs.markup.text import is_scene_break, squeeze

# Which paragraphs of a plain text are headings.

Chunk = tuple[str, ...]  # the lines of one paragraph, as they were typed, none of them blank

PART, CHAPTER, CAPITALS, NUMERAL = 1, 2, 3, 4  # levels of headings
LONGEST_HEADING = 80  # characters of a line
MIN_CAPITALS = 2  # headings in capitals, or numerals, before any of them counts
MIN_CONTENTS = 3  # lines that look like chapters, in one paragraph

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
_SPOKEN = re.compile(r"[\"“”„«»‘]|[!,;:…]$")  # said by somebody, or not complete
_CONTENTS = re.compile(r"(?:table of )?contents|inhalt(?:sverzeichnis)?|índice|indice", re.I)


def heading_levels(chunks: Sequence[Chunk]) -> dict[int, int]:
    """The level of each chunk that is a heading, by its place in `chunks`."""
    kinds = {place: _kind(chunk) for place, chunk in enumerate(chunks)}
    found = {place: level for place, level in kinds.items() if level}
    for doubtful in (CAPITALS, NUMERAL):
        places = [place for place, level in found.items() if level == doubtful]
        if not _are_headings([chunks[place][0].strip() for place in places], doubtful):
            for place in places:
                del found[place]
    return found


def contents_places(chunks: Sequence[Chunk]) -> frozenset[int]:
    """The places of paragraphs that list chapters, and of the word "Contents" over them."""
    lists = {place for place, chunk in enumerate(chunks) if _is_contents(chunk)}
    above = {place - 1 for place in lists if place and _is_contents_heading(chunks[place - 1])}
    return frozenset(lists | above)


def _is_contents(chunk: Chunk) -> bool:
    lines = [line.strip() for line in chunk if not _CONTENTS.fullmatch(line.strip())]
    n_chapters = sum(1 for line in lines if _PART.match(line) or _CHAPTER.match(line))
    return n_chapters >= MIN_CONTENTS and 2 * n_chapters > len(lines)


def _is_contents_heading(chunk: Chunk) -> bool:
    return len(chunk) == 1 and _CONTENTS.fullmatch(chunk[0].strip(" .:")) is not None


def _kind(chunk: Chunk) -> int:
    """The level a chunk would have by its looks; 0 if it looks like text."""
    first = chunk[0].strip()
    if len(chunk) > 2 or any(len(line.strip()) > LONGEST_HEADING for line in chunk):
        return 0
    if _PART.fullmatch(first):
        return PART
    if _CHAPTER.fullmatch(first):
        return CHAPTER
    if len(chunk) > 1:
        return 0
    if _NUMERAL.fullmatch(first):
        return NUMERAL
    is_title = first.isupper() and sum(map(str.isalpha, first)) > len("THE")
    return CAPITALS if is_title and not _SPOKEN.search(first) else 0


def _are_headings(texts: Sequence[str], level: int) -> bool:
    """Whether lines in capitals, or numerals, are headings: several, and numbered from I."""
    return len(texts) >= MIN_CAPITALS and (level == CAPITALS or texts[0].rstrip(".") == "I")


LONGEST_VERSE_LINE = 60  # characters; longer indented lines are a quotation
MAX_HEADER_LINES = 30  # looked at for "Title:" and the like
MIN_HEADER_LINES = 2  # one such line can be anybody's sentence

_FIELD = re.compile(
    r"(title|subtitle|author|translator|illustrator|editor|language|date|release date|publisher"
    r"|isbn|(?:character set )?encoding|credits|produced by):\s*(\S.*)",
    re.IGNORECASE,
)
_EMPHASIS = re.compile(r"(?<![\w*])([_*]{1,3})(?=\S)([^_*]{1,300}+)(?<=\S)\1(?![\w*])")
_ITEM = re.compile(r"\s*(?:[-*•]|(?=\d{1,3}[.)]\s))\s*(?=\S)")
_RUNS_ON = re.compile(r"(?<=\w-|--|\w—)\n")
# Old books come wrapped in a licence, with lines such as *** START OF THE … EBOOK … ***.
_BEGINS = re.compile(r"^\*\*\* ?START OF [^\n]*EBOOK[^\n]*$", re.MULTILINE)
_ENDS = re.compile(r"^\*\*\* ?END OF [^\n]*EBOOK[^\n]*$", re.MULTILINE)


def read(path: Path, limits: Limits) -> Book:
    """The book in a text file. Raises SourceError, and OSError if it cannot be read."""
    data = path.read_bytes()
    text, warnings = decode_text(data, path.name)
    check_text_length(len(text), path.name, limits)
    before, body, after = _unwrapped(text)
    header, body = _header(body)
    facts = {**_facts(before), **_facts(header)}
    title = facts.get("title", "")
    chunks = _chunks(body)
    found = outline(list(_blocks(chunks, path.name)), title or title_from(path))
    wrapping = ((SkipReason.FRONT_MATTER, part) for part in (before, header, after))
    contents = (
        (SkipReason.TABLE_OF_CONTENTS, " ".join(chunks[place]))
        for place in sorted(contents_places(chunks))
    )
    return Book(
        title=title or found.title or title_from(path),
        authors=(facts["author"],) if "author" in facts else (),
        language=language_tag(facts.get("language", "")) or "en",
        chapters=found.chapters,
        source_id=hashlib.sha256(data).hexdigest(),
        date=facts.get("date", facts.get("release date", "")),
        publisher=facts.get("publisher", ""),
        skipped=tuple(
            Skipped(reason, squeeze(part), path.name)
            for reason, part in (*wrapping, *contents)
            if squeeze(part)
        ),
        warnings=warnings,
    )


def _unwrapped(text: str) -> tuple[str, str, str]:
    """(the licence before, the book, the licence after)."""
    begins, ends = _BEGINS.search(text), _ENDS.search(text)
    start = begins.end() if begins else 0
    stop = ends.start() if ends and ends.start() >= start else len(text)
    return text[:start], text[start:stop], text[stop:]


def _header(body: str) -> tuple[str, str]:
    """(the lines "Title: …", "Author: …" that the text begins with, the rest).

    They are a header only if there are several, each names something else, and a blank line
    follows; whatever else begins so is text.
    """
    lines = body.lstrip("\n").split("\n", MAX_HEADER_LINES)
    n_lines = next((n for n, line in enumerate(lines) if not line.strip()), 0)
    fields = [_FIELD.fullmatch(line.strip()) for line in lines[:n_lines]]
    names = {field[1].lower() for field in fields if field}
    if len(names) == n_lines >= MIN_HEADER_LINES and names & {"title", "author"}:
        return "\n".join(lines[:n_lines]), "\n".join(lines[n_lines:])
    return "", body


def _facts(above: str) -> Mapping[str, str]:
    """What "Title:" and "Author:" say above the text."""
    fields = (_FIELD.fullmatch(line.strip()) for line in above.split("\n")[:MAX_HEADER_LINES])
    return {field[1].lower(): squeeze(field[2]) for field in fields if field}


def _chunks(text: str) -> list[Chunk]:
    """The paragraphs, as lines; each line is one where no blank line parts any."""
    chunks, lines = list[Chunk](), list[str]()
    for line in [*text.strip().split("\n"), ""]:
        if line.strip():
            lines.append(line.rstrip())
        elif lines:
            chunks.append(tuple(lines))
            lines = []
    return [(line,) for line in chunks[0]] if len(chunks) == 1 else chunks


def _blocks(chunks: Sequence[Chunk], where: str) -> Iterator[Block]:
    levels, contents = heading_levels(chunks), contents_places(chunks)
    for place, chunk in enumerate(chunks):
        if place in contents:
            continue
        if place in levels:
            text = _plain(": ".join(line.strip().rstrip(":") for line in chunk))
            yield Block(BlockKind.HEADING, text, level=levels[place], where=where)
        else:
            yield from _paragraph(chunk, where)


def _paragraph(chunk: Chunk, where: str) -> Iterator[Block]:
    text = _joined(chunk)
    if is_scene_break(text):
        yield Block(BlockKind.SCENE_BREAK, text, where=where)
    elif len(chunk) > 1 and all(_is_verse_line(line) for line in chunk):
        lines = "\n".join(squeeze(line) for line in chunk)
        yield Block(BlockKind.VERSE, _plain(lines), where=where)
    elif len(chunk) > 1 and all(_ITEM.match(line) for line in chunk):
        for line in chunk:
            yield Block(BlockKind.LIST_ITEM, _plain(_ITEM.sub("", line)), level=1, where=where)
    else:
        yield Block(BlockKind.PARAGRAPH, _plain(text), where=where)


def _is_verse_line(line: str) -> bool:
    return line[:2].isspace() and len(line.strip()) <= LONGEST_VERSE_LINE


def _joined(chunk: Chunk) -> str:
    """Lines wrapped by hand as one; a line that ends in a hyphen or dash runs on."""
    return squeeze(_RUNS_ON.sub("", "\n".join(line.strip() for line in chunk)))


def _plain(text: str) -> str:
    return _EMPHASIS.sub(r"\2", text)
