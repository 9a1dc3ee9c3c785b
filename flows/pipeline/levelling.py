"""Plans the levels of a run's files: gain, ceiling and room tone of each. Reads no audio itself.

    chapters' loudness ─▶ gain ─▶ what the limiter takes of a sample ─▶ gain of each format
    shards' quietest moments ─▶ room tone

All files of a book have one gain, unless each is levelled by itself. Formats differ by what their
codecs do to levels (`outputs/formats`). A long book may have the gain that its first chapters
predict (`predicted_levels.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

from audiomill.flows.job import Job
from audiomill.flows.pipeline.chapter_audio import EncodeRegion
from audiomill.flows.pipeline.planning.output_specs import OutputSpec
from audiomill.flows.pipeline.planning.recordings import Recording
from audiomill.outputs.audio.file_ends import without_quiet_ends
from audiomill.outputs.audio.mastering import MasterPlan, plan_gain, with_limiter_loss
from audiomill.outputs.audio.music_places import RecordingMusic
from audiomill.outputs.formats.format import Encoding
from audiomill.outputs.formats.pending_file import Target
from audiomill.outputs.targets import RoomTone
from audiomill.outputs.types import Loudness, MeasuredChapter

# Of audio, by which the limiter's loss is measured: in some places, evenly spread.
BOOK_SAMPLE_S = 300.0
FILE_SAMPLE_S = 60.0  # of a file that is levelled by itself, however many the book has
MAX_PLACES = 30
# A voice below this is synthesised without noise; and room tone is not made quieter.
NO_NOISE_DBFS = -100.0
LOWEST_TONE_DB = -80.0
CLOSE_DB = 0.15  # of gains: with what else is let pass, less than CLOSE_LU
CLOSE_TONE_DB = 1.0  # of room tone, which is far below the voice
QUIET_PART = 10  # the tenth part of the shards, the quietest, shows the noise

# The loss of a plan's limiter in dB, of the first seconds of some regions.
MeasureLoss = Callable[[Sequence[EncodeRegion], float, MasterPlan], float]


@dataclass(frozen=True, slots=True)
class FileLevel:
    """How a file is levelled."""

    master: MasterPlan
    tone_db: float | None

    def is_close_to(self, other: FileLevel) -> bool:
        """Whether nobody would hear the difference, and what checks levels lets it pass."""
        aims = [one.master.aim for one in (self, other)]
        if len({aim is None or aim.level_db is None for aim in aims}) > 1:  # one is of silence
            return False
        off_db = abs(self.master.gain_db - other.master.gain_db)
        return off_db <= CLOSE_DB and _tones_are_close(self.tone_db, other.tone_db)


def _tones_are_close(one_db: float | None, other_db: float | None) -> bool:
    if one_db is None or other_db is None:
        return one_db == other_db
    return abs(one_db - other_db) <= CLOSE_TONE_DB


Levelling = Mapping[tuple[Recording, str], FileLevel]  # by recording and format


def plan_levels(
    job: Job,
    music: Mapping[Recording, RecordingMusic],
    specs: Iterable[OutputSpec],
    missing: Iterable[OutputSpec],
    regions: Mapping[Recording, Sequence[EncodeRegion]],
    measure_loss: MeasureLoss,
) -> Levelling:
    """The levels of every audio file among `specs`, of all recordings of a run.

    For recordings of which no file is `missing`, what the limiter takes is not measured, unless all
    have one gain, and a file or the retail sample is missing. Raises what `measure_loss` raises.
    """
    audio = [spec for spec in specs if spec.is_audio]
    recordings = list(dict.fromkeys(spec.recording for spec in audio))
    per_file = job.mastering.per_file
    groups = [[one] for one in recordings] if per_file else [recordings]
    sample_s = FILE_SAMPLE_S if per_file else BOOK_SAMPLE_S
    by_format = {spec.format: spec.encoding for spec in audio}
    to_make = {spec.recording for spec in missing}
    levelling: dict[tuple[Recording, str], FileLevel] = {}
    for group in groups:
        in_order = [region for one in group for region in regions[one]]
        loss_db = sampled_loss(in_order, sample_s, measure_loss)
        # The retail sample is in no group: it has the gain that all files of the book have.
        is_made = to_make.intersection(group) if per_file else to_make
        measured_db = loss_db if is_made else _not_measured
        in_group = [music[one] for one in group]
        plans = levels_by_format(job, in_group, by_format, measured_db, n_files=len(group))
        levelling |= {(one, name): level for one in group for name, level in plans.items()}
    return levelling


def sample_levels(
    job: Job,
    music: Mapping[Recording, RecordingMusic],
    specs: Sequence[OutputSpec],
    regions: Mapping[Recording, Sequence[EncodeRegion]],
    of_book: Levelling,
    measure_loss: MeasureLoss,
) -> Levelling:
    """The levels of the retail sample: its own where all files have their own, else the book's.

    Raises what `measure_loss` raises.
    """
    if job.mastering.per_file:
        return plan_levels(job, music, specs, specs, regions, measure_loss)
    by_format = {name: level for (_, name), level in of_book.items()}
    return {(spec.recording, spec.format): by_format[spec.format] for spec in specs}


def _not_measured(_plan: MasterPlan) -> float:
    """The limiter's loss in a file that is finished: 0 dB, as nothing is encoded by it."""
    return 0.0


