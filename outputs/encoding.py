"""Mastered audio into finished files of any number of formats. Knows no DSP, no book.

    stretches ─┬─▶ passes ─▶ .Title.m4b.3f9a01c2.part ─▶ tagged ─▶ Title.m4b
               └─▶ passes ─▶ .Title.mp3.88b0d1e4.part ─▶ tagged ─▶ Title.mp3

A file appears under its name whole or not at all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from mutagen import MutagenError

from inputs.book import Cover
from inputs.languages import three_letters
from outputs.chapter import EncoderFailed, OutputFile, Recorded
from outputs.commands import encode_command, mux_command
from outputs.ffmpeg import find_ffmpeg
from outputs.files import blamed_on, part_of, publish, unwritable
from outputs.formats import FORMATS, TagStyle
from outputs.hands import Commission
from outputs.marks import Mark, ffmetadata
from outputs.passes import Part, fill
from outputs.pieces import Stretch
from outputs.tagging import Labels, tag
from outputs.tags import Tags
from outputs.wording import one_line


@dataclass(frozen=True, slots=True)
class Target:
    """A file to be made: a name in FORMATS, and where it goes, over what may be there."""

    format: str
    path: Path


def encode(
    stretches: Sequence[Stretch],
    sample_rate: int,
    targets: Sequence[Target],
    marks: Sequence[Mark],
    tags: Tags,
    cover: Cover | None = None,
    *,
    commission: Commission | None = None,
    ffmpeg: str | Path | None = None,
) -> Recorded:
    """The finished files, in the order of `targets`, and how loud and high the samples were.

    AAC is encoded a stretch at a time, on all cores; what else is wanted in one pass over all
    stretches, handed on as fast as the slowest encoder takes them. The same samples give the same
    bytes. Either all files appear or, unless the last renaming fails, none. Raises
    EncoderMissing, EncoderFailed, OutputUnwritable; ValueError if the marks do not end where the
    audio does.
    """
    formats = [FORMATS[target.format] for target in targets]
    executable = find_ffmpeg(ffmpeg, [kind.encoder for kind in formats])
    n_samples = sum(stretch.n_samples for stretch in stretches)
    if marks and marks[-1].end != n_samples:
        raise ValueError(f"marks end at sample {marks[-1].end}, the audio at {n_samples}")
    with ExitStack() as stack:
        parts = [
            stack.enter_context(_part(target, executable, sample_rate, n_samples, marks, tags))
            for target in targets
        ]
        levels = fill(parts, executable, stretches, sample_rate, commission)
        labels = Labels(tags, marks, sample_rate, n_samples, cover)
        digests = [_labelled(part, labels) for part in parts]
        publish({part.path: part.final for part in parts})
    duration_s = n_samples / sample_rate
    files = tuple(
        OutputFile(target.path, target.format, duration_s, len(marks), digest)
        for target, digest in zip(targets, digests, strict=True)
    )
    return Recorded(files, levels)


@contextmanager
def _part(
    target: Target,
    executable: str,
    sample_rate: int,
    n_samples: int,
    marks: Sequence[Mark],
    tags: Tags,
) -> Generator[Part]:
    """The target's file, to be filled by a command; gone afterwards unless published."""
    kind = FORMATS[target.format]
    options = dict(kind.muxing)
    with ExitStack() as stack:
        path = stack.enter_context(part_of(target.path))
        marks_path = None
        if kind.tag_style is TagStyle.MP4:  # what mutagen cannot write there
            options["metadata:s:a:0"] = f"language={three_letters(tags.language)}"
            marks_path = stack.enter_context(_marks_file(target.path, marks, sample_rate))
        if kind.is_piecewise:
            command = mux_command(executable, sample_rate, n_samples, path, options, marks_path)
        else:
            options |= dict(kind.encoding)
            command = encode_command(executable, sample_rate, path, options, marks_path)
        yield Part(path, target.path, kind, command)


@contextmanager
def _marks_file(path: Path, marks: Sequence[Mark], sample_rate: int) -> Generator[Path | None]:
    """The marks as a temporary file for ffmpeg; None where there are none."""
    if not marks:
        yield None
        return
    with part_of(path) as part:
        with blamed_on(path):
            part.write_text(ffmetadata(marks, sample_rate), encoding="utf-8")
        yield part


def _labelled(part: Part, labels: Labels) -> str:
    """Tag the part; its SHA-256 in hexadecimal, as it will stay."""
    try:
        tag(part.path, part.kind.tag_style, labels)
        with part.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise unwritable(part.final, error) from error
    except MutagenError as error:
        if isinstance(error.__context__, OSError):
            raise unwritable(part.final, error.__context__) from error
        raise EncoderFailed(
            f"{part.final.name} cannot be tagged ({one_line(str(error))}). "
            "Choose another format, or give the book a smaller cover."
        ) from error
