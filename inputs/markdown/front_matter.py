"""Reads the front matter of a Markdown file: YAML between `---`, or TOML between `+++`."""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, cast

import yaml
from yaml.composer import ComposerError

from audiomill.inputs.markup.text import normalise_spaces
from audiomill.inputs.readers.decoding import repair_surrogates

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
