"""Markdown files to a `Book`: CommonMark, tables, strikethrough, footnotes, task lists.

It is made HTML (`markdown_parser.py`) and walked like any page, so that blocks mean what they mean
in an EPUB.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from inputs.book import Book, Cover, Skipped, SkipReason
from inputs.contents import mark_contents
from inputs.front_matter import Values, first, several, split_front_matter
from inputs.headings import outline
from inputs.languages import language_tag
from inputs.limits import Limits
from inputs.markdown_parser import to_html
from inputs.markup import walk
from inputs.markup_parse import body_of, parse_xhtml
from inputs.pictures import UnusablePicture, cover_of
from inputs.text_file import decode_text, refuse_too_long, title_from

_EMBEDDED = re.compile(r"\(\s*<?data:[^)\s]*+")  # a picture inside the text is not text


def read(path: Path, limits: Limits) -> Book:
    """The book in a Markdown file. Raises SourceError, and OSError if it cannot be read."""
    data = path.read_bytes()
    text, warnings = decode_text(data, path.name)
    embedded = sum(len(found[0]) for found in _EMBEDDED.finditer(text))
    refuse_too_long(len(text) - embedded, path.name, limits)
    above = split_front_matter(text)
    values = above.values
    language, doubts = _language(values)
    cover, complaints = _cover(path, first(values, "cover", "cover_image", "cover-image"), limits)
    unread = list[Skipped]()
    if above.unread:
        warnings += (f"the front matter of “{path.name}” cannot be read: {above.why}",)
        unread.append(Skipped(SkipReason.UNREADABLE, above.unread, path.name))
    root = parse_xhtml(to_html(above.text_below).encode())
    mark_contents(root)
    walked = walk(body_of(root), where=path.name, language=language)
    title = first(values, "title")
    found = outline([anchored.block for anchored in walked.blocks], title or title_from(path))
    series = first(values, "series")
    return Book(
        title=title or found.title or title_from(path),
        authors=several(values, "author", "authors", "creator", "by"),
        language=language,
        chapters=found.chapters,
        source_id=hashlib.sha256(data).hexdigest(),
        cover=cover,
        date=first(values, "date", "published", "year"),
        publisher=first(values, "publisher"),
        description=first(values, "description", "summary", "abstract"),
        identifier=first(values, "identifier", "isbn", "doi"),
        series=series,
        series_index=first(values, "series_index", "series-index", "volume") if series else "",
        skipped=(*unread, *walked.skipped),
        warnings=(*warnings, *doubts, *complaints),
    )


def _language(values: Values) -> tuple[str, tuple[str, ...]]:
    """(BCP 47 tag, warnings)."""
    said = first(values, "language", "lang", "locale")
    tag = language_tag(said)
    if said and not tag:
        return "en", (f"its language “{said}” is not a language tag such as en-GB; en was taken",)
    return tag or "en", ()


def _cover(path: Path, said: str, limits: Limits) -> tuple[Cover | None, tuple[str, ...]]:
    """(the picture that the front matter names, warnings); only from the file's own folder."""
    if not said:
        return None, ()
    folder = path.parent.resolve()
    picture = (folder / said).resolve()
    if "://" in said or not picture.is_relative_to(folder):
        return None, (f"the cover “{said}” is not in the folder of “{path.name}”; left out",)
    try:
        if picture.stat().st_size > limits.max_entry_bytes:
            return None, (f"the cover “{said}” is over max_entry_bytes; left out",)
        return cover_of(picture.read_bytes()), ()
    except (OSError, ValueError) as error:
        return None, (f"the cover “{said}” cannot be read ({error}); left out",)
    except UnusablePicture as error:
        return None, (f"the cover “{said}” is {error}; left out",)
