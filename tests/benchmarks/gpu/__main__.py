"""Kokoro on a GPU, exact and how fast: `PYTHONPATH=tests python -m benchmarks.gpu`.

    first ─ sweep ─ layers ─ profile ─ counters ─ books ─ exactness ─ compiled
      each a process with a limit of its own ─▶ summary.json, log.txt ─▶ summary.txt

    first      ceilings of the card; each precision: self-test, time to compile, first speed
    sweep      ours by precision and size of batches, by stage; upstream in the same process
    layers     each convolution alone, beside cuDNN and cuBLAS; other tiles, warps, registers
    profile    time and calls of each kernel; a trace
    counters   hardware counters of the convolutions, where `ncu` is installed
    books      `audiomill render` of an EPUB to M4B, twice
    exactness  the tests of exactness, on the card
    compiled   the plain decoder by cuDNN, eager and by `torch.compile`, and ours as a CUDA graph

Nothing is installed: the interpreter that runs this must have PyTorch, NumPy and Triton. What else
a stage needs may be carried: `--packages` names a folder of wheels, and of archives that
`python -m benchmarks.gpu.pack` makes. A stage that lacks something says so, and the next one runs.
What a stage has measured stays when its time is over, or when it fails.

`--device cpu` is a dry run: tiny models, plain PyTorch in place of the kernels.
CUDA_VISIBLE_DEVICES chooses a card.
"""

from __future__ import annotations

import argparse
import lzma
import os
import signal
import subprocess
import sys
import tarfile
import threading
import time
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from benchmarks.gpu.stages import LOG, STAGES, SUMMARY, Stage
from benchmarks.gpu.summary import summary_lines

ROOT = Path(__file__).resolve().parents[3]
LEAST_S = 15.0  # with less, a stage is not begun
DRY_FACTOR = 20  # as many times as long may a dry run take, which measures nothing
MAX_LINE_CHARS = 400


@dataclass(frozen=True, slots=True)
class _Options:
    device: str
    out: Path
    work: Path
    weights: Path | None
    packages: Path | None
    stages: tuple[str, ...]
    total_s: float

    @property
    def patience(self) -> int:
        """How many times as long as on a GPU a stage may take."""
        return 1 if self.device == "cuda" else DRY_FACTOR


def main() -> int:
    """Run the stages; 1 if one of them did not end by itself, or failed."""
    options = _parse()
    ends_at_s = time.monotonic() + options.total_s * options.patience
    for folder in (options.out, options.work):
        folder.mkdir(parents=True, exist_ok=True)
    for name in (SUMMARY, LOG):
        (options.out / name).unlink(missing_ok=True)
    variables = _variables(options)
    codes = [
        _run_stage(stage, options, variables, ends_at_s)
        for stage in STAGES
        if stage.name in options.stages
    ]
    text = "\n".join(summary_lines(options.out / SUMMARY))
    (options.out / "summary.txt").write_text(f"{text}\n", "utf-8")
    print(text)
    return int(any(codes))


def _parse() -> _Options:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.gpu",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    names = [stage.name for stage in STAGES]
    parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
    parser.add_argument("--out", type=Path, default=Path("build/gpu"), help="default: build/gpu")
    parser.add_argument("--work", type=Path, default=Path("build/gpu-work"))
    parser.add_argument("--weights", type=Path, help="Kokoro's files (default: random weights)")
    parser.add_argument("--packages", type=Path, help="a folder of wheels and archives")
    parser.add_argument("--stages", nargs="*", choices=names, default=names, metavar="STAGE")
    parser.add_argument("--total-s", type=float, default=540.0, help="for all (default: 540)")
    said = parser.parse_args()
    weights = said.weights.resolve() if said.weights else None
    return _Options(
        said.device,
        said.out.resolve(),
        said.work.resolve(),
        weights,
        said.packages,
        tuple(said.stages),
        said.total_s,
    )


def _variables(options: _Options) -> Mapping[str, str]:
    """The environment of the stages: this checkout as `audiomill`, and the carried packages."""
    site = options.work / "site"
    site.mkdir(exist_ok=True)
    for archive in sorted(options.packages.iterdir()) if options.packages else ():
        _unpack(archive, site)
    package = site / "audiomill"
    package.unlink(missing_ok=True)
    package.symlink_to(ROOT)  # the repository is the package
    home = options.work / "home"
    home.mkdir(exist_ok=True)
    variables = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(site), str(ROOT / "tests"))),
        "PYTHONUNBUFFERED": "1",
        "HF_HUB_OFFLINE": "1",
        "TOKENIZERS_PARALLELISM": "false",
        "HOME": str(home),
    }
    # The kernels are interpreted where there is no GPU: it must be said before they are defined.
    return variables if options.device == "cuda" else variables | {"TRITON_INTERPRET": "1"}


def _unpack(archive: Path, site: Path) -> None:
    try:
        if archive.suffix == ".whl":
            with zipfile.ZipFile(archive) as wheel:
                wheel.extractall(site)  # noqa: S202 - the user's own packages
        elif archive.suffix == ".xz":
            with tarfile.open(archive) as packed:
                packed.extractall(site, filter="data")
    except (zipfile.BadZipFile, tarfile.TarError, lzma.LZMAError, zlib.error, EOFError) as error:
        raise SystemExit(f"{archive} is not whole ({error}). Copy or pack it again.") from error


def _run_stage(
    stage: Stage, options: _Options, variables: Mapping[str, str], ends_at_s: float
) -> int:
    """Run a stage in a process of its own, and return its exit code."""
    limit_s = min(stage.limit_s * options.patience, ends_at_s - time.monotonic())
    with (options.out / LOG).open("a", encoding="utf-8", buffering=1) as log:
        if limit_s < LEAST_S:
            _say(f"== {stage.name}: no time left", log)
            return 1
        _say(f"== {stage.name}, {limit_s:.0f} s at most", log)
        process = subprocess.Popen(
            _command(stage, options, limit_s),
            cwd=ROOT,
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        code = _followed(process, limit_s, log)
        if code:
            _say(f"== {stage.name} ended with {code}", log)
    return code


def _command(stage: Stage, options: _Options, limit_s: float) -> Sequence[str]:
    weights = ["--weights", str(options.weights)] if options.weights else []
    return [
        *(sys.executable, "-m", "benchmarks.gpu.stages", stage.name),
        *("--device", options.device, "--out", str(options.out), "--work", str(options.work)),
        *("--limit-s", str(limit_s), *weights),
    ]


def _followed(process: subprocess.Popen[str], limit_s: float, log: TextIO) -> int:
    """Show and keep what a process prints, and end it and its children at the limit."""
    timer = threading.Timer(limit_s, os.killpg, (process.pid, signal.SIGKILL))
    timer.start()
    try:
        for line in process.stdout or ():
            _say(line.rstrip()[:MAX_LINE_CHARS], log)
        return process.wait()
    finally:
        timer.cancel()


def _say(line: str, log: TextIO) -> None:
    print(line, flush=True)
    log.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
