"""Turns a book's segments into requests, and requests into windows of batches. Pure.

    requests, in book order   a b c d c e f g …
    distinct ones, in windows [a b c] [d e f g …]       the first windows are short
    batches, by length        [c a] [b]  …              at most `max_rows`, longest first

The plan depends only on the book, not on what is already rendered. But the engine gets only those
requests of a batch that the store lacks: an edited sentence must cost one segment, not a batch. So
the sound of a segment must not depend on its batch, except for rounding; docs/design/kokoro.md.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import repeat
from math import ceil

from audiomill.inputs.model.book import Pronunciation, Segment
from audiomill.renderers.engine.errors import UnknownPhoneme
from audiomill.renderers.engine.protocol import Batch, EngineLimits, Renderer, Request, Window

# Version of the key's content. Increment when what is hashed changes: that changes every key.
SCHEMA = 2
# Sizes of the first windows, relative to a full one, so that the first chapter is done early.
RAMP = (0.125, 0.25, 0.5)
# Where somebody listens, the second window has so much audio, and each has as much again as the one
# before, up to a full one: it is rendered before what came before has been heard, by an engine that
# is twice as fast as speech.
SECOND_WINDOW_S, GROWTH = 5.0, 2.0
# Windows that are divided among machines are not shorter than this share of the engine's own: ten
# minutes where batches are padded, which then lose little by it, and 75 seconds elsewhere. Starting
# one takes some 25 ms.
SHORTEST_SHARE = 0.125


def request_for(
    segment: Segment, renderer: Renderer, speed: float, around: tuple[str, str] = ("", "")
) -> Request:
    """The request that renders `segment`, with the text around it. Raises UnknownVoice."""
    spoken, voice, pronunciations = segment.spoken, segment.voice, segment.pronunciations
    return make_request(spoken, voice, renderer, speed, pronunciations, around=around)


def requests_of(segments: Sequence[Segment], renderer: Renderer, speed: float) -> list[Request]:
    """The requests that render `segments`, which are in book order. Raises UnknownVoice.

    Those of an engine that takes context have the text of their chapter around them.
    """
    n_chars = renderer.limits.context_chars
    return [
        request_for(segment, renderer, speed, _texts_around(segments, at, n_chars))
        for at, segment in enumerate(segments)
    ]


def _texts_around(segments: Sequence[Segment], at: int, n_chars: int) -> tuple[str, str]:
    """The last whole words before a segment and the first ones after it, within its chapter."""
    before, after = "", ""
    first = last = at
    while len(before) < n_chars and _in_chapter(segments, first - 1, at):
        first -= 1
        before = f"{segments[first].spoken} {before}".rstrip()
    while len(after) < n_chars and _in_chapter(segments, last + 1, at):
        last += 1
        after = f"{after} {segments[last].spoken}".lstrip()
    return _first_words(before[::-1], n_chars)[::-1], _first_words(after, n_chars)


def _in_chapter(segments: Sequence[Segment], place: int, at: int) -> bool:
    is_there = 0 <= place < len(segments)
    return is_there and segments[place].chapter == segments[at].chapter


def _first_words(text: str, n_chars: int) -> str:
    """The first whole words, of `n_chars` at most; characters where there is no space."""
    if len(text) <= n_chars:
        return text
    return text[: n_chars + 1].rpartition(" ")[0] or text[:n_chars]


def make_request(
    spoken: str,
    voice: str,
    renderer: Renderer,
    speed: float,
    pronunciations: Sequence[Pronunciation] = (),
    *,
    around: tuple[str, str] = ("", ""),
) -> Request:
    """The request that renders `spoken`, with its key. Raises UnknownVoice.

    The key is the SHA-256, in hexadecimal, of everything that decides the sound and nothing else:
    not the chapter, the batch, the pause or the machine. The language is not part of it either. An
    engine that needs it must put it into the spoken text or into the voice's fingerprint; so books
    in en and en-GB share the shards that sound alike. Phonemes count as the engine takes them, and
    only where there are some; so does the text around, which only some engines take.
    """
    own = tuple(_own_pronunciations(pronunciations, voice, renderer))
    request = Request("", spoken, voice, float(speed), own, *around)
    return replace(request, key=key_of(request, renderer))


def key_of(request: Request, renderer: Renderer) -> str:
    """The key of a request in this installation; its own is not looked at. Raises UnknownVoice."""
    content: dict[str, object] = {
        "schema": SCHEMA,
        "spoken": renderer.normalized_text(request.spoken),
        "voice": request.voice,
        "speed": request.speed,
        "engine": renderer.fingerprint(request.voice),
    }
    if request.pronunciations:
        content["phonemes"] = [[one.start, one.end, one.phonemes] for one in request.pronunciations]
    if request.before or request.after:
        content["around"] = (request.before, request.after)
    # ASCII, because lone surrogates cannot be encoded as UTF-8. Sorted and without spaces, so that
    # the text is unique.
    canonical = json.dumps(
        content, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def _own_pronunciations(
    pronunciations: Sequence[Pronunciation], voice: str, renderer: Renderer
) -> Iterator[Pronunciation]:
    """The pronunciations in the engine's phonemes, without those that it cannot take."""
    for one in pronunciations:
        with suppress(UnknownPhoneme):  # the flow has said so
            if phonemes := renderer.own_phonemes(one.phonemes, voice):
                yield replace(one, phonemes=phonemes)


