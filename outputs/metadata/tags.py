"""Tags of a finished file, from a book's metadata. Knows no file format."""

from __future__ import annotations

from dataclasses import dataclass, replace

from audiomill.inputs.book import Book
from audiomill.outputs.text import UNTITLED, capped, many_lines, one_line

# More than any player shows. FLAC holds 16 MiB of tags, and the time to tag an Opus file grows with
# their square.
MAX_LINE_BYTES = 1 << 12
MAX_DESCRIPTION_BYTES = 1 << 16
GENRE = "Audiobook"


@dataclass(frozen=True, slots=True)
class Tags:
    """The tags of one file, as clean text; empty ones are not written.

    Field names are part of a stored fingerprint.
    """

    title: str  # of the file: the book, or the chapter if the book is split
    album: str  # the book
    authors: tuple[str, ...] = ()
    narrator: str = ""
    language: str = ""  # BCP 47
    date: str = ""
    publisher: str = ""
    description: str = ""  # may have several lines
    series: str = ""
    series_part: str = ""
    identifier: str = ""  # ISBN, UUID, …
    genre: str = GENRE
    track: int = 0  # from 1 if the book is split
    n_tracks: int = 0

    @property
    def artist(self) -> str:
        """All authors on one line."""
        return capped(", ".join(self.authors), MAX_LINE_BYTES)


def book_tags(book: Book, narrator: str = "") -> Tags:
    """The tags of a book in one file."""
    title = _line(book.title) or UNTITLED
    return Tags(
        title=title,
        album=title,
        authors=tuple(author for author in map(_line, book.authors) if author),
        narrator=_line(narrator),
        language=_line(book.language),
        date=_line(book.date),
        publisher=_line(book.publisher),
        description=capped(many_lines(book.description), MAX_DESCRIPTION_BYTES),
        series=_line(book.series),
        series_part=_line(book.series_index),
        identifier=_line(book.identifier),
    )


def track_tags(tags: Tags, title: str, track: int, n_tracks: int) -> Tags:
    """The tags of one chapter's file, from those of its book; `track` counts from 1."""
    return replace(tags, title=_line(title) or UNTITLED, track=track, n_tracks=n_tracks)


def extra_texts(tags: Tags) -> dict[str, str]:
    """Fields without a standard name in MP4 and Vorbis, under those that audiobook servers read."""
    return {
        "NARRATOR": tags.narrator,
        "PUBLISHER": tags.publisher,
        "LANGUAGE": tags.language,
        "SERIES": tags.series,
        "SERIES-PART": tags.series_part,
        "IDENTIFIER": tags.identifier,
    }


def _line(text: str) -> str:
    return capped(one_line(text), MAX_LINE_BYTES)
