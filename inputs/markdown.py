"""Markdown files to a `Book`: CommonMark, tables, strikethrough, footnotes, task lists.

It is made HTML (`markdown_parser.py`) and walked like any page, so that blocks mean what they mean
in an EPUB.
"""

from __future__ import annotations

import datetime
import hashlib
import re
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
from audiomill.inputs.decoding import check_text_length, decode_text, repair_surrogates, title_from
from audiomill.inputs.images import UnusableImage, cover_of
from audiomill.inputs.languages import language_tag
from audiomill.inputs.markup.blocks import to_blocks
from audiomill.inputs.markup.outline import mark_contents, outline
from audiomill.inputs.markup.parser import body_of, parse_xhtml
from audiomill.inputs.markup.text import squeeze

# What a Markdown file says of itself above its text, in YAML (---) or TOML (+++).

LONGEST = 64 * 1024  # characters; more than that is not front matter
MOST_ALIASES = 20  # a repeated author is one; enough of them, merged into each other, fill memory
_YAML = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML = re.compile(r"\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)

_LOOKS_LIKE = re.compile(r"\s*(?:#[^\n]*\n\s*)*[\w\"'-]+[ \t]*[:=]")  # title: …

Values = Mapping[str, object]

_TAG = "tag:yaml.org,2002:"
_MERGE = (_TAG + "merge", re.compile("<<$"))
_NOTHING = (_TAG + "null", re.compile("(?:~|null|true|false|)$"))


class _Loader(yaml.SafeLoader):
    """YAML as people mean it: what is written is text, so that 1.10, 007, 3:10 and No stay so.

    Switches ("published: false") and null say nothing; other types must not be asked for.
    Raises ComposerError at more than MOST_ALIASES aliases.
    """

    yaml_implicit_resolvers: ClassVar = {
        **{first: [_NOTHING] for first in ("~", "n", "t", "f", "")},
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
        """The next node; the one that an alias stands for, if there are not too many."""
        if self.check_event(yaml.AliasEvent):
            self._n_aliases += 1
            if self._n_aliases > MOST_ALIASES:
                raise ComposerError(problem=f"it has over {MOST_ALIASES} aliases")
        return super().compose_node(parent, index)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What stands above a text. `unread` is its source where it cannot be read, and `why`."""

    values: Values
    text_below: str
    unread: str = ""
    why: str = ""


def split_front_matter(text: str) -> FrontMatter:
    """Front matter parted from the text below it.

    What only looks like it (a rule, a paragraph, a rule) is left in the text.
    """
    head = text[:LONGEST]
    found = _YAML.match(head) or _TOML.match(head)
    if found is None:
        return FrontMatter({}, text)
    below = text[found.end() :]
    try:
        values = _load(found[1], is_toml=text.startswith("+"))
    except (tomllib.TOMLDecodeError, yaml.YAMLError, ValueError, RecursionError) as error:
        if _LOOKS_LIKE.match(found[1]):
            return FrontMatter({}, below, found[1], squeeze(str(error))[:200])
        return FrontMatter({}, text)
    return FrontMatter({}, text) if values is None else FrontMatter(values, below)


def _load(source: str, *, is_toml: bool) -> Values | None:
    """The values by name, in lower case; None for YAML that is not a mapping."""
    loaded = (
        tomllib.loads(source, parse_float=str) if is_toml else _Loader(source).get_single_data()
    )
    if not isinstance(loaded, dict):
        return {} if loaded is None else None
    return {str(key).lower(): value for key, value in cast(dict[object, object], loaded).items()}


def first(values: Values, *names: str) -> str:
    """The first of `names` that has a value, as one line of text; "" if none has."""
    return next(iter(several(values, *names)), "")


def several(values: Values, *names: str) -> tuple[str, ...]:
    """All texts of the first of `names` that has any."""
    for name in names:
        texts = tuple(text for text in map(_text, _listed(values.get(name))) if text)
        if texts:
            return texts
    return ()


def _listed(value: object) -> list[object]:
    return cast(list[object], value) if isinstance(value, list) else [value]


def _text(value: object) -> str:
    """A scalar as text, or the `name` of a mapping; "" for anything else."""
    if isinstance(value, dict):
        named = cast(dict[object, object], value)
        value = named.get("name") or named.get("title")
    if isinstance(value, bool) or not isinstance(value, (str, int, datetime.date)):
        return ""
    return squeeze(
        repair_surrogates(value.isoformat() if isinstance(value, datetime.date) else str(value))
    )


# CommonMark to HTML, with tables, strikethrough, footnotes and task lists; no word is lost.

BlockRule = Callable[[StateBlock, int, int, bool], bool]

# Lists and quotations inside one another: a list is two levels, a quotation one. What lies deeper
# stays text of the innermost, with its marks. Books go to five or six.
DEEPEST = 32
# Where the parser stops to read at all. It must never come to that in blocks; in a line it only
# limits how many brackets are looked into, once for each: keep it low.
NEVER_REACHED = DEEPEST + 4
_TASK = re.compile(r"\[[ xX]\]\s+")
_NOTES_RULE = '<hr class="footnotes-sep" />\n'  # drawn over the notes; no scene ends there


def to_html(text: str) -> str:
    """The whole page, as XHTML where the text's own markup is; in time linear in its length."""
    body = _parser().render(text).replace(_NOTES_RULE, "")
    return f'<html><head><meta charset="utf-8" /></head><body>\n{body}</body></html>'


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    options = {"html": True, "xhtmlOut": True, "maxNesting": NEVER_REACHED}
    parser = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    parser.use(footnote_plugin)
    alternatives = ["paragraph", "reference"]
    for name, rule, ends in (
        ("blockquote", blockquote, [*alternatives, "blockquote", "list"]),
        ("list", list_block, [*alternatives, "blockquote"]),
        ("footnote_def", footnote_def, alternatives),
    ):
        parser.block.ruler.at(name, _bounded(rule), {"alt": ends})
    parser.block.ruler.at("table", _whole_table, {"alt": alternatives})
    parser.core.ruler.before("footnote_tail", "all_notes", _keep_notes)
    parser.core.ruler.after("inline", "tasks", _drop_check_boxes)
    return parser


def _bounded(rule: BlockRule) -> BlockRule:
    """The rule of something that holds blocks, blind to what is nested too deeply."""

    def bounded(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - as rules are called
        return state.level < DEEPEST and rule(state, start, end, silent)

    return bounded


def _whole_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - as rules are called
    """A table with all the cells of its rows."""
    n_before = len(state.tokens)
    if not table(state, start, end, silent):
        return False
    n_shown, row = 0, 0
    built, state.tokens[n_before:] = state.tokens[n_before:], []
    for token in built:
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


def _keep_notes(state: StateCore) -> None:
    """Set the notes behind the text, none inside another; those that nothing calls as asides."""
    text, notes, waiting = list[Token](), list[list[Token]](), list[list[Token]]()
    for token in state.tokens:
        if token.type == "footnote_reference_open":
            waiting.append([token])
        elif token.type == "footnote_reference_close":
            notes.append([*waiting.pop(), token])
        else:
            (waiting[-1] if waiting else text).append(token)
    names = state.env.get("footnotes", {}).get("refs", {})  # ":label", and -1 if nothing calls it
    called = {name for name, number in names.items() if number >= 0}
    for note in notes:
        name = f":{note[0].meta['label']}"
        if name not in called:
            note[0] = Token("html_block", "", 0, content='<aside class="footnote">\n')
            note[-1] = Token("html_block", "", 0, content="</aside>\n")
        called.discard(name)  # the first of a name is the one that is called
    state.tokens = [*text, *(token for note in notes for token in note)]


def _drop_check_boxes(state: StateCore) -> None:
    """Take the [ ] and [x] from before the items of a task list."""
    for at, token in enumerate(state.tokens):
        in_item = [one.type for one in state.tokens[max(0, at - 2) : at]]
        if token.children and in_item == ["list_item_open", "paragraph_open"]:
            first = token.children[0]
            if token.type == "inline" and first.type == "text":
                found = _TASK.match(first.content)
                first.content = first.content[found.end() :] if found else first.content


_EMBEDDED = re.compile(r"\(\s*<?data:[^)\s]*+")  # a picture inside the text is not text


def read(path: Path, limits: Limits) -> Book:
    """The book in a Markdown file. Raises SourceError, and OSError if it cannot be read."""
    data = path.read_bytes()
    text, warnings = decode_text(data, path.name)
    embedded = sum(len(found[0]) for found in _EMBEDDED.finditer(text))
    check_text_length(len(text) - embedded, path.name, limits)
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
    walked = to_blocks(body_of(root), where=path.name, language=language)
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
    except UnusableImage as error:
        return None, (f"the cover “{said}” is {error}; left out",)
