"""What a book is, in lines: as files of cases tell it."""

from dataclasses import fields
from hashlib import sha256
from typing import Any

from audiomill.inputs.model.book import Block, Book, Chapter, Skipped

# Of a book, told by lines of their own, or not told: a digest, places and counts.
_APART = ("chapters", "skipped", "cover", "source_id", "language_source", "printed", "warnings")


def book_lines(book: Book, usual: Book) -> list[str]:
    """What the book is where it is not as usual, its chapters, and what is not spoken."""
    told = {one.name: getattr(book, one.name) for one in fields(Book) if one.name not in _APART}
    lines = [
        f"{name}: {shown(value)}" for name, value in told.items() if value != getattr(usual, name)
    ]
    if book.cover:
        digest = sha256(book.cover.data).hexdigest()[:12]
        lines.append(f"cover: {book.cover.media_type} {digest}")
    for chapter in book.chapters:
        is_whole = chapter == Chapter(book.title, chapter.blocks) and len(book.chapters) == 1
        lines += [] if is_whole else [_chapter_line(chapter)]
        lines += [line for block in chapter.blocks for line in block_lines(block)]
    lines += skipped_lines(book.skipped, with_places=book.is_publication)
    return [*lines, *(f"warning: {shown(one)}" for one in book.warnings)]


def block_lines(block: Block) -> list[str]:
    """A block: its kind with level and language, its text, and what is marked in it."""
    level = f" {block.level}" if block.level else ""
    language = f" in {block.language}" if block.language else ""
    text = f": {shown(block.text)}" if block.text else ""
    return [f"{block.kind}{level}{language}{text}", *_marked_lines(block), *_cell_lines(block)]


def _marked_lines(block: Block) -> list[str]:
    marked = [
        *((one.start, one.end, f"in {one.language}") for one in block.passages),
        *((one.start, one.end, f"said {one.phonemes}") for one in block.pronunciations),
        *((start, end, "Roman numeral") for start, end in block.numerals),
    ]
    return [f"  {name} from {start}: {shown(block.text[start:end])}" for start, end, name in marked]


def _cell_lines(block: Block) -> list[str]:
    if block.table is None:
        return []
    told = ["with a header"] * block.table.has_header + ["with spans"] * block.table.has_spans
    rows = [" | ".join(map(shown, row)) for row in block.table.rows]
    return [f"  cells{''.join(f' {one}' for one in told)}: {' ⏎ '.join(rows)}"]


def skipped_lines(skipped: tuple[Skipped, ...], *, with_places: bool = False) -> list[str]:
    """What is not spoken, and why."""
    return [
        f"not spoken, {one.reason}{f' at {one.where}' if with_places else ''}: {shown(one.text)}"
        for one in skipped
    ]


def _chapter_line(chapter: Chapter) -> str:
    within = f" in {' / '.join(chapter.parts)}" if chapter.parts else ""
    return f"chapter {chapter.level}{within}: {shown(chapter.title)}"


def shown(value: Any) -> str:
    """A text as it stands, with signs for what would not be seen; others as Python writes them."""
    if isinstance(value, tuple) and value and all(isinstance(one, str) for one in value):
        value = "; ".join(value)
    text = value if isinstance(value, str) else repr(value)
    return "".join(_seen(character) for character in text.replace("\n", "⏎"))


def _seen(character: str) -> str:
    is_seen = character == " " or character.isprintable()
    return character if is_seen else f"{{U+{ord(character):04X}}}"
