"""Encodes the recordings of a book, each into all its files at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, groupby, pairwise
from pathlib import Path

from audiomill.flows.execution.run_context import RunContext, Step
from audiomill.flows.execution.shard_source import shard_source_of
from audiomill.flows.job import Job
from audiomill.flows.pipeline.chapter_audio import EncodePlan, EncodeRegion, stream_audio
from audiomill.flows.pipeline.levelling import FileLevel, Levelling
from audiomill.flows.pipeline.library.entry import LibraryEntry, MadeFile
from audiomill.flows.pipeline.library.records import ChapterLengths, RecordedLevels
from audiomill.flows.pipeline.planning.fingerprints import OUTPUT_VERSION, json_sha256
from audiomill.flows.pipeline.planning.output_specs import OutputSpec
from audiomill.flows.pipeline.planning.recordings import Recording
from audiomill.flows.pipeline.run_state import Run
from audiomill.outputs.audio.chapter_loudness import stretches_lufs
from audiomill.outputs.audio.file_sound import AudioRegion
from audiomill.outputs.audio.loudness import finite_level, integrated_lufs, rms_db
from audiomill.outputs.audio.music_places import RecordingMusic
from audiomill.outputs.audio.true_peak import true_peak_dbtp
from audiomill.outputs.formats.encoder import encode, n_passes
from audiomill.outputs.formats.pending_file import Target
from audiomill.outputs.formats.region_tasks import RegionCache
from audiomill.outputs.formats.thread_group import EncodeContext
from audiomill.outputs.metadata.chapters import book_marks
from audiomill.outputs.types import EncodedOutput, FileLevels, MeasuredChapter
from audiomill.renderers.host.process_pool import TaskPool
from audiomill.renderers.host.threads import Future, map_in_order
from audiomill.renderers.store.shard_reader import ShardReader
from audiomill.renderers.store.store import ShardStore

# An encoder is a process of its own. It mostly waits for this process, or this process for it.
RECORDINGS_IN_FLIGHT = 2


def encode_recordings(
    run: Run,
    store: ShardStore,
    missing: Iterable[OutputSpec],
    music: Mapping[Recording, RecordingMusic],
    regions: Mapping[Recording, tuple[EncodeRegion, ...]],
    levelling: Levelling,
) -> dict[tuple[OutputSpec, ...], EncodedOutput]:
    """Encode each recording into all its missing formats, and enter the files in the library."""
    targets = _targets(missing, run.library_entry.folder, levelling)
    _begin_steps(run, targets, music)
    run.library_entry.create_folder()
    lengths = {one: marked_lengths(one, placed) for one, placed in music.items()}

    def start(specs: tuple[OutputSpec, ...]) -> Future[EncodedOutput]:
        recording = specs[0].recording
        marks = book_marks(_marked_chapters(recording, music[recording]))
        return run.executor.submit(
            f"encode {', '.join(spec.name for spec in specs)}",
            encode_recording,
            run.job,
            store,
            EncodePlan(regions[recording], marks, recording.tags, recording.cover),
            targets[specs],
            run.context,
            run.pool,
            run.ffmpeg.path,
            run.library_entry.region_cache,
            partial(_announce, run.library_entry, specs, lengths[recording], levelling),
        )

    results: dict[tuple[OutputSpec, ...], EncodedOutput] = {}
    encoded = map_in_order(start, targets, RECORDINGS_IN_FLIGHT)
    for specs, recorded in zip(targets, encoded, strict=True):
        run.library_entry.record_finished(specs)
        run.context.progress.advance(Step.WRITE, len(specs))
        results[specs] = recorded
    return results


def _targets(
    missing: Iterable[OutputSpec], folder: Path, levelling: Levelling
) -> dict[tuple[OutputSpec, ...], tuple[Target, ...]]:
    """The files of each recording, by its specs."""
    alike = (tuple(specs) for _, specs in groupby(missing, key=lambda spec: spec.recording))
    return {
        specs: tuple(
            target_of(spec, folder, levelling[spec.recording, spec.format]) for spec in specs
        )
        for specs in alike
    }


def _begin_steps(
    run: Run,
    targets: Mapping[tuple[OutputSpec, ...], tuple[Target, ...]],
    music: Mapping[Recording, RecordingMusic],
) -> None:
    """Tell the progress how much there is to encode, and how many files."""
    rate = run.plan.sample_rate
    n_samples = sum(
        n_passes(wanted, rate) * _n_samples(music[specs[0].recording])
        for specs, wanted in targets.items()
    )
    run.context.progress.begin(Step.ENCODE, n_samples / rate)
    run.context.progress.begin(Step.WRITE, sum(map(len, targets)))


def marked_lengths(recording: Recording, music: RecordingMusic) -> ChapterLengths:
    """How long the chapters are that are marked in a recording."""
    n_samples = tuple(chapter.n_samples for chapter in _marked_chapters(recording, music))
    return ChapterLengths(music.chapters[0].sample_rate, n_samples)


def _marked_chapters(recording: Recording, music: RecordingMusic) -> Sequence[MeasuredChapter]:
    """The chapters that are marked in a recording; a sample is one."""
    if not recording.is_sample:
        return music.chapters
    n_samples, title = _n_samples(music), recording.tags.title
    return (replace(music.chapters[0], title=title, n_samples=n_samples),)


def _announce(
    entry: LibraryEntry,
    specs: Iterable[OutputSpec],
    lengths: ChapterLengths,
    levelling: Levelling,
    encoded: EncodedOutput,
) -> dict[Path, Collection[str]]:
    """Enter files in the library that are about to appear; the SHA-256s of what they may replace.

    Raises OutputUnwritable.
    """
    return entry.announce(
        MadeFile(spec, file, lengths, _recorded_levels(levels, lengths, tone_db))
        for spec, file, levels in zip(specs, encoded.files, encoded.levels, strict=True)
        for tone_db in [levelling[spec.recording, spec.format].tone_db]
    )


def _recorded_levels(
    levels: FileLevels, lengths: ChapterLengths, tone_db: float | None
) -> RecordedLevels:
    """The levels of a file, and of each of its chapters, as it is encoded."""
    parts = [part.loudness for part in levels.parts]
    ends_s = [n / lengths.sample_rate for n in accumulate(lengths.n_samples, initial=0)]
    chapters_lufs = stretches_lufs(parts, levels.sample_rate, pairwise(ends_s))
    return RecordedLevels(
        finite_level(integrated_lufs(parts)),
        finite_level(rms_db(parts)),
        finite_level(true_peak_dbtp(part.true_peak for part in levels.parts)),
        round(levels.gain_db, 2),
        tone_db,
        tuple(map(finite_level, chapters_lufs)),
    )


def target_of(spec: OutputSpec, folder: Path, level: FileLevel) -> Target:
    """The file of a spec in that folder, at that level."""
    return Target(spec.format, folder / spec.name, spec.encoding, level.master, level.tone_db)


def _n_samples(music: RecordingMusic) -> int:
    return sum(chapter.n_samples for chapter in music.chapters)


def encode_recording(
    job: Job,
    store: ShardStore,
    encode_plan: EncodePlan,
    targets: tuple[Target, ...],
    context: RunContext,
    pool: TaskPool,
    ffmpeg: str,
    region_cache: RegionCache,
    announce: Callable[[EncodedOutput], Mapping[Path, Collection[str]]],
) -> EncodedOutput:
    """Stream a recording's audio into all its files at once. `announce` gets them as they appear.

    Raises OutputError, RenderError, StoreError, Interrupted.
    """
    source = shard_source_of(job, store, context)
    reader, sample_rate = source.reader(), source.renderer.sample_rate
    regions = [audio_region(reader, region, sample_rate) for region in encode_plan.regions]

    def advance(n_samples: int) -> None:
        context.progress.advance(Step.ENCODE, n_samples / sample_rate)

    def add_work(n_samples: int) -> None:
        context.progress.extend(Step.ENCODE, n_samples / sample_rate)

    return encode(
        regions,
        sample_rate,
        targets,
        encode_plan.marks,
        encode_plan.tags,
        encode_plan.cover,
        context=EncodeContext(pool, context.check, advance, add_work, announce, region_cache),
        ffmpeg=ffmpeg,
    )


def audio_region(reader: ShardReader, region: EncodeRegion, sample_rate: int) -> AudioRegion:
    """The audio of a region, not read yet."""
    blocks = partial(stream_audio, reader, region, sample_rate)
    return AudioRegion(region.n_samples, blocks, region_key(region))


def region_key(region: EncodeRegion) -> str:
    """A digest of what decides the samples of a region; "" if there is music in it."""
    if region.music:
        return ""
    ranges = [
        [
            [
                [one.request.key, one.pause_after_s, one.sentence_pauses_s, one.gain_db]
                for one in part.segments
            ],
            [list(one.sentences) for one in part.segments if one.sentence_pauses_s],
            part.lead_s,
            part.n_after,
        ]
        for part in region.ranges
    ]
    return json_sha256({"version": OUTPUT_VERSION, "n": region.n_samples, "ranges": ranges})
