"""Puts the short articles of a run into digests: each article into one digest, for good.

    short articles ─▶ one engine and speed ─▶ parts of about one size ─▶ NewDigest
                                              too few: episodes of their own

A digest keeps its id, its title and its day, whatever becomes of its articles later. What belongs
to which digest is remembered before the digest is made (`state.py`), so a run that was killed makes
the same one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from audiomill.flows.podcast.config.show import DIGEST_FIELDS, DigestChoice, PodcastShow
from audiomill.inputs.credits.dates import written_date
from audiomill.inputs.credits.spoken_names import spoken_name
from audiomill.inputs.credits.template import fill_template

PREFIX = "digest:"  # of the id of a digest, which no article has


@dataclass(frozen=True, slots=True)
class DigestCandidate:
    """An article that may go into a digest."""

    id: str
    n_words: int | None  # None: it cannot be read
    engine: str
    speed: float


def new_digests(
    candidates: Sequence[DigestCandidate], choice: DigestChoice
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(the id, the ids of its articles in order) of each digest. Other articles are in none."""
    groups: dict[tuple[str, float], list[str]] = {}
    for one in candidates:
        if one.n_words is not None and 0 < one.n_words <= choice.max_words:
            groups.setdefault((one.engine, one.speed), []).append(one.id)
    for group in groups.values():
        for part in _even_parts(group, choice.max_articles):
            if len(part) >= choice.min_articles:
                yield _digest_id(part), tuple(part)


def _even_parts(ids: Sequence[str], longest: int) -> Iterator[Sequence[str]]:
    """The ids in as few parts as there must be, whose lengths differ by one at most."""
    n_parts = ceil(len(ids) / longest)
    for number in range(n_parts):
        yield ids[len(ids) * number // n_parts : len(ids) * (number + 1) // n_parts]


def _digest_id(ids: Sequence[str]) -> str:
    """Articles are in one digest only, so no two digests have the same ones."""
    return PREFIX + hashlib.sha256("\n".join(ids).encode()).hexdigest()[:32]


def filled(template: str, show: PodcastShow, day: datetime, n_articles: int) -> str:
    """A template of a digest with its values."""
    known = {
        "show": spoken_name(show.title, show.language),
        "date": written_date(day.date().isoformat(), show.language),
        "count": str(n_articles),
    }
    return fill_template(template, known, DIGEST_FIELDS).text


def free_title(title: str, taken: Collection[str]) -> str:
    """The title, with a number if another digest has it already, as of the same day."""
    number = 1
    numbered = title
    while numbered in taken:
        number += 1
        numbered = f"{title} ({number})"
    return numbered
