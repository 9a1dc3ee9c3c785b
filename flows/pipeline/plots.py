"""Pictures of finished files: decoded as a stream, measured, drawn beside them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from audiomill.flows.execution.run_context import RunContext, Step
from audiomill.outputs.checking.measured_file import missing_s
from audiomill.outputs.checking.streams import (
    LATE_S,
    FileStreams,
    Uncheckable,
    open_streams,
    undecodable,
)
from audiomill.outputs.ffmpeg.decoding import AudioStream, FileChapter, open_audio, read_file_text
from audiomill.outputs.files import Announce, write_output
from audiomill.outputs.formats.registry import PLOT, integrity_checks
from audiomill.outputs.pages.curves import Curves, measure_curves
from audiomill.outputs.pages.picture import Plot, plot_bytes
from audiomill.outputs.pages.plot_names import PlotMark
from audiomill.outputs.targets import Mastering
from audiomill.outputs.types import EncoderFailed, OutputFile

Block: TypeAlias = NDArray[np.float32]  # [n, channels]


@dataclass(frozen=True, slots=True, eq=False)
class DrawnPlot:
    """A finished picture, and what it shows."""

    file: OutputFile
    plot: Plot


@dataclass(frozen=True, slots=True, eq=False)
class DrawnFile:
    """The measurements of an audio file for its picture."""

    title: str  # "" if it has none
    n_channels: int
    curves: Curves
    marks: tuple[PlotMark, ...]


def draw_plot(
    file: OutputFile,
    path: Path,
    title: str,
    mastering: Mastering,
    context: RunContext,
    announce: Announce,
) -> DrawnPlot:
    """Draw the finished `file` into `path`. Raises OutputError, Interrupted."""
    drawn = measure_file(file.path, context)
    plot = plot_of(drawn, title, mastering, mastering.target_lufs)
    content, n_marks = plot_bytes(plot), len(drawn.marks)
    made = write_output(path, PLOT, content, file.duration_s, n_marks, announce)
    return DrawnPlot(made, plot)


def measure_file(path: Path, context: RunContext) -> DrawnFile:
    """The curves and the chapters of a file of ours. Raises EncoderFailed, Interrupted."""
    text, audio = read_file_text(path), open_audio(path)
    curves = measure_curves(context.until_cancelled(audio.blocks), audio.sample_rate)
    return DrawnFile(text.title, audio.n_channels, curves, _marks(text.chapters))


def _marks(chapters: Iterable[FileChapter]) -> tuple[PlotMark, ...]:
    in_order = sorted(chapters, key=lambda one: one.start_s)
    return tuple(PlotMark(one.title, one.start_s) for one in in_order)


def measure_any_file(path: Path, context: RunContext) -> tuple[DrawnFile, tuple[str, ...]]:
    """The same of a file that may be anything, and what is wrong with its sound, in words.

    Tells the progress of Step.DRAW. Raises Uncheckable, EncoderMissing, Interrupted.
    """
    streams, sound = open_streams(path)
    damages: list[str] = []
    try:
        audio = open_audio(path, damages)
        blocks = _decoded_blocks(audio, context)
        curves = measure_curves(blocks, audio.sample_rate, sound.weights_of(audio.n_channels))
        length_s = curves.duration_s
        if not length_s:
            raise undecodable(path, streams, None)
        lost_s = _lost_s(path, streams, length_s)
    except EncoderFailed as error:
        raise undecodable(path, streams, error) from error
    except OSError as error:
        raise Uncheckable(f"{path} cannot be read ({error.strerror}).") from error
    title, marks = streams.tags.get("title", ""), _marks(streams.chapters)
    drawn = DrawnFile(title, audio.n_channels, curves, marks)
    if lost_s > LATE_S:
        return drawn, (
            f"{path} is cut off or has gaps: {lost_s:,.1f} s of its sound are not there.",
        )
    return drawn, (f"{path} is damaged: {damages[-1]}.",) if damages else ()


def _decoded_blocks(audio: AudioStream, context: RunContext) -> Iterator[Block]:
    """The blocks, of which the progress is told."""
    for block in context.until_cancelled(audio.blocks):
        yield block
        context.progress.advance(Step.DRAW, len(block) / audio.sample_rate)


def _lost_s(path: Path, streams: FileStreams, length_s: float) -> float:
    """The sound that a file promises and has not. An MP3 without a header promises a guess only."""
    is_short = (streams.duration_s or 0.0) > length_s + LATE_S
    frames = integrity_checks(streams.container).walk_frames(path) if is_short else None
    return missing_s(path, streams, length_s, frames)


def target_of(drawn: DrawnFile, mastering: Mastering) -> float:
    """The target of a file that need not be ours, in LUFS, from that of one channel.

    The same sound in two measures 3 LU more (ITU-R BS.1770-4).
    """
    return mastering.target_lufs + 10 * math.log10(max(drawn.n_channels, 1))


def plot_of(drawn: DrawnFile, title: str, mastering: Mastering, target_lufs: float) -> Plot:
    """The picture, with the lines that the recording was mastered to, or should have been.

    No target is drawn where the RMS of each file is the target.
    """
    return Plot(
        title or drawn.title,
        drawn.curves,
        drawn.marks,
        target_lufs if mastering.target_rms_db is None else None,
        mastering.ceiling_dbtp,
    )
