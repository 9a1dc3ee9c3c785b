"""What a Markdown file says of itself above its text, in YAML (---) or TOML (+++).

Knows the names people use for these things; knows no Markdown. Nothing in it is executed.
"""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import yaml

from inputs.markup_text import squeeze

LONGEST = 64 * 1024  # characters; more than that is not front matter
_YAML = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML = re.compile(r"\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)

_LOOKS_LIKE = re.compile(r"\s*(?:#[^\n]*\n\s*)*[\w\"'-]+[ \t]*[:=]")  # title: …

Values = Mapping[str, object]


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
    loaded: object = tomllib.loads(source) if is_toml else yaml.safe_load(source)
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
    if isinstance(value, bool) or not isinstance(value, (str, int, float, datetime.date)):
        return ""
    return squeeze(value.isoformat() if isinstance(value, datetime.date) else str(value))
