"""The voices of Fish Audio: models of the service, and references on a server of fish-speech.

The service has a million public voices and lists them in pages. So those of the account are listed,
and any other one is asked for by its id.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from audiomill.inputs.json_text import fields_of, items_of, number_of
from audiomill.renderers.engine.errors import EngineFailed, UnknownVoice
from audiomill.renderers.engine.protocol import Voice
from audiomill.renderers.servers.replies import Reply
from audiomill.renderers.servers.voices import UNKNOWN_LANGUAGE, json_of_list

PAGE_SIZE = 100
ID = re.compile(r"[0-9a-f]{32}")  # of a voice of the service: the end of its page's address
READY = "trained"


@dataclass(frozen=True, slots=True)
class FishVoicePage:
    """A part of the service's list."""

    voices: tuple[Voice, ...]  # those that can speak
    n_listed: int
    total: int  # in all pages


def own_voices_path(page: int) -> str:
    """Where the service lists the voices of the account. Pages begin at 1."""
    return f"/model?self=true&page_size={PAGE_SIZE}&page_number={page}"


def voice_page(reply: Reply) -> FishVoicePage:
    """A part of the service's list. Raises EngineFailed if it is none."""
    found = fields_of(json_of_list(reply.content, "Fish Audio"))
    if not isinstance(found.get("items"), list):
        raise EngineFailed("Fish Audio does not list its voices: its answer has no items.")
    items = [fields_of(item) for item in items_of(found["items"])]
    ready = tuple(_voice(item) for item in items if not _problem(item))
    return FishVoicePage(ready, len(items), int(number_of(found.get("total")) or 0))


def public_voice(reply: Reply) -> Voice:
    """The voice that the service describes. Raises UnknownVoice if it cannot speak."""
    found = json_of_list(reply.content, "Fish Audio")
    if not isinstance(found, Mapping):
        raise EngineFailed("Fish Audio describes a voice in an unknown way.")
    if problem := _problem(found):
        raise UnknownVoice(f"The voice {found.get('_id')} of Fish Audio cannot be used: {problem}.")
    return _voice(found)


def references(reply: Reply) -> tuple[Voice, ...]:
    """The voices of a server of fish-speech, which have an audio file and its text.

    Raises EngineFailed.
    """
    found = json_of_list(reply.content, "fish-speech")
    names = found.get("reference_ids") if isinstance(found, Mapping) else None
    if not isinstance(names, list):
        raise EngineFailed("fish-speech does not list its voices: its answer has no reference_ids.")
    return tuple(Voice(name, UNKNOWN_LANGUAGE) for name in sorted(map(str, items_of(names))))


def _problem(item: Mapping[str, Any]) -> str:
    """Why the voice cannot speak; "" if it can."""
    if item.get("type") != "tts" or not item.get("_id"):
        return "it is not one for text"
    return "" if item.get("state") == READY else f"it is {item.get('state')}"


def _voice(item: Mapping[str, Any]) -> Voice:
    languages = [str(one) for one in items_of(item.get("languages"))]
    language = languages[0] if len(languages) == 1 else UNKNOWN_LANGUAGE
    title = str(item.get("title") or "")
    return Voice(str(item["_id"]), language, "", title, title)
