"""The voices that a server has, which are known before anything is rendered.

Several servers speak a voice that they do not have with another one, without a word. So a voice
must be one that the server lists, that its profile knows, or that the settings name.

The lists have many forms: ["a"], {"voices": ["a"]}, {"voices": [{"id": "a"}]}, {"data": […]}.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from audiomill.renderers.base import EngineFailed, Voice

LISTS = ("voices", "data", "roles", "speakers")
NAMES = ("id", "voice_id", "filename", "name")
UNKNOWN_LANGUAGE = "mul"


def listed_voices(content: bytes, server: str) -> tuple[Voice, ...]:
    """The voices in a server's list, sorted by name. Raises EngineFailed if it is no such list."""
    try:
        found = json.loads(content)
    except ValueError as error:
        raise EngineFailed(f"{server} does not list its voices: it answers no JSON.") from error
    voices = {voice.name: voice for voice in _voices(_entries(found))}
    if not voices:
        raise EngineFailed(f"{server} lists no voices.")
    return tuple(voices[name] for name in sorted(voices))


def named_voices(names: Sequence[str]) -> tuple[Voice, ...]:
    """Voices of which only the names are known, sorted."""
    return tuple(Voice(name, UNKNOWN_LANGUAGE) for name in sorted(set(names)))


def _entries(found: object) -> Sequence[object]:
    if isinstance(found, Mapping):
        return next((found[name] for name in LISTS if isinstance(found.get(name), list)), ())
    return found if isinstance(found, list) else ()


def _voices(entries: Sequence[object]) -> Iterator[Voice]:
    for entry in entries:
        if isinstance(entry, str):
            yield Voice(entry, UNKNOWN_LANGUAGE)
        elif isinstance(entry, Mapping):
            name = next((str(entry[key]) for key in NAMES if entry.get(key)), "")
            if name:
                yield Voice(
                    name, _text(entry, "language") or UNKNOWN_LANGUAGE, _text(entry, "gender")
                )


def _text(entry: Mapping[object, object], key: str) -> str:
    value = entry.get(key)
    return value if isinstance(value, str) else ""
