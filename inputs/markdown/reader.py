"""Reads Markdown files into a `Book`: front matter, then CommonMark with extensions.

    file ─▶ front matter (YAML or TOML) ─▶ metadata of the book
         └▶ text ─▶ HTML ─▶ blocks ─▶ chapters

The extensions are tables, strikethrough, footnotes and task lists. The text is converted to HTML
and from there to blocks like any page, so that blocks have the same meaning as in an EPUB. No text
is lost.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from pathlib import Path

from audiomill.inputs.chapters.reading_rules import ReadingRules
from audiomill.inputs.gutenberg.page_asides import without_typed_asides
from audiomill.inputs.languages.codes import language_tag
from audiomill.inputs.languages.detection import SourceLanguage, language_of_source
from audiomill.inputs.markdown.front_matter import Values, first, several, split_front_matter
from audiomill.inputs.markdown.mdx import dialect_of
from audiomill.inputs.markdown.parser import to_html
from audiomill.inputs.markup.blocks import to_blocks
from audiomill.inputs.markup.notes import separate_notes_of_page, with_notes_of_all
from audiomill.inputs.markup.outline import mark_contents, outline
from audiomill.inputs.markup.parser import body_of, parse_xhtml
from audiomill.inputs.markup.pictures import printed_texts
from audiomill.inputs.markup.semantics import CODE, words_within
from audiomill.inputs.metadata.covers import fit_cover_file
from audiomill.inputs.metadata.identifiers import asin_in, isbn_in, series_in
from audiomill.inputs.metadata.images import UnusableImage
from audiomill.inputs.metadata.source_metadata import plain_description
from audiomill.inputs.model.book import Book, Cover, Limits, Series, Skipped, SkipReason
from audiomill.inputs.model.ledger import letters_of
from audiomill.inputs.readers.decoding import check_text_length, decode_text, title_from

_NO_WORDS = CODE | {"math"}  # they are in no language
_EMBEDDED = re.compile(r"\(\s*<?data:[^)\s]*+")  # the bytes of a picture inside the text


def read(path: Path, limits: Limits, rules: ReadingRules | None = None) -> Book:
    """Return the book in a Markdown file; `rules` decide what is read.

    Raises SourceError, and OSError if it cannot be read.
    """
    rules = rules or ReadingRules()
    data = path.read_bytes()
    text, warnings = decode_text(data, path.name)
    n_embedded = sum(len(match[0]) for match in _EMBEDDED.finditer(text))
    check_text_length(len(text) - n_embedded, path.name, limits)
    front_matter = split_front_matter(text)
    values = front_matter.values
    cover, cover_warnings = _cover(
        path, first(values, "cover", "cover_image", "cover-image"), limits
    )
    unread = list[Skipped]()
    if front_matter.unread:
        warnings += (f"the front matter of “{path.name}” cannot be read: {front_matter.reason}",)
        unread.append(Skipped(SkipReason.UNREADABLE, front_matter.unread, path.name))
    dialect = dialect_of(path.name, front_matter.text_below)
    root = parse_xhtml(to_html(front_matter.text_below, dialect).encode())
    language = _language(values, words_within(body_of(root), without=_NO_WORDS))
    printed = [front_matter.unread, *printed_texts(body_of(root))]
    mark_contents(root)
    converted = to_blocks(body_of(root), where=path.name, language=language.tag, rules=rules)
    converted = without_typed_asides(converted, rules, is_edition=False)
    blocks, notes = separate_notes_of_page(converted, path.name, rules)
    title = first(values, "title")
    result = outline([anchored.block for anchored in blocks], title or title_from(path))
    main, *more = _series(values)
    return Book(
        title=title or result.title or title_from(path),
        authors=several(values, "author", "authors", "creator", "by"),
        language=language.tag,
        language_source=language.source,
        chapters=tuple(with_notes_of_all(result.chapters, blocks, rules.reading.notes)),
        source_id=hashlib.sha256(data).hexdigest(),
        cover=cover,
        subtitle=first(values, "subtitle"),
        translators=several(values, "translator", "translators"),
        narrators=several(values, "narrator", "narrators", "reader"),
        date=first(values, "date", "published", "year"),
        original_year=first(values, "original_year", "original-year"),
        publisher=first(values, "publisher"),
        description=plain_description(first(values, "description", "summary", "abstract")),
        identifier=first(values, "identifier", "isbn", "doi"),
        isbn=next(filter(None, map(isbn_in, several(values, "isbn", "identifier"))), ""),
        asin=asin_in(first(values, "asin")),
        rights=first(values, "rights", "copyright", "license"),
        subjects=several(values, "genre", "genres", "subject", "subjects", "categories"),
        title_sort=first(values, "title_sort", "title-sort"),
        author_sort=first(values, "author_sort", "author-sort"),
        series=main.name,
        series_index=main.index,
        more_series=tuple(more),
        skipped=(*unread, *converted.skipped, *notes),
        printed=dict(letters_of([*printed, *converted.written_out])),
        warnings=(*warnings, *language.warnings, *cover_warnings),
    )


def _series(values: Values) -> list[Series]:
    """The series, the main one first: "Mills", "Mills #2", or a list of them."""
    found = [series_in(text) for text in several(values, "series")] or [Series("")]
    place = first(values, "series_index", "series-index", "series_part", "volume")
    if found[0].name and place:
        found[0] = Series(found[0].name, place)
    return found


def _language(values: Values, text: str) -> SourceLanguage:
    name = first(values, "language", "lang", "locale")
    tag = language_tag(name)
    language = language_of_source(tag, text)
    if name and not tag:
        problem = (
            f"its language “{name}” is not a language tag such as en-GB; {language.tag} was taken"
        )
        return replace(language, warnings=(problem,))
    return language


def _cover(path: Path, name: str, limits: Limits) -> tuple[Cover | None, tuple[str, ...]]:
    """(the cover that the front matter names, warnings); only from the folder of the file."""
    if not name:
        return None, ()
    folder = path.parent.resolve()
    try:
        picture = (folder / name).resolve()
        if "://" in name or not picture.is_relative_to(folder):
            return None, (f"the cover “{name}” is not in the folder of “{path.name}”; left out",)
        fitted = fit_cover_file(picture, limits.max_entry_bytes)
    except (OSError, ValueError, RuntimeError) as error:  # RuntimeError: links in a circle
        return None, (f"the cover “{name}” cannot be read ({error}); left out",)
    except UnusableImage as error:
        return None, (f"the cover “{name}” is {error}; left out",)
    return fitted.cover, (f"the cover “{name}” is {fitted.change}",) if fitted.change else ()
