"""Chooses the requests by which the levels of voices are measured; tells each voice's gain. Pure.

Mastering has one gain for the whole book, so a voice that is softer than the others would stay so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from audiomill.renderers.base import EngineLimits, Request
from audiomill.renderers.planning import estimate_s

LEVELS_VERSION = 2  # raised by hand when the same shards give other gains
SAMPLE_S = 30.0  # of audio, estimated, by which a voice is measured
LEAST_S = 5.0  # estimated; a voice that reads less is left as it is
# Voices that differ by less are left as they are: half a minute of a voice tells its loudness no
# better.
CLOSE_LU = 0.5
MAX_GAIN_DB = 8.0  # up or down: a whisper stays a whisper

LevelRequests = tuple[tuple[str, tuple[Request, ...]], ...]  # requests by voice, the main one first


def level_requests(requests: Sequence[Request], limits: EngineLimits) -> LevelRequests:
    """The first requests of each voice, by which it is measured; none for a single voice."""
    total_s, chosen = dict[str, float](), dict[str, list[Request]]()
    for request in requests:
        voice = request.voice
        if total_s.get(voice, 0.0) < SAMPLE_S:
            chosen.setdefault(voice, []).append(request)
        total_s[voice] = total_s.get(voice, 0.0) + estimate_s(request, limits)
    by_length = sorted(chosen, key=lambda voice: -total_s[voice])
    by_length = [voice for voice in by_length if total_s[voice] >= LEAST_S]
    if len(by_length) < 2:
        return ()
    return tuple((voice, tuple(chosen[voice])) for voice in by_length)


def voice_gains_db(levels_lufs: Mapping[str, float]) -> dict[str, float]:
    """The gain of each voice that is not close to the first one, to a tenth of a decibel."""
    main_lufs = next(iter(levels_lufs.values()), -math.inf)
    differences = {voice: main_lufs - lufs for voice, lufs in levels_lufs.items()}
    return {
        voice: round(max(-MAX_GAIN_DB, min(difference_db, MAX_GAIN_DB)), 1)
        for voice, difference_db in differences.items()
        if math.isfinite(difference_db) and abs(difference_db) >= CLOSE_LU
    }
