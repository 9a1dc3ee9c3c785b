"""The voices that a server has, which are known before anything is rendered.

Several servers speak a voice that they do not have with another one, without a word. So a voice
must be one that the server lists, that its profile knows, or that the settings name.

The lists have many forms: ["a"], {"voices": ["a"]}, {"voices": [{"id": "a"}]}, {"data": […]}, and
MaryTTS' lines of a name, a language and a gender.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from audiomill.inputs.json_text import JsonInvalid, parse_json
from audiomill.inputs.messages import did_you_mean
from audiomill.renderers.engine.errors import EngineFailed, UnknownVoice
from audiomill.renderers.engine.protocol import Voice
from audiomill.renderers.engine.text_renderer import MOST_LISTED

LISTS = ("voices", "data", "roles", "speakers")
# The best first: one with a name and the file of its recording is asked for by its name.
NAMES = ("id", "voice_id", "name", "filename")
# The names themselves may have spaces. Coqui's server knows no genders, and says "u".
MARY_LINE = re.compile(r"^([^<>\n]+) (\S+) (?:u|male|female)$", re.MULTILINE)
UNKNOWN_LANGUAGE = "mul"
IS_FILE = re.compile(r"[/\\]|\.\w{3,4}$")


class NoVoices(EngineFailed):
    """A server's list of voices is empty, or it has none."""


def listed_voices(content: bytes, server: str) -> tuple[Voice, ...]:
    """The voices in a server's list, sorted by name. Raises EngineFailed if it is none."""
    found = json_of_list(content, server)
    voices = {voice.name: voice for voice in _voices(_entries(found))}
    if not voices:
        raise NoVoices(f"{server} lists no voices.")
    return tuple(voices[name] for name in sorted(voices))


def json_of_list(content: bytes, server: str) -> Any:
    """What a server answers that is asked for its voices. Raises EngineFailed if it is no JSON."""
    try:
        return parse_json(content)
    except JsonInvalid as error:
        raise EngineFailed(f"{server} does not list its voices: it answers no JSON.") from error


def mary_voices(content: bytes, server: str) -> tuple[Voice, ...]:
    """The voices in a list of MaryTTS' form, sorted by name. Raises NoVoices if it is none.

    Source: the server of coqui-tts 0.27.2. Its languages are those of the models' names, in two
    letters or three, or "multilingual".
    """
    text = html.unescape(content.decode("utf-8", "replace"))
    languages: dict[str, str] = dict(MARY_LINE.findall(text))
    if not languages:
        raise NoVoices(f"{server} lists no voices.")
    return tuple(Voice(name, _primary(languages[name])) for name in sorted(languages))


def named_voices(
    names: Sequence[str], languages: Mapping[str, str] | None = None
) -> tuple[Voice, ...]:
    """Voices of which the names are known, and perhaps the languages, sorted."""
    languages = languages or {}
    return tuple(Voice(name, languages.get(name, UNKNOWN_LANGUAGE)) for name in sorted(set(names)))


def check_listed(names: Sequence[str], listed: Sequence[Voice], server: str) -> None:
    """Raise UnknownVoice for a name that a server does not list, and that is no file of its."""
    known = [voice.name for voice in listed]
    for name in names:
        if name not in known and not IS_FILE.search(name):
            raise UnknownVoice(
                f"{server} has no voice {name!r}, which the settings name."
                f"{did_you_mean(name, known)} It has {_some(known)}."
            )


def voices_in_mix(mix: str) -> list[str]:
    """The voices in a sum of voices, without their weights: "af_bella(2)+af_sky"."""
    return [part.partition("(")[0].strip() for part in re.split(r"[+-]", mix)]


def unchecked_warnings(names: Sequence[str], server: str) -> Iterator[str]:
    """What to say of voices that only the settings name, of a server that may substitute them."""
    if names:
        yield (
            f"{server} does not say so if it speaks with another voice, and only the settings name"
            f" {', '.join(names)}. Listen to the first minutes."
        )


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


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return ", ".join(names[:MOST_LISTED]) + more


def _primary(language: str) -> str:
    return language if len(language.partition("-")[0]) in (2, 3) else UNKNOWN_LANGUAGE


def _text(entry: Mapping[object, object], key: str) -> str:
    value = entry.get(key)
    return value if isinstance(value, str) else ""
