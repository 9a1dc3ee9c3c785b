"""What of a book's metadata no container holds, because tags are cut to what readers show."""

from __future__ import annotations

from collections.abc import Iterator

from audiomill.inputs.book import Book
from audiomill.outputs.metadata.chapters import MAX_TITLE_BYTES, mark_title
from audiomill.outputs.metadata.tags import MAX_LINE_BYTES, book_tags
from audiomill.outputs.text import many_lines, one_line


def cut_warnings(book: Book) -> Iterator[str]:
    """A warning that names the cut fields, and one that counts the cut titles of chapters."""
    if names := list(cut_fields(book)):
        yield f"Longer than readers of tags take, and cut: {', '.join(names)}."
    lines = (one_line(chapter.title) for chapter in book.chapters)
    if n_cut := sum(mark_title(line) != line and _is_cut(line) for line in lines):
        titles = "title of a chapter is" if n_cut == 1 else "titles of chapters are"
        yield f"{n_cut} {titles} cut to {MAX_TITLE_BYTES} bytes, which is all that players hold."


def cut_fields(book: Book) -> Iterator[str]:
    """The fields of which the tags do not have all."""
    tags = book_tags(book)
    kept = {
        "title": (book.title, tags.title),
        "subtitle": (book.subtitle, tags.subtitle),
        "date": (book.date, tags.date),
        "publisher": (book.publisher, tags.publisher),
        "rights": (book.rights, tags.rights),
        "identifier": (book.identifier, tags.identifier),
        "title_sort": (book.title_sort, tags.title_sort),
        "author_sort": (book.author_sort, tags.author_sort),
    }
    yield from (name for name, (told, held) in kept.items() if _is_shorter(held, one_line(told)))
    if _is_shorter(tags.description, many_lines(book.description)):
        yield "description"
    series = [book.series, *(one.name for one in book.more_series)]
    lists = {
        "authors": (book.authors, tags.authors),
        "subjects": (book.subjects, tags.genres),
        "series": (series, [one.name for one in tags.series]),
    }
    for name, (told, held) in lists.items():
        lines = [line for line in dict.fromkeys(map(one_line, told)) if line]
        if not {*lines} <= {*held} or len("; ".join(lines).encode()) > MAX_LINE_BYTES:
            yield name


def _is_shorter(held: str, told: str) -> bool:
    return bool(told) and held != told


def _is_cut(title: str) -> bool:
    return len(title.encode()) > MAX_TITLE_BYTES