def levels_by_format(
    job: Job,
    recordings: Sequence[RecordingMusic],
    by_format: Mapping[str, Encoding],
    loss_db: Callable[[MasterPlan], float],
    *,
    n_files: int,
) -> dict[str, FileLevel]:
    """The levels, by format, of so many files that have one gain, as `recordings` make them."""
    base, peak = _base_plan(job, recordings, n_files)
    chapters = [chapter for one in recordings for chapter in one.chapters]
    tone_db = _tone_db(job.delivery.room_tone, chapters, base.gain_db)
    rate = chapters[0].sample_rate if chapters else 0
    plans: dict[str, FileLevel] = {}
    for name, encoding in by_format.items():
        target = Target(name, Path(), encoding, base)
        plans[name] = FileLevel(limited_plan(target, base, peak, rate, loss_db), tone_db)
    return plans


def limited_plan(
    target: Target,
    base: MasterPlan,
    peak: float,
    sample_rate: int,
    loss_db: Callable[[MasterPlan], float],
) -> MasterPlan:
    """`base` with as much more gain as the limiter takes, under the ceiling of the target's codec.

    `peak` is the highest sample before gain: below the ceiling, no audio is read.
    """
    coded = target.sound(sample_rate).master or base
    if peak * 10 ** (coded.gain_db / 20) <= 10 ** (coded.ceiling_dbtp / 20):
        return base
    limited = with_limiter_loss(coded, loss_db)
    gain_db = round(base.gain_db + limited.gain_db - coded.gain_db, 3)
    return replace(base, gain_db=gain_db, slope=limited.slope)


def _base_plan(
    job: Job, recordings: Sequence[RecordingMusic], n_files: int
) -> tuple[MasterPlan, float]:
    """The plan for what these recordings are together, and their highest sample.

    Of several files that share a gain, none has to be at the target by itself.
    """
    parts = [part for one in recordings for part in _parts(one)]
    # Music is no quiet end.
    chapters = [one.chapters for one in recordings if not one.loudness]
    mastering = without_quiet_ends(job.mastering, chapters)
    plan = plan_gain(parts, mastering, job.delivery.encoding.channels)
    if n_files > 1 and plan.aim is not None:
        plan = replace(plan, aim=replace(plan.aim, level_db=None))
    return plan, max((part.sample_peak for part in parts), default=0.0)


def _parts(recording: RecordingMusic) -> Iterator[Loudness]:
    """The loudness of the chapters, as long as they are in the file, and of music by itself."""
    for chapter in recording.chapters:
        yield replace(chapter.loudness, n_samples=chapter.n_samples)
    yield from (replace(part, n_samples=0) for part in recording.loudness)


def sampled_loss(
    regions: Sequence[EncodeRegion], sample_s: float, measure_loss: MeasureLoss
) -> Callable[[MasterPlan], float]:
    """The limiter's loss in dB by plan, each measured once: many formats have one.

    `sample_s` of audio are measured, in at most MAX_PLACES of the regions, evenly spread.
    """
    n_places = min(MAX_PLACES, len(regions))
    places = [regions[index * len(regions) // n_places] for index in range(n_places)]
    return cache(partial(measure_loss, places, sample_s / max(1, n_places)))


def _tone_db(
    tone: RoomTone | None, chapters: Iterable[MeasuredChapter], gain_db: float
) -> float | None:
    """The level of room tone: that of the voice's own noise after gain, if it has any."""
    if tone is None:
        return None
    traits = [one for chapter in chapters for one in chapter.traits if one is not None]
    # Noise is in all shards; in some there may be no moment without voice.
    floors = sorted(one.noise_dbfs for one in traits)
    noise_dbfs = floors[len(floors) // QUIET_PART] if floors else NO_NOISE_DBFS
    if noise_dbfs <= NO_NOISE_DBFS:
        return tone.level_db
    return round(min(max(noise_dbfs + gain_db, LOWEST_TONE_DB), tone.highest_db), 1)
