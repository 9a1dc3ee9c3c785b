"""The voices of an ElevenLabs account, and which of them a name means.

An account has voices of its own and copies of others', and several may have one name. So a voice's
canonical name is its id, with the language that it is told to speak, if any: "JBFqn…@de".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from audiomill.inputs.json_text import JsonInvalid, fields_of, items_of, number_of, parse_json
from audiomill.inputs.languages.codes import primary_subtag
from audiomill.inputs.messages import did_you_mean
from audiomill.renderers.engine.errors import EngineFailed, UnknownVoice
from audiomill.renderers.engine.protocol import Voice
from audiomill.renderers.engine.text_renderer import MOST_LISTED
from audiomill.renderers.servers.replies import Reply
from audiomill.renderers.servers.voices import UNKNOWN_LANGUAGE

PAGE_SIZE = 100  # the most that the service allows
# George, who speaks in the vendor's own examples; every account has him unless he was removed.
PREFERRED = "JBFqnCBsd6RMkjVDRZzb"


@dataclass(frozen=True, slots=True)
class ElevenLabsVoice:
    """A voice of the account."""

    id: str
    name: str  # for example "George - Warm, Captivating Storyteller"
    languages: tuple[str, ...] = ()  # in which it was recorded or checked, the first one first
    gender: str = ""
    price_factor: float = 1.0  # by which a character costs more than with other voices

    @property
    def short_name(self) -> str:
        """The name without what describes it."""
        return self.name.partition(" - ")[0].strip()

    def listed(self) -> Voice:
        """The voice as it is listed."""
        language = self.languages[0] if self.languages else UNKNOWN_LANGUAGE
        return Voice(self.id, language, self.gender, self.name, self.short_name)


def page_path(token: str) -> str:
    """Where a page of the voices is; "" is the first one."""
    after = f"&next_page_token={quote(token, safe='')}" if token else ""
    return f"/v2/voices?page_size={PAGE_SIZE}{after}"


def voices_in_page(reply: Reply) -> tuple[tuple[ElevenLabsVoice, ...], str]:
    """The voices of a page, and the token of the next page; "" if it is the last one.

    Raises EngineFailed if it is no such page.
    """
    try:
        found = fields_of(parse_json(reply.content))
    except JsonInvalid:
        found = fields_of(None)
    if not isinstance(found.get("voices"), list):
        raise EngineFailed(
            "ElevenLabs does not list its voices: it answers something else. Look at the url under"
            " [elevenlabs] in the settings."
        )
    entries = map(fields_of, items_of(found["voices"]))
    voices = tuple(_voice(one) for one in entries if one.get("voice_id"))
    return voices, str(found.get("next_page_token") or "") if found.get("has_more") else ""


def _voice(entry: Mapping[str, Any]) -> ElevenLabsVoice:
    labels, shared = fields_of(entry.get("labels")), fields_of(entry.get("sharing"))
    checked = [fields_of(one).get("language") for one in items_of(entry.get("verified_languages"))]
    languages = dict.fromkeys(str(one) for one in (labels.get("language"), *checked) if one)
    return ElevenLabsVoice(
        str(entry["voice_id"]),
        str(entry.get("name") or entry["voice_id"]),
        tuple(languages),
        str(labels.get("gender") or ""),
        max(1.0, number_of(shared.get("rate")) or 1.0),
    )


def voice_named(name: str, voices: Sequence[ElevenLabsVoice]) -> ElevenLabsVoice:
    """The voice with this id, or the only one with this name, with or without what describes it.

    Raises UnknownVoice.
    """
    wanted = name.strip().casefold()
    for found in (
        [one for one in voices if one.id == name],
        [one for one in voices if one.name.casefold() == wanted],
        [one for one in voices if one.short_name.casefold() == wanted],
    ):
        if len(found) > 1:
            raise UnknownVoice(
                f"elevenlabs has {len(found)} voices with the name {name!r}. Name one by its id:"
                f" {', '.join(f'{one.id} ({one.name})' for one in found)}."
            )
        if found:
            return found[0]
    raise UnknownVoice(_unknown(name, voices))


def _unknown(name: str, voices: Sequence[ElevenLabsVoice]) -> str:
    names = sorted({one.short_name for one in voices})
    if len(names) <= MOST_LISTED:
        listed = f"Choose one of: {', '.join(names)}."
    else:
        listed = f"audiomill voices --engine elevenlabs lists the {len(voices)} that it has."
    return f"elevenlabs has no voice {name!r}.{did_you_mean(name, names)} {listed}"


def best_voice(language: str, voices: Sequence[ElevenLabsVoice]) -> ElevenLabsVoice:
    """One that was recorded in `language` (BCP 47), if any, and costs no more than others.

    Among those the preferred one, else the first by name. All voices speak all languages of a
    model, so that another one is no error.
    """
    by_name = sorted(voices, key=lambda one: (one.price_factor, one.name, one.id))
    native = [one for one in by_name if speaks(one.languages, language)]
    among = native or by_name
    return next((one for one in among if one.id == PREFERRED), among[0])


def speaks(languages: Iterable[str], language: str) -> bool:
    """Whether a language (BCP 47) is among others, whatever the region."""
    return primary_subtag(language) in {primary_subtag(one) for one in languages}
