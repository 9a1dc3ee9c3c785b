"""What an ElevenLabs account has: its voices, and the model. Both are asked for at first.

    key ─▶ models ─▶ does it speak segments of our length? ─▶ voices, page by page

What is missing is told before anything is spoken.
"""

from __future__ import annotations

from dataclasses import dataclass

from audiomill.renderers.base import EngineFailed
from audiomill.renderers.elevenlabs.errors import NAME
from audiomill.renderers.elevenlabs.models import (
    MODELS_PATH,
    ListedModel,
    known_model,
    listed_model,
)
from audiomill.renderers.elevenlabs.options import ElevenLabsOptions
from audiomill.renderers.elevenlabs.voices import ElevenLabsVoice, page_path, voices_in_page
from audiomill.renderers.servers.remote_renderer import IMPATIENT
from audiomill.renderers.servers.replies import Reply
from audiomill.renderers.servers.reply_budget import MAX_LIST_PAGES
from audiomill.renderers.servers.sending.calls import Call
from audiomill.renderers.servers.sending.client import ServerClient


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
