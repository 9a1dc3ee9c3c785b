"""Short texts in a store, beside its shards: its identity, and what is known of audio.

5f0c1a7b…-text       digits that tell whether the text is whole
"""

from __future__ import annotations

import hashlib

from audiomill.renderers.store.shard_format import InvalidShard, MissReason

N_DIGITS = 16
# Under this key, which no request has, lies the store's identity, and no shard.
IDENTITY_KEY = hashlib.sha256(b"the identity of a store of audiomill").hexdigest()


def note_key(about: str) -> str:
    """The key of the note about something: no request has it."""
    return hashlib.sha256(f"a note of audiomill about {about}".encode()).hexdigest()


def note_bytes(text: str) -> bytes:
    """What is stored of a text."""
    return f"{_digits(text)}-{text}".encode()


def read_note(data: bytes) -> str:
    """The text in these bytes. Raises InvalidShard."""
    digits, _, text = data.decode("utf-8", "replace").partition("-")
    if digits != _digits(text):
        raise InvalidShard(MissReason.DAMAGED, "it is no note")
    return text


def identity_bytes(token: str) -> bytes:
    """What is stored of an identity: its own digits come last."""
    return f"{token}-{_digits(token)}".encode()


def read_identity(data: bytes) -> str:
    """The identity in these bytes. Raises InvalidShard."""
    text = data.decode("ascii", "replace")
    token, _, digits = text.partition("-")
    if digits != _digits(token):
        raise InvalidShard(MissReason.DAMAGED, "it is no identity")
    return text


def _digits(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:N_DIGITS]
