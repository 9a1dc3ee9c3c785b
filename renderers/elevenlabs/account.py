"""The voices of an ElevenLabs account and its model, which are asked for at first.

    key ─▶ models ─▶ does it speak segments of our length? ─▶ voices, page by page

What is missing is told before anything is spoken. Some facts of each model are known before it is
asked. Sources: the documents of ElevenLabs and the types of its package elevenlabs 2.78.0, in late
2026.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from audiomill.inputs.json_text import JsonInvalid, fields_of, items_of, number_of, parse_json
from audiomill.inputs.messages import did_you_mean
from audiomill.renderers.elevenlabs.errors import NAME
from audiomill.renderers.elevenlabs.options import ElevenLabsOptions
from audiomill.renderers.elevenlabs.voices import ElevenLabsVoice, page_path, voices_in_page
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.servers.calls import Call
from audiomill.renderers.servers.client import ServerClient
from audiomill.renderers.servers.remote_renderer import IMPATIENT
from audiomill.renderers.servers.replies import MAX_LIST_PAGES, Reply

MODELS_PATH = "/v1/models"
LEAST_RATE = 0.001  # credits for a character: no model has less


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
