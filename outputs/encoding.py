"""One pass of mastered audio into finished files of any number of formats. Knows no DSP, no book.

    blocks ─▶ s16le ─┬─▶ ffmpeg ─▶ .Title.m4b.3f9a01c2.part ─▶ tagged ─▶ Title.m4b
                     └─▶ ffmpeg ─▶ .Title.mp3.88b0d1e4.part ─▶ tagged ─▶ Title.mp3

A file appears under its name whole or not at all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from mutagen import MutagenError

from inputs.book import Cover
from inputs.languages import three_letters
from outputs.chapter import EncoderFailed, OutputFile
from outputs.commands import encode_command
from outputs.ffmpeg import Encoder, find_ffmpeg
from outputs.files import blamed_on, part_of, publish, unwritable
from outputs.formats import FORMATS, Format, TagStyle
from outputs.marks import Mark, ffmetadata
from outputs.tagging import Labels, tag
from outputs.tags import Tags
from outputs.wording import one_line
from renderers.shard import Samples


@dataclass(frozen=True, slots=True)
class Target:
    """A file to be made: a name in FORMATS, and where it goes, over what may be there."""

    format: str
    path: Path


def encode(
    blocks: Iterable[Samples],
    sample_rate: int,
    targets: Sequence[Target],
    marks: Sequence[Mark],
    tags: Tags,
    cover: Cover | None = None,
    *,
    ffmpeg: str | Path | None = None,
) -> list[OutputFile]:
    """The finished files, in the order of `targets`, all from one pass over `blocks`.

    Each format has an ffmpeg of its own at work; blocks are handed on as fast as the slowest takes
    them. The same samples give the same bytes. Either all files appear or, unless the last
    renaming fails, none. Raises EncoderMissing, EncoderFailed, OutputUnwritable; ValueError if
    the marks do not end where the audio does.
    """
    formats = [FORMATS[target.format] for target in targets]
    executable = find_ffmpeg(ffmpeg, [kind.encoder for kind in formats])
    with ExitStack() as stack:
        parts = [stack.enter_context(part_of(target.path)) for target in targets]
        files = list(zip(parts, targets, formats, strict=True))
        n_samples = _encode_parts(blocks, executable, sample_rate, files, marks, tags)
        if marks and marks[-1].end != n_samples:
            raise ValueError(f"marks end at sample {marks[-1].end}, the audio at {n_samples}")
        labels = Labels(tags, marks, sample_rate, n_samples, cover)
        digests = [_labelled(part, target, kind, labels) for part, target, kind in files]
        publish({part: target.path for part, target, _ in files})
    duration_s = n_samples / sample_rate
    return [
        OutputFile(target.path, target.format, duration_s, len(marks), digest)
        for target, digest in zip(targets, digests, strict=True)
    ]


def _encode_parts(
    blocks: Iterable[Samples],
    executable: str,
    sample_rate: int,
    files: Sequence[tuple[Path, Target, Format]],
    marks: Sequence[Mark],
    tags: Tags,
) -> int:
    """Fill all parts at once; returns how many samples went in."""
    n_samples = 0
    with ExitStack() as stack:
        encoders: list[Encoder] = []
        for part, target, kind in files:
            options = dict(kind.options)
            marks_path = None
            if kind.tag_style is TagStyle.MP4:  # what mutagen cannot write there
                options["metadata:s:a:0"] = f"language={three_letters(tags.language)}"
                marks_path = stack.enter_context(_marks_file(target.path, marks, sample_rate))
            command = encode_command(executable, sample_rate, part, options, marks_path)
            encoders.append(stack.enter_context(Encoder(command, target.path)))
        for block in blocks:
            n_samples += block.size
            pcm = to_pcm16(block)
            for encoder in encoders:
                encoder.write(pcm)
        for encoder in encoders:  # all finish at the same time, not one after the other
            encoder.close()
    return n_samples


def to_pcm16(samples: Samples) -> bytes:
    """Little-endian 16-bit samples, rounded to the nearest.

    Without dither: its noise would fill the pauses, where an encoder spends nothing on digital
    silence, and what rounding adds is far below what a lossy encoder does.
    """
    scaled = np.rint(samples * np.float32(32768))
    return np.clip(scaled, -32768, 32767).astype("<i2").tobytes()


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


def _labelled(part: Path, target: Target, kind: Format, labels: Labels) -> str:
    """Tag the part; its SHA-256 in hexadecimal, as it will stay."""
    try:
        tag(part, kind.tag_style, labels)
        with part.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise unwritable(target.path, error) from error
    except MutagenError as error:
        if isinstance(error.__context__, OSError):
            raise unwritable(target.path, error.__context__) from error
        raise EncoderFailed(
            f"{target.path.name} cannot be tagged ({one_line(str(error))}). "
            "Choose another format, or give the book a smaller cover."
        ) from error
