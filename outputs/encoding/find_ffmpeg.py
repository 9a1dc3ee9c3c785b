"""Finds an ffmpeg that can encode what is asked for, and tells builds apart."""

from __future__ import annotations

import functools
import hashlib
import shutil
import subprocess
from collections.abc import Collection
from pathlib import Path

import imageio_ffmpeg

from audiomill.outputs.types import EncoderMissing, NamedEncoderUnfit
from audiomill.renderers.host.installation import this_installation


def find_ffmpeg(explicit: str | Path | None = None, encoders: Collection[str] = ()) -> str:
    """The ffmpeg to use: `explicit`, else the one installed with this package, else the system's.

    The package's own comes first because it is the tested one: ffmpeg 5.1, in Debian, ends an M4B
    a sample early and does not trim the end of decoded audio. The result runs and has all
    `encoders` ("aac", "libmp3lame"). Raises EncoderMissing, which says what to do; of an `explicit`
    one, NamedEncoderUnfit.
    """
    named = [str(explicit)] if explicit is not None else [_installed(), shutil.which("ffmpeg")]
    problems: list[str] = []
    for executable in filter(None, named):
        problem = _problem(executable, encoders)
        if not problem:
            return executable
        problems.append(problem)
    if explicit is not None:
        raise NamedEncoderUnfit(
            f"This ffmpeg was named, but {problems[0]}. Name another one in IMAGEIO_FFMPEG_EXE, or"
            " unset it: audiomill brings its own."
        )
    wanted = f" that can encode {', '.join(sorted(encoders))}" if encoders else ""
    found = "; ".join(problems) or "none is installed"
    raise EncoderMissing(f"No ffmpeg{wanted} was found: {found}.\n{install_hint()}")


def install_hint() -> str:
    """How to get an ffmpeg that works, for people."""
    hint = this_installation().repair_hint("imageio-ffmpeg")
    return f"Install a full build of ffmpeg. Or take ours. {hint}"


def _installed() -> str | None:
    try:
        return imageio_ffmpeg.get_ffmpeg_exe()
    except RuntimeError:
        return None


def _problem(executable: str, encoders: Collection[str]) -> str:
    """Why this ffmpeg cannot be used; "" if it can."""
    try:
        missing = sorted(set(encoders) - _encoders(executable))
    except OSError as error:
        return f"{executable} does not run ({error.strerror})"
    except subprocess.CalledProcessError as error:
        return f"{executable} does not run (exit status {error.returncode})"
    return f"{executable} has no encoder {', '.join(missing)}" if missing else ""


@functools.cache
def _encoders(executable: str) -> frozenset[str]:
    """Names of the encoders that `executable` lists. Raises OSError, CalledProcessError."""
    listing = subprocess.run(
        [executable, "-hide_banner", "-encoders"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        process_group=0,
    ).stdout.decode(errors="replace")
    rows = (line.split() for line in listing.partition("------")[2].splitlines())
    return frozenset(row[1] for row in rows if len(row) > 1)


@functools.cache
def ffmpeg_build(executable: str) -> str:
    """A SHA-256, in hexadecimal, of what the ffmpeg says of its version, build and libraries.

    Two that are alike encode alike. Raises EncoderMissing.
    """
    try:
        told = subprocess.run(
            [executable, "-version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            process_group=0,
        ).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise EncoderMissing(f"{executable} does not run.") from error
    return hashlib.sha256(told).hexdigest()
