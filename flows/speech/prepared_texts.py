"""Texts that a page has sent and its audio element will ask for: it can send no text and no key.

    POST /play         a text ─▶ an address that nobody can guess
    GET  /play/TOKEN   its audio

An address is known to who has sent the text, and so needs no key.
"""

from __future__ import annotations

import secrets

from audiomill.flows.speech.wire import SpeechRequest

MOST_TEXTS = 64  # more forget the first


class PreparedTexts:
    """The last texts that were sent, by their tokens."""

    def __init__(self) -> None:
        self._texts: dict[str, SpeechRequest] = {}

    def add(self, wanted: SpeechRequest) -> str:
        """The token of a text."""
        token = secrets.token_urlsafe()
        self._texts[token] = wanted
        if len(self._texts) > MOST_TEXTS:
            del self._texts[next(iter(self._texts))]
        return token

    def get(self, token: str) -> SpeechRequest | None:
        """The text; None if it is not known, or forgotten."""
        return self._texts.get(token)
