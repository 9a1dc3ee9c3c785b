"""The quiet at both ends of a file: so long before the first word, so long after the last. Pure.

chapters      |lead One ▃▅▂▆ pause|lead Two ▃▅▂▆ pause|
with ends  |  head  One ▃▅▂▆ pause|lead Two ▃▅▂▆ tail   |
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from audiomill.outputs.audio.music_places import with_room
from audiomill.outputs.targets import Ends, Mastering
from audiomill.outputs.types import MeasuredChapter

SHORT_S = 3.0  # of voice
SHORT_TAIL_S = 1.25  # stores ask for a second or more
MAX_SOFTER_DB = 2.5  # ACX takes 3 dB less than what is aimed at, and encoding may take 0.3 dB
LEAST_S = 0.5  # of a file in which the voice says nothing; no format has one without any sound


def ends_for_rms(chapters: Sequence[MeasuredChapter], ends: Ends) -> Ends:
    """The ends of a file whose RMS level, quiet included, has to be reached.

    A file of a few words is mostly quiet, so that its words would have to be far too loud. It gets
    a shorter tail.
    """
    voice_s = sum((cue.end - cue.start) / one.sample_rate for one in chapters for cue in one.cues)
    if ends.tail_s is None or voice_s >= SHORT_S:
        return ends
    return replace(ends, tail_s=min(ends.tail_s, SHORT_TAIL_S))


def without_quiet_ends(
    mastering: Mastering, recordings: Iterable[Sequence[MeasuredChapter]]
) -> Mastering:
    """The levels of files that aim at an RMS level, as if it were of what lies between their ends.

    So credits are as loud as chapters, in which the ends count for next to nothing. A file that is
    mostly quiet may be softer by MAX_SOFTER_DB: stores ask for a level of the whole file.
    """
    if mastering.target_rms_db is None:
        return mastering
    n_samples = n_quiet = 0
    for chapters in recordings:
        n_samples += sum(one.n_samples for one in chapters)
        first, last = chapters[0], chapters[-1]
        if first.cues and last.cues:
            n_quiet += first.cues[0].start + last.n_samples - last.cues[-1].end
    if not 0 < n_quiet < n_samples:
        return mastering
    softer_db = min(-10 * math.log10(1 - n_quiet / n_samples), MAX_SOFTER_DB)
    return replace(mastering, target_rms_db=mastering.target_rms_db - softer_db)


def with_ends(chapters: Sequence[MeasuredChapter], ends: Ends) -> tuple[MeasuredChapter, ...]:
    """The chapters of a recording with the ends' head and tail.

    The tail replaces the pause after the last segment, which therefore must have none when it is
    joined. A recording that would have no length, as its voice says nothing, has LEAST_S.
    """
    moved = list(chapters)
    rate = moved[0].sample_rate
    if ends.head_s is not None:
        n_lead = moved[0].cues[0].start if moved[0].cues else 0
        moved[0] = with_room(moved[0], round(ends.head_s * rate) - n_lead, 0)
    if ends.tail_s is not None and moved[-1].cues:
        last, end = moved[-1], moved[-1].cues[-1].end
        moved[-1] = with_room(replace(last, n_samples=end), 0, round(ends.tail_s * rate))
    n_lacking = round(LEAST_S * rate) - sum(one.n_samples for one in moved)
    if n_lacking > 0:
        moved[-1] = with_room(moved[-1], 0, n_lacking)
    return tuple(moved)
