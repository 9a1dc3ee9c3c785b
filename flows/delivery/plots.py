"""Pictures of finished files: decoded as a stream, measured, drawn beside them."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from pathlib import Path

from audiomill.flows.execution.run_context import RunContext
from audiomill.outputs.delivery.levels import Mastering
from audiomill.outputs.encoding.reading import open_audio, read_file_text
from audiomill.outputs.files import write_atomically
from audiomill.outputs.formats import PLOT
from audiomill.outputs.plot.chapter_names import PlotMark
from audiomill.outputs.plot.curves import Curves, measure_curves
from audiomill.outputs.plot.picture import Plot, plot_bytes
from audiomill.outputs.types import OutputFile


@dataclass(frozen=True, slots=True, eq=False)
class DrawnPlot:
    """A finished picture, and what it shows."""

    file: OutputFile
    plot: Plot


@dataclass(frozen=True, slots=True, eq=False)
class DrawnFile:
    """What was read of an audio file for its picture."""

    title: str  # "" if it has none
    n_channels: int
    curves: Curves
    marks: tuple[PlotMark, ...]


def draw_plot(
    file: OutputFile, path: Path, title: str, mastering: Mastering, context: RunContext
) -> DrawnPlot:
    """Draw the finished `file` into `path`. Raises OutputError, Interrupted."""
    drawn = measure_file(file.path, context)
    plot = plot_of(drawn, title, mastering, mastering.target_lufs)
    content = plot_bytes(plot)
    write_atomically(path, content)
    digest = hashlib.sha256(content).hexdigest()
    made = OutputFile(path, PLOT, file.duration_s, len(drawn.marks), digest)
    return DrawnPlot(made, plot)


def measure_file(path: Path, context: RunContext) -> DrawnFile:
    """The curves and the chapters of any audio file. Raises EncoderFailed, Interrupted."""
    text, audio = read_file_text(path), open_audio(path)
    curves = measure_curves(context.until_cancelled(audio.blocks), audio.sample_rate)
    marks = tuple(PlotMark(one.title, one.start_s) for one in text.chapters)
    return DrawnFile(text.title, audio.n_channels, curves, marks)


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
