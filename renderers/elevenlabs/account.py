"""The voices of an ElevenLabs account and its model, which are asked for at first.

    key ─▶ models ─▶ does it speak segments of our length? ─▶ voices, page by page

What is missing is told before anything is spoken. Some facts of each model are known before it is
asked.

An account has voices of its own and copies of others', and several may have one name. So a voice's
canonical name is its id, with the language that it is told to speak, if any: "JBFqn…@de".

Sources: the documents of ElevenLabs and the types of its package elevenlabs 2.78.0, in late 2026.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from audiomill.inputs.json_text import JsonInvalid, fields_of, items_of, number_of, parse_json
from audiomill.inputs.languages.codes import primary_subtag
from audiomill.inputs.messages import did_you_mean
from audiomill.renderers.elevenlabs.errors import NAME
from audiomill.renderers.elevenlabs.options import ElevenLabsOptions
from audiomill.renderers.engine.errors import EngineFailed, UnknownVoice
from audiomill.renderers.engine.protocol import Voice
from audiomill.renderers.engine.text_renderer import MOST_LISTED
from audiomill.renderers.servers.calls import Call
from audiomill.renderers.servers.client import ServerClient
from audiomill.renderers.servers.remote_renderer import IMPATIENT
from audiomill.renderers.servers.replies import MAX_LIST_PAGES, Reply
from audiomill.renderers.servers.voices import UNKNOWN_LANGUAGE

MODELS_PATH = "/v1/models"
LEAST_RATE = 0.001  # credits for a character: no model has less
PAGE_SIZE = 100  # the most that the service allows
# George, who speaks in the vendor's own examples; every account has him unless he was removed.
PREFERRED = "JBFqnCBsd6RMkjVDRZzb"


@dataclass(frozen=True, slots=True)
class ElevenLabsModel:
    """A model as the documents describe it. A model that is not known is taken for the default."""

    max_chars: int = 5_000  # of a request; the shortest of all models
    # Of a million characters, in US$; 0: not known. Those of pay as you go, in 2026-06; that of
    # eleven_v4 is of 2026-11.
    price: float = 0.0
    credits_per_char: float = 1.0
    takes_phonemes: bool = False  # SSML's tag, of single words; others say nothing, or read it
    takes_language: bool = True  # as a code
    takes_context: bool = True


_FLASH = ElevenLabsModel(40_000, 50.0, credits_per_char=0.5)
_ENGLISH_FLASH = ElevenLabsModel(30_000, 50.0, credits_per_char=0.5, takes_phonemes=True)
MODELS: Mapping[str, ElevenLabsModel] = MappingProxyType(
    {
        "eleven_flash_v2_5": _FLASH,
        "eleven_turbo_v2_5": _FLASH,
        "eleven_flash_v2": _ENGLISH_FLASH,
        "eleven_turbo_v2": _ENGLISH_FLASH,
        "eleven_multilingual_v2": ElevenLabsModel(10_000, 100.0, takes_language=False),
        "eleven_v3": ElevenLabsModel(5_000, 100.0, takes_context=False),
        "eleven_v4": ElevenLabsModel(5_000, 80.0),
        "eleven_v4_turbo": ElevenLabsModel(5_000, credits_per_char=0.5),
    }
)


def known_model(name: str) -> ElevenLabsModel:
    """What is known of a model without asking."""
    return MODELS.get(name, ElevenLabsModel())


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model as the service lists it for this account."""

    name: str
    languages: tuple[str, ...]  # ISO 639; none: not told
    max_chars: int  # of a request; 0: not told
    credits_per_char: float


def listed_model(reply: Reply, name: str) -> ListedModel:
    """The model with this name in the reply to a GET of MODELS_PATH.

    Raises EngineFailed if the account does not have it, or it does not speak.
    """
    speaking = {str(one.get("model_id")): one for one in _entries(reply) if _speaks(one)}
    if name not in speaking:
        raise EngineFailed(
            f"ElevenLabs has no model {name!r} of speech for this account."
            f"{did_you_mean(name, speaking)} It has: {', '.join(sorted(speaking)) or 'none'}. Set"
            " model under [elevenlabs] in the settings."
        )
    return _listed(name, speaking[name])


def _entries(reply: Reply) -> Sequence[Mapping[str, Any]]:
    try:
        found = parse_json(reply.content)
    except JsonInvalid:
        found = None
    if not isinstance(found, list):
        raise EngineFailed(
            "ElevenLabs does not list its models: it answers something else. Look at the url under"
            " [elevenlabs] in the settings."
        )
    return [fields_of(one) for one in items_of(found)]


def _speaks(entry: Mapping[str, Any]) -> bool:
    return bool(entry.get("model_id")) and entry.get("can_do_text_to_speech") is not False


def _listed(name: str, entry: Mapping[str, Any]) -> ListedModel:
    languages = [fields_of(one).get("language_id") for one in items_of(entry.get("languages"))]
    rate = number_of(fields_of(entry.get("model_rates")).get("character_cost_multiplier"))
    max_chars = number_of(entry.get("maximum_text_length_per_request"))
    return ListedModel(
        name,
        tuple(str(one) for one in languages if one),
        int(max_chars or 0),
        rate if rate and rate >= LEAST_RATE else known_model(name).credits_per_char,
    )


@dataclass(frozen=True, slots=True)
class Account:
    """The voices of an account, and the model of the settings as the account has it."""

    voices: tuple[ElevenLabsVoice, ...]
    model: ListedModel


def read_account(client: ServerClient, options: ElevenLabsOptions, max_length: int) -> Account:
    """The account that the key is of. `max_length`: of a segment, in characters.

    Raises EngineFailed if there is no key, or the account lacks what is needed.
    """
    model = _model(client, options.model)
    if model.max_chars and model.max_chars < max_length:
        raise EngineFailed(
            f"{options.model} takes {model.max_chars} characters at a time, fewer than the"
            f" {max_length} of a segment. Set another model."
        )
    if options.context_chars and not known_model(options.model).takes_context:
        raise EngineFailed(
            f"{options.model} takes no text around a segment. Set context_chars = 0 under"
            " [elevenlabs] in the settings."
        )
    return Account(_voices(client), model)


def _model(client: ServerClient, name: str) -> ListedModel:
    def read(reply: Reply) -> ListedModel:
        return listed_model(reply, name)

    return client.send(Call("GET", MODELS_PATH), read, IMPATIENT).value


def _voices(client: ServerClient) -> tuple[ElevenLabsVoice, ...]:
    """All pages. The first one may hold voices that come again later."""
    voices, token, seen = dict[str, ElevenLabsVoice](), "", set[str]()
    while token not in seen and len(seen) < MAX_LIST_PAGES:
        seen.add(token)
        page, following = client.send(
            Call("GET", page_path(token)), voices_in_page, IMPATIENT
        ).value
        voices |= {voice.id: voice for voice in page}
        token = following
    if not voices:
        raise EngineFailed(f"The account at {NAME} has no voices. Add one at elevenlabs.io.")
    return tuple(voices.values())


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
