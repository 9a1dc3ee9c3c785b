"""Finds an ffmpeg that can encode what is asked for, and tells builds apart."""

from __future__ import annotations

import functools
import hashlib
import shutil
import subprocess
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import imageio_ffmpeg

from audiomill.outputs.types import EncoderMissing, NamedEncoderUnfit
from audiomill.renderers.host.installation import this_installation


@dataclass(frozen=True, slots=True)
class Ffmpeg:
    """The ffmpeg of a run: its path, the version that it says, and why it is not ours, or ""."""

    path: str
    version: str
    warning: str = ""


def choose_ffmpeg(explicit: str | Path | None = None, encoders: Collection[str] = ()) -> Ffmpeg:
    """The ffmpeg for all files of a run: other builds encode other bytes.

    `explicit`, else the one installed with this package, else the system's. The package's own comes
    first because it is the tested one: ffmpeg 5.1, in Debian, ends an M4B a sample early and does
    not trim the end of decoded audio. The result runs and has all `encoders` ("aac", "libmp3lame"),
    and what muxing their streams needs. Raises EncoderMissing, which says what to do; of an
    `explicit` one, NamedEncoderUnfit.
    """
    named = [str(explicit)] if explicit is not None else [_installed(), shutil.which("ffmpeg")]
    problems: list[str] = []
    for executable in filter(None, named):
        problem = _problem(executable, encoders)
        if not problem:
            return Ffmpeg(executable, _version_line(executable), _warning(executable, problems))
        problems.append(problem)
    if explicit is not None:
        raise NamedEncoderUnfit(
            f"This ffmpeg was named, but {problems[0]}. Name another one in IMAGEIO_FFMPEG_EXE, or"
            " unset it: audiomill brings its own."
        )
    wanted = f" that can encode {', '.join(sorted(encoders))}" if encoders else ""
    found = "; ".join(problems) or "none is installed"
    raise EncoderMissing(f"No ffmpeg{wanted} was found: {found}.\n{install_hint()}")


def find_ffmpeg(explicit: str | Path | None = None, encoders: Collection[str] = ()) -> str:
    """The path of the ffmpeg that `choose_ffmpeg` chooses. Raises the same errors."""
    return choose_ffmpeg(explicit, encoders).path


def _warning(executable: str, problems: Sequence[str]) -> str:
    """The note on an ffmpeg that is used because others have problems."""
    if not problems:
        return ""
    return (
        f"{executable} encodes, because {'; '.join(problems)}. It may make other bytes of the same"
        " audio."
    )


def install_hint() -> str:
    """How to get an ffmpeg that works, for people."""
    hint = this_installation().repair_hint("imageio-ffmpeg")
    return f"Install a full build of ffmpeg. Or take ours. {hint}"


def _installed() -> str | None:
    """The ffmpeg that the package brings, or that the environment names.

    `imageio_ffmpeg` itself passes over its own one if that fails to start once, in silence.
    """
    try:
        found = imageio_ffmpeg.get_ffmpeg_exe()
    except RuntimeError:
        return None
    is_fallback = found in ("ffmpeg", str(Path(sys.prefix, "bin", "ffmpeg")))
    binaries = Path(imageio_ffmpeg.__file__).parent / "binaries"
    own = sorted(map(str, binaries.glob("ffmpeg-*"))) if is_fallback else []
    return own[-1] if own else found


def _problem(executable: str, encoders: Collection[str]) -> str:
    """Why this ffmpeg cannot be used; "" if it can."""
    try:
        missing = sorted(set(encoders) - _encoders(executable))
        if missing:
            return f"{executable} has no encoder {', '.join(missing)}"
        if "aac" in encoders and not _sets_times(executable):
            return (
                f"{executable} is too old to write M4A and M4B: it cannot set the times of packets"
                " (the bitstream filter setts with time_base, of ffmpeg 5.1)"
            )
    except OSError as error:
        return f"{executable} does not run ({error.strerror})"
    except subprocess.CalledProcessError as error:
        return f"{executable} does not run (exit status {error.returncode})"
    return ""


@functools.cache
def _encoders(executable: str) -> frozenset[str]:
    """Names of the encoders that `executable` lists. Raises OSError, CalledProcessError."""
    listing = _output_of(executable, "-hide_banner", "-encoders").decode(errors="replace")
    rows = (line.split() for line in listing.partition("------")[2].splitlines())
    return frozenset(row[1] for row in rows if len(row) > 1)


@functools.cache
def _sets_times(executable: str) -> bool:
    """Whether the ffmpeg can set times of packets as `mux_command` does.

    Raises OSError, CalledProcessError.
    """
    help_text = _output_of(executable, "-hide_banner", "-h", "bsf=setts")
    return b"-time_base" in help_text and b"-duration" in help_text


def _version_line(executable: str) -> str:
    """The version as the ffmpeg says it: "7.1", "n9.0.2-17-g2a571b6068"; "" if it does not."""
    try:
        first, *_ = _version(executable).splitlines() or [b""]
    except (OSError, subprocess.CalledProcessError):
        return ""
    return first.decode(errors="replace").removeprefix("ffmpeg version ").partition(" ")[0]


@functools.cache
def _version(executable: str) -> bytes:
    """The version, build and libraries as the ffmpeg says them.

    Raises OSError, CalledProcessError.
    """
    return _output_of(executable, "-version")


def _output_of(executable: str, *arguments: str) -> bytes:
    """The output of an ffmpeg. Tried twice: a machine may lack memory or processes for a moment.

    Raises OSError, CalledProcessError.
    """
    try:
        return _printed(executable, *arguments)
    except (OSError, subprocess.CalledProcessError):
        return _printed(executable, *arguments)


def _printed(executable: str, *arguments: str) -> bytes:
    return subprocess.run(
        [executable, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        process_group=0,
    ).stdout


def ffmpeg_build(executable: str) -> str:
    """A SHA-256, in hexadecimal, of what the ffmpeg says of its version, build and libraries.

    Two that are alike encode alike. Raises EncoderMissing.
    """
    try:
        return hashlib.sha256(_version(executable)).hexdigest()
    except (OSError, subprocess.CalledProcessError) as error:
        raise EncoderMissing(f"{executable} does not run.") from error