def plan_windows(
    requests: Sequence[Request],
    limits: EngineLimits,
    *,
    window_s: float | None = None,
    n_shared: int = 1,
    first_window_s: float | None = None,
) -> tuple[Window, ...]:
    """Windows of about `window_s` of audio, in book order; None: the engine's own window size.

    That is made smaller where needed, down to an eighth, so that there are `n_shared` windows for
    many machines to divide among them. Each distinct key is rendered once, in the first window that
    needs it. With `first_window_s`, which may be 0 for a single request, the first windows are
    shorter: for who listens meanwhile. Raises ValueError if `window_s` is not positive.
    """
    rows = _distinct(requests)
    size_s = _window_size_s(rows, limits, window_s, n_shared)
    return _windows(_window_requests(rows, limits, _sizes_s(size_s, first_window_s)), limits)


def plan_full_windows(
    requests: Sequence[Request],
    limits: EngineLimits,
    *,
    window_s: float | None = None,
    n_shared: int = 1,
) -> tuple[Window, ...]:
    """As `plan_windows`, but each batch is full except the last: for what nobody waits for.

    The windows are about equally long. Raises ValueError if `window_s` is not positive.
    """
    rows = _distinct(requests)
    size_s = _window_size_s(rows, limits, window_s, n_shared)
    total_s = sum(estimate_s(request, limits) for request in rows)
    n_windows = max(1, round(total_s / size_s))
    n_rows = limits.max_rows * max(1, ceil(len(rows) / n_windows / limits.max_rows))
    groups = (rows[first : first + n_rows] for first in range(0, len(rows), n_rows))
    return _windows(groups, limits)


def _window_size_s(
    rows: Sequence[Request], limits: EngineLimits, window_s: float | None, n_shared: int
) -> float:
    """The audio of a full window, in seconds. Raises ValueError if `window_s` is not positive."""
    if window_s is not None:
        if window_s <= 0:
            raise ValueError(f"a window must hold some audio, not {window_s} s")
        return window_s
    if n_shared == 1:
        return limits.window_s
    total_s = sum(estimate_s(request, limits) for request in rows)
    return min(limits.window_s, max(SHORTEST_SHARE * limits.window_s, total_s / n_shared))


def _distinct(requests: Sequence[Request]) -> Sequence[Request]:
    """Each key at its first position, which a dictionary keeps."""
    return tuple({request.key: request for request in requests}.values())


def _windows(groups: Iterable[Sequence[Request]], limits: EngineLimits) -> tuple[Window, ...]:
    return tuple(
        Window(
            index,
            batches_of(group, limits),
            estimated_s=sum(estimate_s(request, limits) for request in group),
        )
        for index, group in enumerate(groups)
    )


def estimate_s(request: Request, limits: EngineLimits) -> float:
    """The estimated duration of the request's audio in seconds."""
    return len(request.spoken) / limits.chars_per_s / request.speed


def _sizes_s(window_s: float, first_window_s: float | None) -> Iterator[float]:
    """The least audio of each window, in seconds, without end."""
    if first_window_s is None:
        yield from (share * window_s for share in RAMP)
    else:
        yield first_window_s
        size_s = max(SECOND_WINDOW_S, GROWTH * first_window_s)
        while size_s < window_s:
            yield size_s
            size_s *= GROWTH
    yield from repeat(window_s)


def _window_requests(
    requests: Sequence[Request], limits: EngineLimits, sizes_s: Iterator[float]
) -> Iterator[Sequence[Request]]:
    """The requests of each window."""
    window: list[Request] = []
    planned_s, size_s = 0.0, next(sizes_s)
    for request in requests:
        window.append(request)
        planned_s += estimate_s(request, limits)
        if planned_s >= size_s:
            yield window
            window, planned_s, size_s = [], 0.0, next(sizes_s)
    if window:
        yield window


def batches_of(requests: Sequence[Request], limits: EngineLimits) -> tuple[Batch, ...]:
    """Batches sorted by length, longest first: a lack of memory shows at the window's start."""
    by_length = sorted(requests, key=lambda request: -limits.length(request.spoken, request.voice))
    rows = limits.max_rows
    return tuple(
        Batch(tuple(by_length[first : first + rows])) for first in range(0, len(by_length), rows)
    )
