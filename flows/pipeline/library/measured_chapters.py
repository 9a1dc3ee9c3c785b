"""What was measured of a book's chapters, beside its records, so that no run measures it again.

    <hash>.measured   SHA-256 of the rest, then JSON: the chapters by their keys

A key covers the plan of a chapter, and what is kept says of which shards it was measured: another
take, or a damaged shard that was rendered anew, counts as another chapter. It is only a saving. A
library may be shared, so nothing is believed unchecked: what is damaged, forged or too large counts
as absent, and the chapter is measured.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, fields
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from audiomill.flows.pipeline.planning.fingerprints import (
    OUTPUT_VERSION,
    SUSPECTS_VERSION,
    json_sha256,
)
from audiomill.flows.pipeline.planning.plan import ChapterPlan
from audiomill.outputs.files import read_file, write_atomically
from audiomill.outputs.types import Cue, Loudness, MeasuredChapter, OutputUnwritable
from audiomill.renderers.takes.traits import ShardTraits

VERSION = 1  # raise it when the form changes, or another thing is measured
MAX_BYTES = 1 << 28  # 30 hours take 20 MB
SHA256_BYTES = 32
MAX_SAMPLE = 1 << 40  # of a chapter
MAX_LEVEL = 1e12


def measured_path(records_path: Path) -> Path:
    """The file beside the records of an edition."""
    return records_path.with_suffix(".measured")


class MeasuredChapters:
    """The measured chapters in a file, which need not be there."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, Any] | None = None  # read when it is first asked for
        self._found = set[str]()  # the keys of those that were used

    def find(self, chapter: ChapterPlan, sample_rate: int, shards: str) -> MeasuredChapter | None:
        """The chapter as it was measured of the same shards; None if it was not."""
        with suppress(LookupError, ValueError, TypeError):
            key = _key(chapter, sample_rate)
            kept = self._load()[key]
            if shards and kept["shards"] == shards:
                found = _chapter(kept, chapter, sample_rate)
                self._found.add(key)
                return found
        return None

    def keep(
        self,
        chapters: Iterable[tuple[ChapterPlan, MeasuredChapter]],
        *,
        with_others: bool,
    ) -> None:
        """Keep these; `with_others` also those that were kept before. It may fail."""
        before = self._load()
        kept = {
            key: before[key] if key in self._found else _fields(plan, measured)
            for plan, measured in chapters
            if measured.shards and (key := _key(plan, measured.sample_rate))
        }
        self._known = {**(before if with_others else {}), **kept}
        if self._known != before:
            content = json.dumps(self._known, separators=(",", ":")).encode()
            with suppress(OutputUnwritable):
                write_atomically(self._path, hashlib.sha256(content).digest() + content)

    def _load(self) -> dict[str, Any]:
        if self._known is None:
            self._known = _read(self._path)
        return self._known


def _read(path: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError, RecursionError):
        stored = read_file(path, MAX_BYTES)
        digest, content = stored[:SHA256_BYTES], stored[SHA256_BYTES:]
        if hashlib.sha256(content).digest() == digest:
            loaded: Any = json.loads(content)
            return loaded if isinstance(loaded, dict) else {}
    return {}


def _key(chapter: ChapterPlan, sample_rate: int) -> str:
    """A digest of everything that decides what is measured, but for the shards themselves."""
    return json_sha256(
        {
            "version": (VERSION, OUTPUT_VERSION, SUSPECTS_VERSION),
            "sample_rate": sample_rate,
            "continues": chapter.continues,
            "segments": [
                (
                    *(one.request.key, one.pause_after_s, one.gain_db),
                    *(one.sentences, one.sentence_pauses_s),
                )
                for one in chapter.segments
            ],
        }
    )


def _fields(plan: ChapterPlan, chapter: MeasuredChapter) -> dict[str, Any]:
    """What is kept of a chapter: of its cues the number of the segment in place of its id."""
    numbers = {one.segment_id: number for number, one in enumerate(plan.segments)}
    loudness = chapter.loudness
    return {
        "shards": chapter.shards,
        "n_samples": chapter.n_samples,
        "powers": base64.b64encode(loudness.block_powers.astype("<f8").tobytes()).decode(),
        "levels": [loudness.sum_squares, loudness.sample_peak],
        "cues": [
            [numbers[one.segment_id], one.start, one.end, one.origin, one.n_quiet_after]
            for one in chapter.cues
        ],
        "traits": [one and list(astuple(one)) for one in chapter.traits],
        "last_words_s": [one and list(one) for one in chapter.last_words_s],
    }


def _chapter(kept: Mapping[str, Any], plan: ChapterPlan, sample_rate: int) -> MeasuredChapter:
    """The chapter of what was kept. Raises LookupError, ValueError, TypeError."""
    n_samples = _integer(kept["n_samples"])
    cues = tuple(_cue(plan, n_samples, *one) for one in kept["cues"])
    if [name for name, _ in groupby(one.segment_id for one in cues)] != [
        one.segment_id for one in plan.segments
    ]:
        raise ValueError("cues of other segments")
    powers = np.frombuffer(base64.b64decode(kept["powers"], validate=True), "<f8").astype(float)
    if not (np.isfinite(powers) & (powers >= 0)).all():
        raise ValueError("no powers")
    sum_squares, sample_peak = map(_level, kept["levels"])
    return MeasuredChapter(
        plan.title,
        plan.level,
        n_samples,
        sample_rate,
        Loudness(powers, n_samples, sum_squares, sample_peak),
        cues,
        _for_each(plan, [one and _traits(one) for one in kept["traits"]]),
        _for_each(plan, [one and _two_times(one) for one in kept["last_words_s"]]),
        shards=kept["shards"],
    )


def _cue(plan: ChapterPlan, n_samples: int, number: int, *places: int) -> Cue:
    start, end, origin, n_quiet = map(_integer, places)
    if not 0 <= start <= end <= n_samples:
        raise ValueError("a cue outside the chapter")
    return Cue(plan.segments[_integer(number)].segment_id, start, end, origin, n_quiet)


def _traits(values: Sequence[object]) -> ShardTraits:
    return ShardTraits(*(check(one) for check, one in zip(_TRAITS, values, strict=True)))


def _two_times(values: Sequence[object]) -> tuple[float, float]:
    start_s, end_s = map(_level, values)
    return start_s, end_s


def _for_each(plan: ChapterPlan, values: Sequence[Any]) -> tuple[Any, ...]:
    """The values, of which there must be one for each segment."""
    if len(values) != len(plan.segments):
        raise ValueError("not one for each segment")
    return tuple(values)


def _integer(value: object) -> int:
    if not isinstance(value, int) or not -MAX_SAMPLE <= value <= MAX_SAMPLE:
        raise ValueError("no place")
    return value


def _level(value: object) -> float:
    # NaN fails this test, too.
    if not isinstance(value, int | float) or not -MAX_LEVEL <= value <= MAX_LEVEL:
        raise ValueError("no level")
    return value


# What each trait must be.
_TRAITS: tuple[Callable[[object], Any], ...] = tuple(
    _integer if one.type == "int" else _level for one in fields(ShardTraits)
)
