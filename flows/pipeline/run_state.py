"""State that all stages of one book's run share, and the files that it has made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audiomill.flows.execution.executor import Executor
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.stage_times import StageTimes
from audiomill.flows.execution.windows import WindowResult
from audiomill.flows.job import Job
from audiomill.flows.pipeline.levelling import Levelling
from audiomill.flows.pipeline.library.entry import LibraryEntry
from audiomill.flows.pipeline.library.records import ChapterLengths, RecordedLevels
from audiomill.flows.pipeline.planning.cuts import CutKeys
from audiomill.flows.pipeline.planning.fingerprints import ContentDigests
from audiomill.flows.pipeline.planning.output_specs import OutputSpec
from audiomill.flows.pipeline.planning.plan import Plan
from audiomill.flows.pipeline.planning.recordings import Recording
from audiomill.flows.pipeline.suspects import Suspect
from audiomill.inputs.model.book import Skipped
from audiomill.outputs.audio.music_places import RecordingMusic
from audiomill.outputs.ffmpeg.find_ffmpeg import Ffmpeg
from audiomill.outputs.pages.picture import Plot
from audiomill.outputs.types import EncodedOutput, FileLevels, MeasuredChapter, OutputFile
from audiomill.renderers.engine.protocol import Usage
from audiomill.renderers.host.process_pool import TaskPool
from audiomill.renderers.speech.recogniser import Recogniser


@dataclass(frozen=True, slots=True)
class Run:
    """State that all stages of one book's run share."""

    job: Job
    plan: Plan
    digests: ContentDigests  # of the plan
    executor: Executor
    context: RunContext
    pool: TaskPool
    ahead_pool: TaskPool  # for what gives way to the engine
    library_entry: LibraryEntry
    cut_keys: CutKeys
    ffmpeg: Ffmpeg  # that writes all files
    possible: tuple[OutputSpec, ...]  # of the plan without cuts, named without an ending
    recogniser: Recogniser | None = None  # that checks all speech


@dataclass(frozen=True, slots=True, eq=False)
class RunResult:
    """The outcome of a run that had files to make."""

    windows: tuple[WindowResult, ...]
    chapters: tuple[MeasuredChapter, ...]
    silent: tuple[Skipped, ...]  # segments for which the engine returned silence
    suspects: tuple[Suspect, ...]
    gains_db: dict[str, float]  # of voices that were louder or softer than the main one
    music: Mapping[Recording, RecordingMusic]  # of each recording, also where there is none
    levelling: Levelling
    recorded: dict[tuple[OutputSpec, ...], EncodedOutput]  # by the specs of a recording's files
    samples: dict[tuple[OutputSpec, ...], EncodedOutput]  # the same of the retail sample
    transcripts: dict[OutputSpec, OutputFile]
    warnings: tuple[str, ...]  # of damage that was repaired during the run
    usages: tuple[Usage, ...]  # of segments that were rendered for that
    stage_times: StageTimes

    @property
    def files(self) -> dict[OutputSpec, OutputFile]:
        """The new files, by their spec."""
        return self.audio_files | _files(self.samples) | self.transcripts

    @property
    def audio_files(self) -> dict[OutputSpec, OutputFile]:
        """The new recordings of the book, by their spec."""
        return _files(self.recorded)

    @property
    def levels(self) -> dict[OutputSpec, FileLevels]:
        """The levels of the new recordings as they were encoded, by their spec."""
        return {
            spec: levels
            for specs, recorded in (self.recorded | self.samples).items()
            for spec, levels in zip(specs, recorded.levels, strict=True)
        }


@dataclass(frozen=True, slots=True)
class FinishedRecording:
    """Facts of a finished recording, by its file of the first format."""

    recording: Recording
    lengths: ChapterLengths
    levels: RecordedLevels | None  # None: not known


@dataclass(frozen=True, slots=True, eq=False)
class RunFiles:
    """All files of a run, new or finished before."""

    files: tuple[OutputFile, ...]
    samples: tuple[OutputFile, ...]  # the retail sample
    levels: Mapping[str, RecordedLevels]  # of those whose levels are known, by name
    recordings: tuple[FinishedRecording, ...]  # none if old records lack their lengths
    lists: tuple[OutputFile, ...]  # playlists and cue sheets of the files
    plots: tuple[Plot, ...]  # pictures that were drawn
    result: RunResult | None  # None if nothing was encoded


def _files(
    recorded: Mapping[tuple[OutputSpec, ...], EncodedOutput],
) -> dict[OutputSpec, OutputFile]:
    """The files of the recordings, by their spec."""
    return {
        spec: file
        for specs, one in recorded.items()
        for spec, file in zip(specs, one.files, strict=True)
    }
