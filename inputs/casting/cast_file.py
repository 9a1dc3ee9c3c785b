"""Reads a casting file: TOML beside a book, with the voices of its parts and characters.

narrator = "af_heart"
dialogue = "bf_emma"

[characters]
Karl = "am_adam"
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from audiomill.inputs.casting.cast import Cast
from audiomill.inputs.suggestions import did_you_mean
from audiomill.inputs.toml_text import TomlInvalid, load_toml

SUFFIX = ".voices.toml"
MAX_BYTES = 1 << 20
PARTS = ("narrator", "heading", "quote", "dialogue")
TABLES = ("characters", "chapters")


class CastInvalid(Exception):
    """The casting file cannot be read, or says something that it cannot say."""


def cast_file_of(source: Path) -> Path | None:
    """The casting file beside a book: novel.voices.toml of novel.epub; None if there is none.

    What has this name and is no file is refused when it is read.
    """
    path = source.with_name(f"{source.stem}{SUFFIX}") if source.name else source
    return path if source.name and os.path.lexists(path) else None


def read_cast(path: Path) -> tuple[str | None, Cast]:
    """The voice of the narrator, if the file names one, and the cast. Raises CastInvalid."""
    content = _load(path)
    for name in content:
        if name not in (*PARTS, *TABLES):
            hint = did_you_mean(name, (*PARTS, *TABLES), n=1)
            known = ", ".join((*PARTS, *(f"[{table}]" for table in TABLES)))
            raise CastInvalid(f"{path}: there is no part {name}.{hint} Known: {known}.")
    voices = {name: _voice(path, name, content[name]) for name in PARTS if name in content}
    characters, chapters = (_table(path, name, content.get(name, {})) for name in TABLES)
    read = Cast(
        heading=voices.get("heading"),
        quote=voices.get("quote"),
        dialogue=voices.get("dialogue"),
        characters=characters,
        chapters=chapters,
        where=str(path),
    )
    return voices.get("narrator"), read


def _load(path: Path) -> Mapping[str, Any]:
    try:
        return load_toml(path, MAX_BYTES)
    except TomlInvalid as error:
        raise CastInvalid(error.at(path)) from error
    except OSError as error:
        raise CastInvalid(f"{path} cannot be read: {error.strerror or error}.") from error


def _table(path: Path, name: str, table: object) -> dict[str, str]:
    if not isinstance(table, dict):
        raise CastInvalid(f'{path}: write {name} as a table: [{name}], then lines: Name = "voice".')
    voices = cast("dict[str, object]", table)
    return {key: _voice(path, key, voice) for key, voice in voices.items()}


def _voice(path: Path, part: str, voice: object) -> str:
    if not isinstance(voice, str) or not voice.strip():
        raise CastInvalid(f'{path}, {part}: write the name of a voice, like "en-gb".')
    return voice.strip()
