"""`audiomill plot`: draws finished audio files, ours or not."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from audiomill.flows.cli.checking import expected_s
from audiomill.flows.cli.exit_codes import Failure, exit_code_of, results_of, try_each
from audiomill.flows.console import put, put_json, say
from audiomill.flows.errors import UsageError
from audiomill.flows.execution.progress import terminal_progress
from audiomill.flows.execution.run_context import RunContext, Step
from audiomill.flows.execution.signals import stop_on_signals
from audiomill.flows.pipeline.plots import measure_any_file, plot_of, target_of
from audiomill.flows.settings import load_settings
from audiomill.inputs.files import file_sha256
from audiomill.outputs.audio.loudness import finite_level
from audiomill.outputs.checking.profiles import PROFILES, mastering_of
from audiomill.outputs.files import unwritable_errors, write_atomically
from audiomill.outputs.formats.registry import PLOT_SUFFIX
from audiomill.outputs.pages.picture import plot_bytes
from audiomill.outputs.targets import Mastering
from audiomill.outputs.types import OutputUnwritable

_OURS = b'class="plot"'  # near the beginning of our pictures


def run(arguments: argparse.Namespace) -> int:
    """Draw every file. One that cannot be read does not stop the others."""
    pictures = _pictures(arguments.sources, arguments.out)
    paths = list(pictures)
    settings = load_settings()
    profile = PROFILES[arguments.profile or settings.profile]
    mastering = mastering_of(profile, settings.mastering)
    with (
        stop_on_signals(RunContext()) as stopped,
        terminal_progress() as progress_of,
        progress_of("") as progress,
    ):
        context = stopped.with_progress(progress)
        context.progress.begin(Step.DRAW, sum(map(expected_s, paths)))
        outcomes = try_each(paths, lambda path: _draw(path, pictures[path], mastering, context))
    if arguments.json:
        objects = [{"error": asdict(one)} if isinstance(one, Failure) else one for one in outcomes]
        put_json(objects[0] if len(paths) == 1 else objects)
    else:
        for result in results_of(outcomes):
            put(result["plot"])
    return exit_code_of(outcomes)


def _pictures(paths: Sequence[Path], out: Path | None) -> dict[Path, Path]:
    """The picture of each file. Raises UsageError if two files would have one, OutputUnwritable."""
    if out is not None and len(paths) > 1:
        raise UsageError("--out names one picture, but there are several files. Leave it out.")
    if out is not None and not out.parent.is_dir():  # found before an hour is decoded
        raise OutputUnwritable(f"{out} cannot be written: there is no folder {out.parent}.")
    by_picture = dict[Path, Path]()
    for path in paths:
        picture = out or path.parent / f"{path.stem}{PLOT_SUFFIX}"
        if (other := by_picture.setdefault(picture, path)) != path:
            raise UsageError(
                f"{other} and {path} would both be drawn as {picture}."
                " Draw one after the other, with --out."
            )
    return {path: picture for picture, path in by_picture.items()}


def _draw(path: Path, picture: Path, mastering: Mastering, context: RunContext) -> dict[str, Any]:
    """Draw one file; return its JSON object. Raises Uncheckable, OutputError, Interrupted."""
    _own_digest(picture)
    drawn, warnings = measure_any_file(path, context)
    plot = plot_of(drawn, drawn.title or path.stem, mastering, target_of(drawn, mastering))
    write_atomically(picture, plot_bytes(plot), _own_digest(picture))
    for warning in warnings:
        say(f"audiomill: {warning}")
    curves = drawn.curves
    return {
        "path": str(path),
        "plot": str(picture),
        "duration_s": round(curves.duration_s, 3),
        "chapters": len(drawn.marks),
        "loudness_lufs": finite_level(curves.integrated_lufs),
        "true_peak_dbtp": finite_level(curves.true_peak_dbtp),
        "warnings": [*warnings],
    }


def _own_digest(picture: Path) -> list[str]:
    """The SHA-256 of the picture of ours that is there; none if nothing is.

    Raises OutputUnwritable if something else is there.
    """
    with unwritable_errors(picture):
        if not picture.exists():
            return []
        if picture.is_file() and _OURS in _beginning(picture):
            return [file_sha256(picture)]
    raise OutputUnwritable(
        f"{picture} is there already, and is no picture of audiomill. Name another file with --out."
    )


def _beginning(picture: Path) -> bytes:
    with picture.open("rb") as file:
        return file.read(1 << 16)
