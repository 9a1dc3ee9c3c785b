"""Reads Markdown files into a `Book`: front matter, then CommonMark with extensions.

    file ─▶ front matter (YAML or TOML) ─▶ metadata of the book
         └▶ text ─▶ HTML ─▶ blocks ─▶ chapters

The extensions are tables, strikethrough, footnotes and task lists. The text is converted to HTML
and from there to blocks like any page, so that blocks have the same meaning as in an EPUB. No text
is lost.
"""

from __future__ import annotations

import datetime
import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, cast

import yaml
from yaml.composer import ComposerError

from audiomill.inputs.chapters.outline import mark_contents, outline
from audiomill.inputs.gutenberg.typed_notes import without_typed_asides
from audiomill.inputs.languages.codes import language_tag
from audiomill.inputs.languages.detection import SourceLanguage, language_of_source
from audiomill.inputs.markdown.mdx import dialect_of
from audiomill.inputs.markdown.parser import to_html
from audiomill.inputs.markup.blocks import to_blocks
from audiomill.inputs.markup.notes import separate_notes_of_page, with_notes_of_all
from audiomill.inputs.markup.parser import body_of, parse_xhtml
from audiomill.inputs.markup.pictures import printed_texts
from audiomill.inputs.markup.semantics import CODE, words_within
from audiomill.inputs.markup.text import normalise_spaces
from audiomill.inputs.metadata.covers import fit_cover_file
from audiomill.inputs.metadata.descriptions import plain_description
from audiomill.inputs.metadata.images import UnusableImage
from audiomill.inputs.metadata.source_metadata import asin_in, isbn_in, series_in, title_of_file
from audiomill.inputs.model.book import Book, Cover, Limits, Series, Skipped, SkipReason
from audiomill.inputs.model.ledger import letters_of
from audiomill.inputs.model.surrogates import repair_surrogates
from audiomill.inputs.reading.rules import ReadingRules
from audiomill.inputs.text.decoding import decode_text

