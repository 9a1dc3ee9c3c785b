"""Reads a podcast's file, `show.toml`. Each error names the line and what would be right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from audiomill.flows.errors import UsageError
from audiomill.flows.podcast.show_problems import Problem, music_problems, problems_of
from audiomill.flows.podcast.show_settings import WEB_KINDS, ShowSettings
from audiomill.flows.settings import UNKNOWN_KEY
from audiomill.inputs.files import read_text
from audiomill.inputs.messages import did_you_mean
from audiomill.inputs.toml_text import Key, TomlInvalid, TomlLines, parse_toml
from audiomill.renderers.host.folders import expanded

MAX_BYTES = 1 << 20


def read_show(path: Path) -> ShowSettings:
    """The show in a file; paths in it are relative to the file.

    Raises UsageError, with a line for each thing that is wrong.
    """
    text = _text(path)
    try:
        content = parse_toml(text)
    except TomlInvalid as error:
        raise UsageError(f"{path}:{error.line}: {error}") from error
    lines = TomlLines(text)
    try:
        show = _adapter().validate_python(content)
    except ValidationError as error:
        problems = [_problem(details) for details in error.errors()]
        raise _usage_error(path, lines, problems) from error
    if problems := list(problems_of(show)):
        raise _usage_error(path, lines, problems)
    show = _with_paths(show, path.absolute().parent)
    if problems := list(music_problems(show.music)):
        raise _usage_error(path, lines, problems)
    return show


@cache
def _adapter() -> TypeAdapter[ShowSettings]:
    """What checks a show; making it takes longer than checking."""
    return TypeAdapter(ShowSettings)


def title_in(path: Path) -> str:
    """The title of the show in a file, whatever else is wrong there; "" if it cannot be read."""
    try:
        return str(parse_toml(_text(path)).get("title", ""))
    except (UsageError, TomlInvalid):
        return ""


def wrong_values(path: Path, problems: Iterable[Problem]) -> UsageError:
    """The error of values of a show's file that turn out wrong later, with their lines."""
    return _usage_error(path, TomlLines(_text(path)), problems)


def _text(path: Path) -> str:
    try:
        return read_text(path, MAX_BYTES)
    except FileNotFoundError as error:
        raise UsageError(
            f"{path} is not here. audiomill podcast init {path} writes one to fill in."
        ) from error
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}.") from error


def _usage_error(path: Path, lines: TomlLines, problems: Iterable[Problem]) -> UsageError:
    by_line = sorted((lines.line_of(where), message) for where, message in problems)
    return UsageError("\n".join(f"{path}:{line or 1}: {message}" for line, message in by_line))


def _problem(details: ErrorDetails) -> Problem:
    """A problem that the types show."""
    where = details["loc"]
    name = str(where[-1]) if where else ""
    if details["type"] in UNKNOWN_KEY:
        known = _keys_at(where[:-1])
        hint = did_you_mean(name, known, n=1) or f" Known: {', '.join(known)}."
        return where, f"there is no “{name}” here.{hint}"
    if details["type"] in ("missing", "missing_argument"):
        return where, f"{name} is missing."
    message = details["msg"].removeprefix("Value error, ")
    return where, f"{name}: {message[:1].lower()}{message[1:]}."


def _keys_at(path: Sequence[Key]) -> Sequence[str]:
    """The keys of a table; none of what is no table."""
    kind: Any = ShowSettings
    for name in path:
        if isinstance(name, int):
            continue
        kind = get_type_hints(kind).get(name) if is_dataclass(kind) else None
        kind = next((one for one in get_args(kind) if is_dataclass(one)), kind)
    return [one.name for one in fields(kind)] if is_dataclass(kind) else []


def _with_paths(show: ShowSettings, folder: Path) -> ShowSettings:
    """The show with absolute paths, and an address that ends in a slash."""
    sources = tuple(
        one if one.kind in WEB_KINDS else replace(one, **{one.kind: str(_path(one.place, folder))})
        for one in show.sources
    )
    image = None if show.image is None else _path(show.image, folder)
    pieces = {use: _path(path, folder) for use, path in show.music.files.items()}
    return replace(
        show,
        address=show.address.rstrip("/") + "/",
        folder=show.folder if "://" in show.folder else str(_path(show.folder, folder)),
        sources=sources,
        image=image,
        music=replace(show.music, **pieces),
    )


def _path(path: Path | str, folder: Path) -> Path:
    return folder / expanded(Path(path))
