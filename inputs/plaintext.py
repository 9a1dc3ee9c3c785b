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

from inputs.book import Block, BlockKind, Book, Skipped, SkipReason
from inputs.headings import outline
from inputs.languages import language_tag
from inputs.limits import Limits
from inputs.markup_text import is_scene_break, squeeze
from inputs.plain_headings import Chunk, contents_places, heading_levels
from inputs.text_file import decode_text, refuse_too_long, title_from

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
    refuse_too_long(len(text), path.name, limits)
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
