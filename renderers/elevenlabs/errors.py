"""What ElevenLabs' errors mean, and what it tells in headers.

    {"detail": {"type", "code", "message", "status", "request_id", "param"}}   now
    {"detail": {"status", "message"}}                                          in older parts
    {"detail": [{"loc", "msg", "type"}]}                                       422

Sources: the pages on errors of its documents and of its help centre, in late 2026, and errors that
users of its service have reported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from audiomill.renderers.engine.errors import EngineFailed, EngineUnavailable
from audiomill.renderers.servers.calls import Call, ReplyReader, Server
from audiomill.renderers.servers.replies import (
    QUOTA_CODES,
    TOO_MANY,
    Reply,
    ServerFailing,
    check_reply,
    error_code_in,
    number_in,
    reason_in,
)

NAME = "ElevenLabs"
MOST_CREDITS = 1e9  # that one text can cost
KEEPS = "What is finished is kept: run the same command again when"


class FormatRefused(EngineFailed):
    """The account's plan does not include the format of the audio."""


class ElevenLabsReader(ReplyReader):
    """What ElevenLabs' replies tell of errors, cost and concurrency."""

    def __init__(self, server: Server, credits_per_char: Callable[[], float]) -> None:
        """`credits_per_char`: of the model, once the account has been asked."""
        super().__init__(server)
        self._credits_per_char = credits_per_char

    def check(self, reply: Reply) -> None:
        """Raises FormatRefused, too."""
        check_elevenlabs(reply, self._server.key_variable)

    def n_billed(self, reply: Reply, call: Call) -> int:
        """As the service tells it."""
        if not call.n_billed:
            return 0
        return n_billed(reply.headers, call.n_billed, self._credits_per_char())

    def concurrency(self, reply: Reply) -> tuple[int, int] | None:
        """As the service tells it."""
        return n_concurrent(reply.headers)


def check_elevenlabs(reply: Reply, key_variable: str) -> None:
    """Return if the reply is a success.

    Raises ServerBusy, ServerFailing, FormatRefused, EngineFailed.
    """
    if reply.status < 300:
        return
    code, reason = error_code_in(reply), reason_in(reply)
    if reply.status == TOO_MANY and code == "system_busy":  # the service as a whole
        raise ServerFailing(f"busy: {reason}", may_be_the_text=False)
    if _is_of_format(reply, code, reason):
        raise FormatRefused(reason)
    if line := _LINES.get(code):
        kind = EngineUnavailable if line in _OF_THE_ACCOUNT else EngineFailed
        raise kind(line(reason, key_variable))
    check_reply(reply, NAME, key_variable)


def _is_of_format(reply: Reply, code: str, reason: str) -> bool:
    if code == "output_format_not_allowed":
        return True
    names_it = "output format" in reason.lower() or b'"output_format"' in reply.content
    return names_it and reply.status in (400, 402, 403, 422)


def n_concurrent(headers: Mapping[str, str]) -> tuple[int, int] | None:
    """The account's requests that are under way, and how many it may have; None if not told."""
    try:
        counted = int(headers.get("current-concurrent-requests", ""))
        return counted, int(headers.get("maximum-concurrent-requests", ""))
    except ValueError:
        return None


def n_billed(headers: Mapping[str, str], n_expected: int, credits_per_char: float) -> int:
    """The characters that were billed, in characters of a voice without a price of its own.

    ElevenLabs tells credits, rounded up: a character of Flash is half a one. Without the header the
    characters are those that are expected, which are rounded up, too.
    """
    n_credits = number_in(headers.get("character-cost", ""))
    if (
        n_credits is None
        or n_credits > MOST_CREDITS
        or abs(n_credits - n_expected * credits_per_char) < 1
    ):
        return n_expected
    return round(n_credits / credits_per_char)


def _no_key(reason: str, key_variable: str) -> str:
    return (
        f"{NAME} does not accept the key ({reason}). Put a valid one into {key_variable}: it is"
        " under “API keys” at elevenlabs.io."
    )


def _no_permission(reason: str, key_variable: str) -> str:
    return (
        f"{NAME} does not let this key do that ({reason}). Give the key in {key_variable} access"
        " to text to speech, and to reading voices and models."
    )


def _no_credit(reason: str, key_variable: str) -> str:  # noqa: ARG001 - all have one form
    return f"{NAME} has no credit left for this account ({reason}). {KEEPS} there is some."


def _no_voice(reason: str, key_variable: str) -> str:  # noqa: ARG001
    return (
        f"{NAME} no longer has the voice ({reason}). audiomill voices --engine elevenlabs lists"
        " those that it has."
    )


def _not_in_plan(reason: str, key_variable: str) -> str:  # noqa: ARG001
    return (
        f"{NAME} does not include that in the account's plan ({reason}). Choose another voice or"
        " model, or another plan."
    )


def _too_long(reason: str, key_variable: str) -> str:  # noqa: ARG001
    return (
        f"{NAME} takes no text so long with this model ({reason}). Choose another model under"
        " [elevenlabs] in the settings."
    )


_OF_THE_ACCOUNT = (_no_key, _no_permission, _no_credit)
_LINES: Mapping[str, Callable[[str, str], str]] = {
    **dict.fromkeys(("invalid_api_key", "needs_authorization", "missing_api_key"), _no_key),
    "missing_permissions": _no_permission,
    **dict.fromkeys((*QUOTA_CODES, "insufficient_credits"), _no_credit),
    "voice_not_found": _no_voice,
    **dict.fromkeys(("paid_plan_required", "subscription_required"), _not_in_plan),
    **dict.fromkeys(("max_character_limit_exceeded", "text_too_long"), _too_long),
}
