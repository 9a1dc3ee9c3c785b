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
import stat
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, cast

import yaml
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, blockquote, list_block, table
from markdown_it.rules_block.table import escapedSplit, getLine
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.footnote.index import footnote_def
from yaml.composer import ComposerError

from audiomill.inputs.book import Book, Cover, Limits, Skipped, SkipReason
from audiomill.inputs.covers import fit_cover
from audiomill.inputs.decoding import check_text_length, decode_text, repair_surrogates, title_from
from audiomill.inputs.images import UnusableImage
from audiomill.inputs.languages import language_tag
from audiomill.inputs.markup.blocks import to_blocks
from audiomill.inputs.markup.outline import mark_contents, outline
from audiomill.inputs.markup.parser import body_of, parse_xhtml
from audiomill.inputs.markup.text import normalise_spaces

LONGEST_FRONT_MATTER_CHARS = 64 * 1024  # longer text is not front matter
MAX_ALIASES = 20  # of YAML: a repeated author needs one; many that are nested would fill memory
# The deepest nesting of lists and quotations: a list is two levels, a quotation one. Deeper ones
# stay text of the innermost, with their marks. Books go to five or six.
MAX_NESTING = 32
# The nesting at which the parser stops to read. Blocks must never reach it. In a line it only
# limits how many brackets are tried, each once: keep it low.
PARSER_NESTING = MAX_NESTING + 4
_YAML = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML = re.compile(r"\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_FIRST_KEY = re.compile(r"\s*(?:#[^\n]*\n\s*)*[\w\"'-]+[ \t]*[:=]")  # for example "title:"
_TASK = re.compile(r"\[[ xX]\]\s+")
_NOTES_RULE = '<hr class="footnotes-sep" />\n'  # a line above the notes, not a scene break
_EMBEDDED = re.compile(r"\(\s*<?data:[^)\s]*+")  # the bytes of a picture inside the text

_TAG = "tag:yaml.org,2002:"
_MERGE = (_TAG + "merge", re.compile("<<$"))
_NULL = (_TAG + "null", re.compile("(?:~|null|true|false|)$"))

Values = Mapping[str, object]
BlockRule = Callable[[StateBlock, int, int, bool], bool]


def read(path: Path, limits: Limits) -> Book:
    """Return the book in a Markdown file. Raises SourceError, and OSError if it cannot be read."""
    data = path.read_bytes()
    text, warnings = decode_text(data, path.name)
    n_embedded = sum(len(match[0]) for match in _EMBEDDED.finditer(text))
    check_text_length(len(text) - n_embedded, path.name, limits)
    front_matter = split_front_matter(text)
    values = front_matter.values
    language, language_warnings = _language(values)
    cover, cover_warnings = _cover(
        path, _first(values, "cover", "cover_image", "cover-image"), limits
    )
    unread = list[Skipped]()
    if front_matter.unread:
        warnings += (f"the front matter of “{path.name}” cannot be read: {front_matter.reason}",)
        unread.append(Skipped(SkipReason.UNREADABLE, front_matter.unread, path.name))
    root = parse_xhtml(to_html(front_matter.text_below).encode())
    mark_contents(root)
    converted = to_blocks(body_of(root), where=path.name, language=language)
    title = _first(values, "title")
    result = outline([anchored.block for anchored in converted.blocks], title or title_from(path))
    series = _first(values, "series")
    return Book(
        title=title or result.title or title_from(path),
        authors=_several(values, "author", "authors", "creator", "by"),
        language=language,
        chapters=result.chapters,
        source_id=hashlib.sha256(data).hexdigest(),
        cover=cover,
        date=_first(values, "date", "published", "year"),
        publisher=_first(values, "publisher"),
        description=_first(values, "description", "summary", "abstract"),
        identifier=_first(values, "identifier", "isbn", "doi"),
        series=series,
        series_index=_first(values, "series_index", "series-index", "volume") if series else "",
        skipped=(*unread, *converted.skipped),
        warnings=(*warnings, *language_warnings, *cover_warnings),
    )


def _language(values: Values) -> tuple[str, tuple[str, ...]]:
    """(BCP 47 tag, warnings)."""
    name = _first(values, "language", "lang", "locale")
    tag = language_tag(name)
    if name and not tag:
        return "en", (f"its language “{name}” is not a language tag such as en-GB; en was taken",)
    return tag or "en", ()


def _cover(path: Path, name: str, limits: Limits) -> tuple[Cover | None, tuple[str, ...]]:
    """(the cover that the front matter names, warnings); only from the folder of the file."""
    if not name:
        return None, ()
    folder = path.parent.resolve()
    try:
        picture = (folder / name).resolve()
        if "://" in name or not picture.is_relative_to(folder):
            return None, (f"the cover “{name}” is not in the folder of “{path.name}”; left out",)
        size = picture.stat()
        if not stat.S_ISREG(size.st_mode):  # reading a pipe could wait forever
            return None, (f"the cover “{name}” is not a file; left out",)
        if size.st_size > limits.max_entry_bytes:
            return None, (f"the cover “{name}” is over max_entry_bytes; left out",)
        fitted = fit_cover(picture.read_bytes())
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
        values = _load(match[1], is_toml=text.startswith("+"))
    except (tomllib.TOMLDecodeError, yaml.YAMLError, ValueError, RecursionError) as error:
        if _FIRST_KEY.match(match[1]):
            return FrontMatter({}, below, match[1], normalise_spaces(str(error))[:200])
        return FrontMatter({}, text)
    return FrontMatter({}, text) if values is None else FrontMatter(values, below)


def _load(source: str, *, is_toml: bool) -> Values | None:
    """The values, by name in lower case; None for YAML that is not a mapping."""
    loaded = (
        tomllib.loads(source, parse_float=str) if is_toml else _Loader(source).get_single_data()
    )
    if not isinstance(loaded, dict):
        return {} if loaded is None else None
    return {str(key).lower(): value for key, value in cast(dict[object, object], loaded).items()}


def _first(values: Values, *names: str) -> str:
    """The value of the first of `names` that has one, as one line of text; "" if none has."""
    return next(iter(_several(values, *names)), "")


def _several(values: Values, *names: str) -> tuple[str, ...]:
    """All values of the first of `names` that has any, as lines of text."""
    for name in names:
        texts = tuple(text for text in map(_text, _as_list(values.get(name))) if text)
        if texts:
            return texts
    return ()


def _as_list(value: object) -> list[object]:
    return cast(list[object], value) if isinstance(value, list) else [value]


def _text(value: object) -> str:
    """A scalar as text, or the `name` of a mapping; "" for anything else."""
    if isinstance(value, dict):
        named = cast(dict[object, object], value)
        value = named.get("name") or named.get("title")
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


def to_html(text: str) -> str:
    """Return `text` as an HTML page, in time linear in its length.

    The page is XHTML if the HTML inside the text is.
    """
    body = _parser().render(text).replace(_NOTES_RULE, "")
    return f'<html><head><meta charset="utf-8" /></head><body>\n{body}</body></html>'


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    options = {"html": True, "xhtmlOut": True, "maxNesting": PARSER_NESTING}
    parser = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    parser.use(footnote_plugin)
    alternatives = ["paragraph", "reference"]
    for name, rule, ends in (
        ("blockquote", blockquote, [*alternatives, "blockquote", "list"]),
        ("list", list_block, [*alternatives, "blockquote"]),
        ("footnote_def", footnote_def, alternatives),
    ):
        parser.block.ruler.at(name, _limited(rule), {"alt": ends})
    parser.block.ruler.at("table", _complete_table, {"alt": alternatives})
    parser.core.ruler.before("footnote_tail", "all_notes", _move_notes)
    parser.core.ruler.after("inline", "tasks", _drop_check_boxes)
    return parser


def _limited(rule: BlockRule) -> BlockRule:
    """The rule of a container of blocks, which applies only up to `MAX_NESTING` levels."""

    def limited(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it calls it so
        return state.level < MAX_NESTING and rule(state, start, end, silent)

    return limited


def _complete_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - markdown-it calls it so
    """Parse a table, with the cells that the original rule drops from long rows."""
    n_before = len(state.tokens)
    if not table(state, start, end, silent):
        return False
    n_shown, row = 0, 0
    table_tokens, state.tokens[n_before:] = state.tokens[n_before:], []
    for token in table_tokens:
        if token.type == "tr_open":
            n_shown, row = 0, token.map[0] if token.map else 0
        elif token.type == "inline":
            n_shown += 1
        elif token.type == "tr_close":
            for cell in _cells(getLine(state, row))[n_shown:]:
                state.tokens += _cell(cell, row)
        state.tokens.append(token)
    return True


def _cells(line: str) -> list[str]:
    cells = escapedSplit(line.strip())
    return cells[1:] if cells[:1] == [""] else cells


def _cell(text: str, row: int) -> list[Token]:
    inline = Token("inline", "", 0, map=[row, row + 1], content=text.strip(), children=[])
    return [Token("td_open", "td", 1), inline, Token("td_close", "td", -1)]


def _move_notes(state: StateCore) -> None:
    """Move all notes behind the text, none inside another; notes without a reference are asides."""
    text, notes, open_notes = list[Token](), list[list[Token]](), list[list[Token]]()
    for token in state.tokens:
        if token.type == "footnote_reference_open":
            open_notes.append([token])
        elif token.type == "footnote_reference_close":
            notes.append([*open_notes.pop(), token])
        else:
            (open_notes[-1] if open_notes else text).append(token)
    names = state.env.get("footnotes", {}).get("refs", {})  # ":label" ─▶ -1 without a reference
    referenced = {name for name, number in names.items() if number >= 0}
    for note in notes:
        name = f":{note[0].meta['label']}"
        if name not in referenced:
            note[0] = Token("html_block", "", 0, content='<aside class="footnote">\n')
            note[-1] = Token("html_block", "", 0, content="</aside>\n")
        referenced.discard(name)  # a reference leads to the first note of a name
    state.tokens = [*text, *(token for note in notes for token in note)]


def _drop_check_boxes(state: StateCore) -> None:
    """Remove the [ ] and [x] before the items of a task list."""
    for at, token in enumerate(state.tokens):
        in_item = [previous.type for previous in state.tokens[max(0, at - 2) : at]]
        if token.children and in_item == ["list_item_open", "paragraph_open"]:
            first = token.children[0]
            if token.type == "inline" and first.type == "text":
                match = _TASK.match(first.content)
                first.content = first.content[match.end() :] if match else first.content
