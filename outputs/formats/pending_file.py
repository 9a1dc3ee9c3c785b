"""A file that is being made: its temporary name, its ffmpeg command, its sound and its metadata.

Target ─▶ PendingFile at .NAME.3f9a01c2.part ─▶ encoded ─▶ tagged ─▶ NAME
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from mutagen import MutagenError

from audiomill.inputs.files import file_sha256
from audiomill.outputs.audio.file_sound import FileRates, FileSound
from audiomill.outputs.audio.mastering import MasterPlan
from audiomill.outputs.ffmpeg.ffmpeg import Encoder
from audiomill.outputs.files import temporary_file, unwritable, unwritable_errors
from audiomill.outputs.formats.format import (
    Encoding,
    Format,
    Options,
    codec_effect,
    encoding_options,
)
from audiomill.outputs.formats.region_codecs import FileStream, RegionCodec
from audiomill.outputs.formats.registry import FORMATS
from audiomill.outputs.metadata.chapters import Mark, ffmetadata
from audiomill.outputs.metadata.tags import EmbeddedMetadata
from audiomill.outputs.text import one_line
from audiomill.outputs.types import EncoderFailed, OutputFile

# By how much resampling and room tone, which come after the limiter, may raise a peak: 0.01 to 0.03
# dB were seen.
AFTER_LIMITER_DB = 0.05


@dataclass(frozen=True, slots=True)
class Target:
    """A file to write: a name in FORMATS, a path, and how it shall sound."""

    format: str
    path: Path
    encoding: Encoding = field(default_factory=Encoding)
    master: MasterPlan | None = None  # None: the audio is mastered already
    tone_db: float | None = None  # RMS of room tone; None: digital silence

    @property
    def options(self) -> Options:
        """The options of ffmpeg for the encoding that was chosen."""
        return encoding_options(FORMATS[self.format], self.encoding)

    def sound(self, sample_rate: int) -> FileSound:
        """The steps from joined audio of this rate to the file."""
        entry = FORMATS[self.format]
        rates = FileRates(sample_rate, file_rate(entry, self.encoding, sample_rate))
        effect = codec_effect(entry, self.options, rates.file)
        is_changed = rates.file != rates.joined or self.tone_db is not None
        peak_db = effect.peak_db + (AFTER_LIMITER_DB if is_changed else 0.0)
        return FileSound(
            rates,
            self.encoding.channels,
            self.master and self.master.for_codec(peak_db, effect.level_db),
            self.tone_db,
        )


@dataclass(frozen=True, slots=True)
class PendingFile:
    """A file being written at `path`, to be renamed to `final`.

    `command` is the ffmpeg that makes it of a stream; empty if the stream is the file.
    """

    path: Path
    final: Path
    format: Format
    encoding: Options  # of ffmpeg
    executable: str
    command: list[str]
    sound: FileSound
    metadata: EmbeddedMetadata  # at the file's rate

    @property
    def codec(self) -> RegionCodec:
        """How its regions are made and joined."""
        return self.format.load_codec()

    def finished(self, sha256: str) -> OutputFile:
        """The file as it is once published."""
        metadata = self.metadata
        held = self.format.tag_style.held_marks(metadata.marks, metadata.sample_rate)
        duration_s = metadata.n_samples / metadata.sample_rate
        return OutputFile(self.final, self.format.name, duration_s, len(held), sha256)


def file_rate(entry: Format, encoding: Encoding, sample_rate: int) -> int:
    """The sample rate of a file, from that of its audio, in Hz."""
    wanted = encoding.sample_rate or sample_rate
    rates = entry.sample_rates or (wanted,)
    return next((rate for rate in rates if rate >= wanted), rates[-1])


@contextmanager
def pending_file(
    target: Target, executable: str, metadata: EmbeddedMetadata
) -> Generator[PendingFile]:
    """Create the target's temporary file; remove it afterwards unless published.

    `metadata` is at the rate of the joined audio. Raises OutputTooLarge, OutputUnwritable,
    EncoderFailed.
    """
    file_format, sound = FORMATS[target.format], target.sound(metadata.sample_rate)
    metadata = _at_file(metadata, sound.rates)
    _check_size(target, metadata)
    options = dict(file_format.muxing)
    with ExitStack() as stack:
        path = stack.enter_context(temporary_file(target.path))
        chapters = None
        options |= file_format.tag_style.muxing(file_format.muxing, metadata)
        if file_format.tag_style.has_ffmpeg_chapters:
            chapters = stack.enter_context(_chapters_file(target.path, metadata))
        stream = FileStream(
            executable, path, sound, metadata.n_samples, target.options, options, chapters
        )
        make = file_format.load_codec().file_command
        command = make(stream) if make else []
        yield PendingFile(
            *(path, target.path, file_format, target.options, executable, command),
            *(sound, metadata),
        )


def write_stream(stream: Iterable[bytes], files: Sequence[PendingFile]) -> None:
    """Write all of `stream` to each file, or to the ffmpeg that makes it."""
    with ExitStack() as stack:
        writers = [
            stack.enter_context(
                Encoder(file.command, file.final) if file.command else PlainFile(file)
            )
            for file in files
        ]
        for data in stream:
            for writer in writers:
                writer.write(data)
        for writer in writers:  # close all first, so that they finish in parallel
            writer.close()


class PlainFile:
    """Writes the file itself. All methods raise OutputUnwritable."""

    def __init__(self, file: PendingFile) -> None:
        self._final = file.final
        with unwritable_errors(file.final):
            self._opened = file.path.open("wb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, data: bytes) -> None:
        """Write the next bytes."""
        with unwritable_errors(self._final):
            self._opened.write(data)

    def close(self) -> None:
        """End the file."""
        with unwritable_errors(self._final):
            self._opened.close()


def check_marks(marks: Sequence[Mark], n_samples: int) -> None:
    """Raise ValueError if the last mark does not end with the audio."""
    if marks and marks[-1].end != n_samples:
        raise ValueError(f"marks end at sample {marks[-1].end}, the audio at {n_samples}")


def write_tags(file: PendingFile) -> str:
    """Tag the file; return the hexadecimal SHA-256 of its final content."""
    try:
        file.format.tag_style.write(file.path, file.metadata)
        return file_sha256(file.path)
    except OSError as error:
        raise unwritable(file.final, error) from error
    except MutagenError as error:
        if isinstance(error.__context__, OSError):
            raise unwritable(file.final, error.__context__) from error
        raise EncoderFailed(
            f"{file.final.name} cannot be tagged ({one_line(str(error))}). "
            "Choose another format, or give the book a smaller cover."
        ) from error


def _at_file(metadata: EmbeddedMetadata, rates: FileRates) -> EmbeddedMetadata:
    """The metadata with all samples counted at the rate of the file."""
    if rates.joined == rates.file:
        return metadata
    at = rates.at_file
    marks = [replace(mark, start=at(mark.start), end=at(mark.end)) for mark in metadata.marks]
    n_samples = at(metadata.n_samples)
    return replace(metadata, marks=marks, sample_rate=rates.file, n_samples=n_samples)


def _check_size(target: Target, metadata: EmbeddedMetadata) -> None:
    """Raise OutputTooLarge if the target's format cannot hold that much audio.

    Raises EncoderFailed for a file without any, or with less than a block of the format has.
    """
    entry = FORMATS[target.format]
    if metadata.n_samples < entry.least_samples:
        raise EncoderFailed(
            f"{target.path.name}: its sound is {metadata.n_samples} samples long, too short for a"
            f" {target.format} file. Give it a head or a tail (delivery.head_s)."
        )
    entry.tag_style.check_size(target.path, metadata, target.encoding.channels)


@contextmanager
def _chapters_file(path: Path, metadata: EmbeddedMetadata) -> Generator[Path | None]:
    """The marks as a temporary file for ffmpeg; None if there are none."""
    if not metadata.marks:
        yield None
        return
    with temporary_file(path) as temporary:
        with unwritable_errors(path):
            temporary.write_text(ffmetadata(metadata.marks, metadata.sample_rate), encoding="utf-8")
        yield temporary
