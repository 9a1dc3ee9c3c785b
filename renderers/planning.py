"""From a book's requests to windows of batches. Pure; knows no engine, only its limits.

    requests, in book order   a b c d c e f g …
    distinct ones, in windows [a b c] [d e f g …]       the first windows are short
    batches, by length        [c a] [b]  …              at most `max_rows`, longest first

The plan depends on the book alone, never on what is already rendered. Of a batch the engine is
given what the store lacks, though: an edited sentence must cost one segment, not a batch of them.
So no segment may sound different for the company it is rendered in, but for rounding; what is
left of that is measured in LOG.md.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence

from audiomill.inputs.book import Segment
from audiomill.renderers.base import Batch, EngineLimits, Renderer, Request, Window

# The first windows, as parts of a full one: the first chapter is then done early.
RAMP = (0.125, 0.25, 0.5)


def plan_windows(
    requests: Sequence[Request], limits: EngineLimits, *, window_s: float | None = None
) -> tuple[Window, ...]:
    """Windows of about `window_s` of audio, in book order; None: as much as the engine wants.

    Each distinct key is rendered once, in the first window that needs it. Raises ValueError if
    `window_s` is not positive.
    """
    window_s = limits.window_s if window_s is None else window_s
    if window_s <= 0:
        raise ValueError(f"a window must hold some audio, not {window_s} s")
    # A dictionary keeps the place of a key's first sight.
    distinct = tuple({request.key: request for request in requests}.values())
    return tuple(
        Window(index, _batches(run, limits), sum(estimate_s(one, limits) for one in run))
        for index, run in enumerate(_runs(distinct, limits, window_s))
    )


def estimate_s(request: Request, limits: EngineLimits) -> float:
    """About how long `request` will sound, in seconds."""
    return len(request.spoken) / limits.chars_per_s / request.speed


def _length(request: Request, limits: EngineLimits) -> int:
    """As the engine counts."""
    return limits.length(request.spoken, request.voice)


def _runs(
    requests: Sequence[Request], limits: EngineLimits, window_s: float
) -> Iterator[list[Request]]:
    """Cut `requests` where a window is full."""
    run: list[Request] = []
    planned_s, n_cut = 0.0, 0
    for request in requests:
        run.append(request)
        planned_s += estimate_s(request, limits)
        if planned_s >= window_s * (RAMP[n_cut] if n_cut < len(RAMP) else 1.0):
            yield run
            run, planned_s, n_cut = [], 0.0, n_cut + 1
    if run:
        yield run


def _batches(requests: list[Request], limits: EngineLimits) -> tuple[Batch, ...]:
    """Longest first: what memory a window takes shows at its start."""
    by_length = sorted(requests, key=lambda request: -_length(request, limits))
    rows = limits.max_rows
    return tuple(
        Batch(tuple(by_length[first : first + rows])) for first in range(0, len(by_length), rows)
    )


# What a segment's audio is found by.

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
