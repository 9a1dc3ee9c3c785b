"""Renders a text as a user does, and keeps what each segment was; and upstream's own rendering."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from unittest import mock

import numpy as np
import soundfile
import torch

from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline import chapter_audio
from audiomill.flows.pipeline.planning.manuscript import read_manuscript
from audiomill.flows.pipeline.planning.plan import PlannedSegment
from audiomill.flows.settings import Settings
from audiomill.inputs.model.book import Segment
from audiomill.outputs.audio.joining import Clip
from audiomill.renderers.engine.protocol import EngineLimits, Request, ShardInfo
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.kokoro.options import KokoroOnnxOptions, KokoroOptions
from audiomill.renderers.piper.options import PiperOptions
from benchmarks.rivals.upstream import load_kmodel
from heard.models import Models
from support.book_data import rendered

UPSTREAM_PAUSE_S = 0.4  # between segments, which upstream leaves to its user
UPSTREAM_RATE = 24_000


@dataclass(frozen=True)
class Case:
    """A text, and who reads it. The language is the one in its name: `novel.fr.md`."""

    source: Path
    engine: str
    voice: str
    speed: float = 1.0

    @property
    def language(self) -> str:
        return self.source.stem.partition(".")[2] or "en"

    @property
    def reader(self) -> str:
        at_speed = "" if self.speed == 1 else f" at {self.speed:g}"
        return f"{self.engine} {self.voice}{at_speed}"

    @property
    def name(self) -> str:
        return f"{self.source.stem} {self.reader}"


@dataclass(frozen=True, eq=False)
class Rendering:
    """A finished file, and the segments that it is made of."""

    case: Case
    audio: Path
    sample_rate: int
    limits: EngineLimits
    segments: tuple[tuple[PlannedSegment, Clip], ...]
    infos: Mapping[Request, ShardInfo]  # of their shards
    texts: tuple[Segment, ...]

    @property
    def words(self) -> Path:
        """When each printed word sounds in the file."""
        return self.audio.with_suffix(".words.json")

    @property
    def spoken(self) -> str:
        """All that the engine was given, in order."""
        return " ".join(segment.request.spoken for segment, _ in self.segments)


def render(case: Case, models: Models, out: Path) -> Rendering:
    """Render into a new folder below `out`: where files are finished, nothing is joined."""
    shutil.rmtree(out / case.name, ignore_errors=True)
    settings = settings_for(models, out)
    job = make_job(
        settings,
        case.source,
        out=out / case.name,
        engine=case.engine,
        voice=case.voice,
        speed=case.speed,
        formats=["flac"],
        transcripts=["json"],
    )
    with _recorded_clips() as (clips, infos):
        report = rendered(job)
    engine = open_renderer(job.engine, job.options)
    texts = read_manuscript(job).segments
    path = report.files[0].path
    return Rendering(
        *(case, path, engine.sample_rate, engine.limits, tuple(clips.values()), infos, texts)
    )


def settings_for(models: Models, out: Path) -> Settings:
    return Settings(
        library=out,
        store=str(out / "store"),
        kokoro=KokoroOptions(models.kokoro),
        kokoro_onnx=KokoroOnnxOptions(model=models.kokoro / "kokoro-v1.0.int8.onnx"),
        piper=PiperOptions(models.piper),
    )


Clips = dict[str, tuple[PlannedSegment, Clip]]


@contextmanager
def _recorded_clips() -> Iterator[tuple[Clips, dict[Request, ShardInfo]]]:
    """Each segment with its clip, by id, and what is known of its shard, as they are joined."""
    clips: Clips = {}
    infos: dict[Request, ShardInfo] = {}
    clip_of = chapter_audio.clip_of

    def recorded(reader, segment: PlannedSegment) -> Clip:
        clip = clip_of(reader, segment)
        clips.setdefault(segment.segment_id, (segment, clip))
        infos[segment.request] = reader.shard(segment.request).info
        return clip

    with mock.patch.object(chapter_audio, "clip_of", recorded):
        yield clips, infos


def render_upstream(ours: Rendering, models: Models, out: Path) -> Path:
    """The same segments by upstream's own model, one by one, from the same phonemes.

    It is slow on a processor, so a finished file is kept for as long as they are the same.
    """
    given = [_kokoro(models).model_input(segment.request) for segment, _ in ours.segments]
    path = out / f"{ours.case.name} upstream {digest_of(given)}.flac"
    if not path.exists():
        unfinished = path.with_suffix(".part")
        pause = np.zeros(round(UPSTREAM_PAUSE_S * UPSTREAM_RATE), np.float32)
        spoken = (_upstream_samples(one, ours.case, models) for one in given)
        samples = np.concatenate([piece for one in spoken for piece in (one, pause)])
        soundfile.write(unfinished, samples, UPSTREAM_RATE, format="FLAC")
        unfinished.rename(path)
    return path


def digest_of(given: Sequence[str]) -> str:
    """A name for what a file is made of."""
    return sha256("\0".join(given).encode()).hexdigest()[:12]


def _upstream_samples(phonemes: str, case: Case, models: Models) -> np.ndarray:
    pack = _pack(models, case.voice)
    with torch.inference_mode():
        spoken = _kmodel(models)(phonemes, pack[len(phonemes) - 1], case.speed)
    return spoken.numpy()


@cache
def _kokoro(models: Models):
    return open_renderer("kokoro", settings_for(models, Path()).engine_options())


@cache
def _kmodel(models: Models):
    return load_kmodel(models.kokoro / "config.json", models.kokoro / "kokoro-v1_0.pth")


@cache
def _pack(models: Models, voice: str) -> torch.Tensor:
    return torch.load(models.kokoro / "voices" / f"{voice}.pt", weights_only=True)