_NO_WORDS = CODE | {"math"}  # they are in no language
_EMBEDDED = re.compile(r"\(\s*<?data:[^)\s]*+")  # the bytes of a picture inside the text
LONGEST_FRONT_MATTER_CHARS = 64 * 1024  # longer text is not front matter
MAX_ALIASES = 20  # of YAML: a repeated author needs one; many that are nested would fill memory
_YAML = re.compile(
    r"\s{0,20}---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)
_TOML = re.compile(r"\s{0,20}\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_FIRST_KEY = re.compile(r"\s*(?:#[^\n]*\n\s*)*[\w\"'-]+[ \t]*[:=]")  # for example "title:"
_TAG = "tag:yaml.org,2002:"
_MERGE = (_TAG + "merge", re.compile("<<$"))
_NULL = (_TAG + "null", re.compile("(?:~|null|true|false|)$"))
Values = Mapping[str, object]


def read(path: Path, limits: Limits, rules: ReadingRules | None = None) -> Book:
    """Return the book in a Markdown file; `rules` decide what is read.

    Raises SourceError, and OSError if it cannot be read.
    """
    rules = rules or ReadingRules()
    data = path.read_bytes()
    text, warnings = decode_text(data, path.name)
    n_embedded = sum(len(match[0]) for match in _EMBEDDED.finditer(text))
    limits.check_text_length(len(text) - n_embedded, path.name)
    front_matter = split_front_matter(text)
    values = front_matter.values
    cover, cover_warnings = _cover(
        path, first(values, "cover", "cover_image", "cover-image"), limits
    )
    if front_matter.unread:
        warnings += (f"the front matter of “{path.name}” cannot be read: {front_matter.reason}",)
    book = _described(_book_below(front_matter, path, rules), values)
    return replace(
        book,
        source_id=hashlib.sha256(data).hexdigest(),
        cover=cover,
        warnings=(*warnings, *book.warnings, *cover_warnings),
    )


def _book_below(front_matter: FrontMatter, path: Path, rules: ReadingRules) -> Book:
    """The chapters of the text below the front matter, with their title and language."""
    values, unread = front_matter.values, front_matter.unread
    dialect = dialect_of(path.name, front_matter.text_below)
    body = body_of(parse_xhtml(to_html(front_matter.text_below, dialect).encode()))
    language = _language(values, words_within(body, without=_NO_WORDS))
    printed = [unread, *printed_texts(body)]
    mark_contents(body)
    converted = to_blocks(body, where=path.name, language=language.tag, rules=rules)
    converted = without_typed_asides(converted, rules, is_edition=False)
    blocks, notes = separate_notes_of_page(converted, path.name, rules)
    skipped = (*converted.skipped, *notes)
    if unread:
        skipped = (Skipped(SkipReason.UNREADABLE, unread, path.name), *skipped)
    title = first(values, "title")
    result = outline([anchored.block for anchored in blocks], title or title_of_file(path))
    return Book(
        title=title or result.title or title_of_file(path),
        authors=(),
        language=language.tag,
        language_source=language.source,
        chapters=tuple(with_notes_of_all(result.chapters, blocks, rules.reading.notes)),
        source_id="",
        skipped=skipped,
        printed=dict(letters_of([*printed, *converted.written_out])),
        warnings=language.warnings,
    )


def _described(book: Book, values: Values) -> Book:
    """The book with what its front matter says of it."""
    main, *more = _series(values)
    return replace(
        book,
        authors=several(values, "author", "authors", "creator", "by"),
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


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The values of the front matter, by name in lower case, and the text below it."""

    values: Values
    text_below: str
    unread: str = ""  # the source of front matter that cannot be parsed
    reason: str = ""  # the error of the parser


def split_front_matter(text: str) -> FrontMatter:
    """Separate the front matter, in YAML (---) or TOML (+++), from the text below it.

    Text that only looks like front matter (a rule, a paragraph, a rule) stays in the text.
    """
    head = text[:LONGEST_FRONT_MATTER_CHARS]
    match = _YAML.match(head) or _TOML.match(head)
    if match is None:
        return FrontMatter({}, text)
    below = text[match.end() :]
    try:
        values = _load(match[1], is_toml=match[0].lstrip().startswith("+"))
    except (tomllib.TOMLDecodeError, yaml.YAMLError, ValueError, RecursionError) as error:
        if _FIRST_KEY.match(match[1]):
            return FrontMatter({}, below, match[1], _reason(error, match))
        return FrontMatter({}, text)
    return FrontMatter({}, text) if values is None else FrontMatter(values, below)


def _reason(error: Exception, source: re.Match[str]) -> str:
    """What is wrong, with the line of the file, as far as the parser knows it."""
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark:
        n_above = source.string[: source.start(1)].count("\n")
        line = error.problem_mark.line + 1 + n_above  # counted from 0
        return f"line {line}: {normalise_spaces(error.problem or str(error.context))}"
    return normalise_spaces(str(error))[:200]


def _load(source: str, *, is_toml: bool) -> Values | None:
    """The values, by name in lower case; None for YAML that is not a mapping."""
    loaded = (
        tomllib.loads(source, parse_float=str) if is_toml else _Loader(source).get_single_data()
    )
    if not isinstance(loaded, dict):
        return {} if loaded is None else None
    return {str(key).lower(): value for key, value in cast(dict[object, object], loaded).items()}


def first(values: Values, *names: str) -> str:
    """The value of the first of `names` that has one, as one line of text; "" if none has."""
    return next(iter(several(values, *names)), "")


def several(values: Values, *names: str) -> tuple[str, ...]:
    """All values of the first of `names` that has any, as lines of text."""
    for name in names:
        texts = tuple(text for text in map(_text, _as_list(values.get(name))) if text)
        if texts:
            return texts
    return ()


def _as_list(value: object) -> list[object]:
    return cast(list[object], value) if isinstance(value, list) else [value]


def _text(value: object) -> str:
    """A scalar as text, or the `name`, `title` or `text` of a mapping; "" for anything else."""
    if isinstance(value, dict):
        named = cast(dict[object, object], value)
        value = named.get("name") or named.get("title") or named.get("text")
    if isinstance(value, bool) or not isinstance(value, (str, int, datetime.date)):
        return ""
    return normalise_spaces(
        repair_surrogates(value.isoformat() if isinstance(value, datetime.date) else str(value))
    )


class _Loader(yaml.SafeLoader):
    """Loads YAML with all scalars as text, so that 1.10, 007, 3:10 and No stay as written.

    `true`, `false` and `null` become None. Tags of other types are errors.
    Raises ComposerError for more than MAX_ALIASES aliases.
    """

    yaml_implicit_resolvers: ClassVar = {
        **{first: [_NULL] for first in ("~", "n", "t", "f", "")},
        "<": [_MERGE],
    }
    yaml_constructors: ClassVar = {
        tag: yaml.SafeLoader.yaml_constructors[tag]
        for tag in (*(_TAG + kind for kind in ("null", "str", "seq", "map")), None)
    }

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self._n_aliases = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Compose the next node, and count aliases."""
        if self.check_event(yaml.AliasEvent):
            self._n_aliases += 1
            if self._n_aliases > MAX_ALIASES:
                raise ComposerError(problem=f"it has over {MAX_ALIASES} aliases")
        return super().compose_node(parent, index)
