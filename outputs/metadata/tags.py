"""Tags of a finished file, from a book's metadata, and what of it is cut. Knows no file format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from audiomill.inputs.metadata.source_metadata import series_text
from audiomill.inputs.model.book import Book, Cover, Series
from audiomill.outputs.metadata.chapters import MAX_TITLE_BYTES, BookPart, Mark, mark_title
from audiomill.outputs.text import UNTITLED, capped, many_lines, one_line

# More than any player shows. FLAC holds 16 MiB of tags, and the time to tag an Opus file grows with
# their square.
MAX_LINE_BYTES = 1 << 12
MAX_DESCRIPTION_BYTES = 1 << 16
MAX_GENRES = 32
MAX_SERIES = 8
GENRE = "Audiobook"  # of a book of which no other is known
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")


@dataclass(frozen=True, slots=True)
class Narration:
    """Who reads a book: for people, and by the names of the engine and its voices."""

    narrators: tuple[str, ...] = ()
    engine: str = ""
    voices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tags:
    """The tags of one file, as clean text; empty ones are not written.

    Field names are part of a stored fingerprint.
    """

    title: str  # of the file: the book, or the chapter if the book is split
    album: str  # the book
    authors: tuple[str, ...] = ()
    subtitle: str = ""
    narrators: tuple[str, ...] = ()
    language: str = ""  # BCP 47
    date: str = ""  # as the source writes it
    original_year: str = ""
    publisher: str = ""
    description: str = ""  # may have several lines
    rights: str = ""
    series: tuple[Series, ...] = ()  # the main one first
    identifier: str = ""  # ISBN, UUID, …
    isbn: str = ""
    asin: str = ""
    genres: tuple[str, ...] = (GENRE,)
    title_sort: str = ""  # of the book
    author_sort: str = ""
    engine: str = ""
    voices: tuple[str, ...] = ()
    track: int = 0  # from 1 if the book is split
    n_tracks: int = 0
    disc: int = 0  # the part, from 1, if the book is split and has parts
    n_discs: int = 0
    part: str = ""  # the part's title

    @property
    def artist(self) -> str:
        """All authors on one line.

        Audiobookshelf takes "Plato, Homer" for one person's last and first name, but not two names
        of two words each.
        """
        are_plain = all(" " in name and not re.search(r"[,;()]", name) for name in self.authors)
        return _joined(self.authors, ", " if are_plain else "; ")

    @property
    def narrator(self) -> str:
        """All narrators on one line."""
        return _joined(self.narrators)

    @property
    def genre(self) -> str:
        """All genres on one line."""
        return _joined(self.genres)

    @property
    def year(self) -> str:
        """The year of the date, "" if it has none. Servers take a whole date for the year."""
        found = _YEAR.search(self.date)
        return found[0] if found else ""


def book_tags(book: Book, narration: Narration | None = None) -> Tags:
    """The tags of a book in one file."""
    narration = narration or Narration()
    title = _line(book.title) or UNTITLED
    series = (Series(book.series, book.series_index), *book.more_series)
    lines = ((_line(one.name), _line(one.index)) for one in series)
    return Tags(
        title=title,
        album=title,
        authors=_lines(book.authors),
        subtitle=_line(book.subtitle),
        narrators=_lines(narration.narrators),
        language=_line(book.language),
        date=_line(book.date),
        original_year=_line(book.original_year),
        publisher=_line(book.publisher),
        description=capped(many_lines(book.description), MAX_DESCRIPTION_BYTES),
        rights=_line(book.rights),
        series=tuple(Series(name, index) for name, index in lines if name)[:MAX_SERIES],
        identifier=_line(book.identifier),
        isbn=_line(book.isbn),
        asin=_line(book.asin),
        genres=_lines(book.subjects)[:MAX_GENRES] or (GENRE,),
        title_sort=_line(book.title_sort),
        author_sort=_line(book.author_sort),
        engine=narration.engine,
        voices=narration.voices,
    )


def track_tags(
    tags: Tags, title: str, track: int, n_tracks: int, part: BookPart | None = None
) -> Tags:
    """The tags of one chapter's file, from those of its book; `track` counts from 1.

    `part` is None in a book without parts.
    """
    tags = replace(tags, title=_line(title) or UNTITLED, track=track, n_tracks=n_tracks)
    if part is None:
        return tags
    return replace(tags, disc=part.number, n_discs=part.total, part=_line(part.title))


def texts_of(tags: Tags) -> dict[str, str]:
    """All tags as text, by the names that they have in Vorbis comments; none is empty.

    The other containers have frames and atoms for some, and hold the others under these names,
    which are those of mp3tag and audiobook servers. The narrator is the composer, by convention.
    """
    texts = {
        "TITLE": tags.title,
        "ALBUM": tags.album,
        "ARTIST": tags.artist,
        "ALBUMARTIST": tags.artist,
        "COMPOSER": tags.narrator,
        "NARRATOR": tags.narrator,
        "GENRE": tags.genre,
        "DATE": tags.year,
        "RELEASETIME": tags.date if tags.date != tags.year else "",
        "ORIGINALYEAR": tags.original_year,
        "SUBTITLE": tags.subtitle,
        "DESCRIPTION": tags.description,
        "PUBLISHER": tags.publisher,
        "COPYRIGHT": tags.rights,
        "LANGUAGE": tags.language,
        **_series_texts(tags.series),
        "IDENTIFIER": tags.identifier,
        "ISBN": tags.isbn,
        "ASIN": tags.asin,
        "ALBUMSORT": _album_sort(tags),
        # A chapter's own title has no other form to sort by.
        "TITLESORT": tags.title_sort if not tags.track else "",
        "ARTISTSORT": tags.author_sort,
        "ALBUMARTISTSORT": tags.author_sort,
        "ENGINE": tags.engine,
        "VOICE": _joined(tags.voices),
        "TRACKNUMBER": str(tags.track or ""),
        "TRACKTOTAL": str(tags.n_tracks or ""),
        "DISCNUMBER": str(tags.disc or ""),
        "DISCTOTAL": str(tags.n_discs or ""),
        "DISCSUBTITLE": tags.part,
    }
    return {name: text for name, text in texts.items() if text}


def _series_texts(series: Sequence[Series]) -> dict[str, str]:
    main = _main_series(series)
    # Audiobookshelf reads several series only if each has its place.
    listed = series if all(one.index for one in series) else series[:1]
    return {
        "SERIES": _joined([one.name for one in listed]),
        "SERIES-PART": _joined([one.index for one in listed]),
        "GROUPING": _joined(map(series_text, series)),
        "MOVEMENTNAME": main.name,
        "MOVEMENT": main.index if re.fullmatch(r"[1-9]\d{0,3}", main.index) else "",
    }


def _main_series(series: Sequence[Series]) -> Series:
    return series[0] if series else Series("")


def _album_sort(tags: Tags) -> str:
    """The text that shelves sort the book by: its place in the series, if any, before its title."""
    main = _main_series(tags.series)
    if main.index:
        return capped(f"{main.name} {main.index} - {tags.title_sort or tags.album}", MAX_LINE_BYTES)
    return tags.title_sort


def _joined(texts: Iterable[str], separator: str = "; ") -> str:
    return capped(separator.join(texts), MAX_LINE_BYTES)


def _lines(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, map(_line, texts))))


def _line(text: str) -> str:
    return capped(one_line(text), MAX_LINE_BYTES)


@dataclass(frozen=True, slots=True)
class EmbeddedMetadata:
    """Everything in a file besides its audio. Marks are in samples at `sample_rate`."""

    tags: Tags
    marks: Sequence[Mark]
    sample_rate: int
    n_samples: int
    cover: Cover | None = None


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
    yield from (name for name, (whole, held) in kept.items() if _is_shorter(held, one_line(whole)))
    if _is_shorter(tags.description, many_lines(book.description)):
        yield "description"
    series = [book.series, *(one.name for one in book.more_series)]
    lists = {
        "authors": (book.authors, tags.authors),
        "subjects": (book.subjects, tags.genres),
        "series": (series, [one.name for one in tags.series]),
    }
    for name, (whole, held) in lists.items():
        lines = [line for line in dict.fromkeys(map(one_line, whole)) if line]
        if not {*lines} <= {*held} or len("; ".join(lines).encode()) > MAX_LINE_BYTES:
            yield name


def _is_shorter(held: str, whole: str) -> bool:
    return bool(whole) and held != whole


def _is_cut(title: str) -> bool:
    return len(title.encode()) > MAX_TITLE_BYTES
