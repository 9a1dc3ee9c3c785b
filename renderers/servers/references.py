"""A cloned voice as a server gets it, with each request or once."""

from __future__ import annotations

from dataclasses import dataclass

from audiomill.renderers.base import Voice


@dataclass(frozen=True, slots=True)
class SentReference:
    """A recording that a server speaks like."""

    voice: Voice
    wav: bytes
    text: str  # what is said in it; "" if not known
    digest: str  # of both, for keys
