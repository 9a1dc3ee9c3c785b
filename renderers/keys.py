"""What a segment's audio is found by. Knows what decides a sound; knows no engine and no store."""

from __future__ import annotations

import hashlib
import json

from inputs.book import Segment
from renderers.base import Renderer
from renderers.shard import Request

# Raised by hand when what is hashed, or how, changes: every key changes with it.
SCHEMA = 2


def request_for(segment: Segment, renderer: Renderer, speed: float) -> Request:
    """What `renderer` is asked for. Raises UnknownVoice.

    The key is the SHA-256, in hexadecimal, of everything that decides the sound and of nothing
    else: neither the chapter nor the batch, neither the pause nor the machine. The language is
    not in it either: an engine for which it decides must put it into the spoken form or into the
    voice's fingerprint, so that books in en and in en-GB share what sounds alike.
    """
    sound = {
        "schema": SCHEMA,
        "spoken": segment.spoken,
        "voice": segment.voice,
        "speed": float(speed),  # 1 and 1.0 are one speed, and are written alike
        "engine": renderer.fingerprint(segment.voice),
    }
    # ASCII, because a lone surrogate has no UTF-8; sorted and without spaces, so that there is
    # one way only to write it.
    canonical = json.dumps(
        sound, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )
    key = hashlib.sha256(canonical.encode("ascii")).hexdigest()
    return Request(key, segment.spoken, segment.voice, float(speed))
