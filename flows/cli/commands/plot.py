"""`audiomill plot`: draws finished audio files, ours or not."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

from audiomill.flows.cli.exit_codes import Failure, exit_code_of, results_of, try_each
from audiomill.flows.console import finite_level, put, put_json
from audiomill.flows.delivery.plots import measure_file, plot_of, target_of
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.signals import stop_on_signals
from audiomill.flows.job import UsageError
from audiomill.flows.settings import load_settings
from audiomill.inputs.book import SourceCorrupt, SourceMissing
from audiomill.outputs.delivery.choices import mastering_of
from audiomill.outputs.delivery.levels import Mastering
from audiomill.outputs.delivery.profiles import PROFILES
from audiomill.outputs.files import write_atomically
from audiomill.outputs.formats import PLOT_SUFFIX
from audiomill.outputs.plot.picture import plot_bytes
from audiomill.outputs.types import EncoderFailed, OutputUnwritable


def run(arguments: argparse.Namespace) -> int:
    """Draw every file. One that cannot be read does not stop the others."""
    paths: list[Path] = arguments.sources
    if arguments.out is not None and len(paths) > 1:
        raise UsageError("--out names one picture, but there are several files. Leave it out.")
    settings = load_settings()
    profile = PROFILES[arguments.profile or settings.profile]
    mastering = mastering_of(profile, settings.mastering)
    with stop_on_signals(RunContext()) as context:
        outcomes = try_each(paths, lambda path: _draw(path, arguments.out, mastering, context))
    if arguments.json:
        objects = [{"error": asdict(one)} if isinstance(one, Failure) else one for one in outcomes]
        put_json(objects[0] if len(paths) == 1 else objects)
    else:
        for result in results_of(outcomes):
            put(result["plot"])
    return exit_code_of(outcomes)


def _draw(
    path: Path, out: Path | None, mastering: Mastering, context: RunContext
) -> dict[str, Any]:
    """Draw one file; return its JSON object. Raises SourceError, OutputError, Interrupted."""
    if not path.is_file():
        raise SourceMissing(f"“{path}” is no file. Name an audio file.")
    picture = _free(out or path.with_suffix(PLOT_SUFFIX))
    try:
        drawn = measure_file(path, context)
    except EncoderFailed as error:
        raise SourceCorrupt(str(error)) from error
    plot = plot_of(drawn, drawn.title or path.stem, mastering, target_of(drawn, mastering))
    write_atomically(picture, plot_bytes(plot))
    curves = drawn.curves
    return {
        "path": str(path),
        "plot": str(picture),
        "duration_s": round(curves.duration_s, 3),
        "chapters": len(drawn.marks),
        "loudness_lufs": finite_level(curves.integrated_lufs),
        "true_peak_dbtp": finite_level(curves.true_peak_dbtp),
    }


def _free(picture: Path) -> Path:
    """The path, if nothing but a picture of ours is there. Raises OutputUnwritable."""
    try:
        with picture.open("rb") as file:
            is_ours = b'class="plot"' in file.read(1 << 16)
    except OSError:
        return picture
    if not is_ours:
        raise OutputUnwritable(
            f"{picture} is there already, and is no picture of audiomill."
            " Name another file with --out."
        )
    return picture
