"""What a Markdown file says of itself above its text, in YAML (---) or TOML (+++).

Knows the names people use for these things; knows no Markdown. Nothing in it is executed.
"""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, cast

import yaml
from yaml.composer import ComposerError

from inputs.characters import whole
from inputs.markup_text import squeeze

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
    return squeeze(whole(value.isoformat() if isinstance(value, datetime.date) else str(value)))
