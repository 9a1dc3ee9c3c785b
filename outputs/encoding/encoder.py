"""Encodes audio into finished files, in any number of formats at once. Knows no DSP and no book.

    regions ─┬─▶ ffmpeg ─▶ .Title.m4b.3f9a01c2.part ─▶ tags ─▶ Title.m4b
             └─▶ ffmpeg ─▶ .Title.mp3.88b0d1e4.part ─▶ tags ─▶ Title.mp3

AAC is encoded in parallel regions (`parallel_aac.py`). All other formats share one pass over the
whole audio. A file appears under its name whole or not at all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path

from mutagen import MutagenError

from audiomill.inputs.book import Cover
from audiomill.inputs.languages import three_letter_code
from audiomill.outputs.audio.mastering import LevelMeter, MasterPlan, apply, metered
from audiomill.outputs.delivery.profile import Encoding
from audiomill.outputs.encoding.commands import copy_command, encode_command, mux_command
from audiomill.outputs.encoding.ffmpeg import Encoder, output_of
from audiomill.outputs.encoding.find_ffmpeg import find_ffmpeg
from audiomill.outputs.encoding.parallel_aac import (
    AudioRegion,
    EncodedRegion,
    aac_settings,
    checked,
    encode_regions,
    to_pcm16,
)
from audiomill.outputs.encoding.thread_group import EncodeContext, ThreadGroup
from audiomill.outputs.files import publish, temporary_file, unwritable, unwritable_errors
from audiomill.outputs.formats import FORMATS, Format, Options, TagStyle, encoding_options
from audiomill.outputs.metadata.aiff import aiff_bytes
from audiomill.outputs.metadata.chapters import MAX_NERO_MARKS, Mark, ffmetadata, held_marks
from audiomill.outputs.metadata.embedded import EmbeddedMetadata
from audiomill.outputs.metadata.iff import HEAD_BYTES, MAX_SIZE
from audiomill.outputs.metadata.mp3 import copy_without_tag
from audiomill.outputs.metadata.tags import Tags
from audiomill.outputs.metadata.writers import tag
from audiomill.outputs.text import one_line
from audiomill.outputs.types import (
    EncodedOutput,
    EncoderFailed,
    Levels,
    OutputFile,
    OutputTooLarge,
)
from audiomill.renderers.base import Samples


@dataclass(frozen=True, slots=True)
class Target:
    """A file to write: a name in FORMATS, and a path, which is overwritten."""

    format: str
    path: Path
    encoding: Encoding = field(default_factory=Encoding)


@dataclass(frozen=True, slots=True)
class FileMetadata:
    """What is written into the files of one output besides the audio."""

    marks: tuple[Mark, ...]
    tags: Tags
    cover: Cover | None


@dataclass(frozen=True, slots=True)
class PendingFile:
    """A file being written at `path`, to be renamed to `final`, and its ffmpeg command."""

    path: Path
    final: Path
    format: Format
    encoding: Options  # of ffmpeg
    command: list[str]


def n_passes(targets: Iterable[tuple[str, Encoding]]) -> int:
    """How often `encode` reads the whole audio to write files of these formats and encodings."""
    keys = {
        _pass_key(FORMATS[name], _encoding_options(FORMATS[name], encoding))
        for name, encoding in targets
    }
    return len(keys)


def encode_stream(
    regions: Sequence[AudioRegion],
    sample_rate: int,
    master: MasterPlan,
    metadata: FileMetadata,
    targets: Sequence[Target],
    context: EncodeContext | None = None,
) -> EncodedOutput:
    """Master the regions of joined audio and encode them into every target.

    Raises EncoderMissing, EncoderFailed, OutputUnwritable, OutputTooLarge.
    """
    mastered = [
        AudioRegion(region.n_samples, partial(_mastered, region.blocks, master, sample_rate))
        for region in regions
    ]
    marks, tags, cover = metadata.marks, metadata.tags, metadata.cover
    return encode(mastered, sample_rate, targets, marks, tags, cover, context=context)


def encode(
    regions: Sequence[AudioRegion],
    sample_rate: int,
    targets: Sequence[Target],
    marks: Sequence[Mark],
    tags: Tags,
    cover: Cover | None = None,
    *,
    context: EncodeContext | None = None,
    ffmpeg: str | Path | None = None,
) -> EncodedOutput:
    """Encode the regions into every target; return the files, in that order, and their levels.

    AAC is encoded in regions, as many at a time as the context has cores. The other formats are
    encoded in one pass, at the speed of the slowest encoder. The same samples give the same bytes.
    Either all files appear or, unless the last renaming fails, none.

    Raises EncoderMissing, EncoderFailed, OutputUnwritable, OutputTooLarge; ValueError if the last
    mark does not end with the audio.
    """
    formats = [FORMATS[target.format] for target in targets]
    executable = find_ffmpeg(ffmpeg, [file_format.encoder for file_format in formats])
    n_samples = sum(region.n_samples for region in regions)
    _check_marks(marks, n_samples)
    metadata = EmbeddedMetadata(tags, marks, sample_rate, n_samples, cover)
    for target in targets:
        _check_size(target, metadata)
    with ExitStack() as stack:
        files = [
            stack.enter_context(_pending_file(target, executable, metadata)) for target in targets
        ]
        levels = _encode_files(files, executable, regions, sample_rate, context)
        digests = [_tagged(file, metadata) for file in files]
        publish({file.path: file.final for file in files})
    finished = tuple(
        _finished(file, metadata, digest) for file, digest in zip(files, digests, strict=True)
    )
    return EncodedOutput(finished, levels)


def retag(
    source: Path,
    target: Target,
    sample_rate: int,
    n_samples: int,
    marks: Sequence[Mark],
    tags: Tags,
    cover: Cover | None = None,
    *,
    ffmpeg: str | Path | None = None,
) -> OutputFile:
    """Copy a file that `encode` made to `target`, with other metadata; its audio stays as it is.

    The new file is, byte for byte, what `encode` would make with that metadata. The marks may have
    other titles, but not other times. `source` may be the target's own path.

    Raises EncoderMissing, EncoderFailed, OutputUnwritable; ValueError if the last mark does not
    end with the audio.
    """
    executable = find_ffmpeg(ffmpeg)
    _check_marks(marks, n_samples)
    metadata = EmbeddedMetadata(tags, marks, sample_rate, n_samples, cover)
    with _pending_file(target, executable, metadata) as file:
        _copy_audio(executable, source, file)
        digest = _tagged(file, metadata)
        publish({file.path: file.final})
    return _finished(file, metadata, digest)


def _copy_audio(executable: str, source: Path, file: PendingFile) -> None:
    """Copy the source's packets, so that `file` is as its encoder would leave it."""
    if file.format.encodes_in_regions:
        # The bit rate that was asked for is stored, too.
        bit_rate = {key: value for key, value in file.encoding if key == "audio_bitrate"}
        as_flv = copy_command(executable, source, "pipe:1", {"format": "flv", **bit_rate})
        _write(output_of(as_flv, source), [file])
    elif file.format.tag_style is TagStyle.ID3:  # ffmpeg would write another Info header
        with unwritable_errors(file.final):
            copy_without_tag(source, file.path)
    else:
        options = dict(file.format.muxing) | _stream_tags(file.format)
        with Encoder(copy_command(executable, source, file.path, options), file.final):
            pass  # it reads the source itself


def _finished(file: PendingFile, metadata: EmbeddedMetadata, digest: str) -> OutputFile:
    held = held_marks(file.format.tag_style, metadata.marks, metadata.sample_rate)
    duration_s = metadata.n_samples / metadata.sample_rate
    return OutputFile(file.final, file.format.name, duration_s, len(held), digest)


def _mastered(
    blocks: Callable[[], Iterable[Samples]], master: MasterPlan, sample_rate: int
) -> Iterator[Samples]:
    return apply(blocks(), master, sample_rate)


def _check_marks(marks: Sequence[Mark], n_samples: int) -> None:
    if marks and marks[-1].end != n_samples:
        raise ValueError(f"marks end at sample {marks[-1].end}, the audio at {n_samples}")


def _check_size(target: Target, metadata: EmbeddedMetadata) -> None:
    """Raise OutputTooLarge if the target's format cannot hold that much audio."""
    if FORMATS[target.format].tag_style is not TagStyle.AIFF:
        return
    if aiff_bytes(metadata, target.encoding.channels) > MAX_SIZE + HEAD_BYTES:
        hours = metadata.n_samples / metadata.sample_rate / 3600
        raise OutputTooLarge(
            f"{target.path.name}: {hours:.1f} hours of sound need more than the 4 GiB that an AIFF"
            " file can hold. Choose flac or wav, or a file for each chapter."
        )


@contextmanager
def _pending_file(
    target: Target, executable: str, metadata: EmbeddedMetadata
) -> Generator[PendingFile]:
    """Create the target's temporary file; remove it afterwards unless published."""
    file_format = FORMATS[target.format]
    options = dict(file_format.muxing)
    sample_rate, n_samples = metadata.sample_rate, metadata.n_samples
    with ExitStack() as stack:
        path = stack.enter_context(temporary_file(target.path))
        chapters = None
        if file_format.tag_style is TagStyle.MP4:  # mutagen cannot write these
            options |= _mp4_options(options, metadata)
            chapters = stack.enter_context(_chapters_file(target.path, metadata.marks, sample_rate))
        if file_format.encodes_in_regions:
            command = mux_command(executable, sample_rate, n_samples, path, options, chapters)
        else:
            options |= dict(_encoding_options(file_format, target.encoding))
            command = encode_command(executable, sample_rate, path, options, chapters)
        yield PendingFile(
            path, target.path, file_format, _encoding_options(file_format, target.encoding), command
        )


def _mp4_options(options: Mapping[str, str | int], metadata: EmbeddedMetadata) -> dict[str, str]:
    """The options that depend on the book: its language, and whether there is a Nero list.

    A list that cannot hold all chapters is left out: VLC, and others that find one, do not read the
    QuickTime track, which holds all.
    """
    language = {"metadata:s:a:0": f"language={three_letter_code(metadata.tags.language)}"}
    if len(metadata.marks) <= MAX_NERO_MARKS:
        return language
    return language | {"movflags": f"{options['movflags']}+disable_chpl"}


def _stream_tags(file_format: Format) -> dict[str, str]:
    """What ffmpeg writes into a new file besides what it is told: in Ogg, the encoder's name."""
    is_ogg = file_format.tag_style is TagStyle.OPUS
    return {"metadata:s:a:0": f"encoder=Lavc {file_format.encoder}"} if is_ogg else {}


@contextmanager
def _chapters_file(path: Path, marks: Sequence[Mark], sample_rate: int) -> Generator[Path | None]:
    """The marks as a temporary file for ffmpeg; None if there are none."""
    if not marks:
        yield None
        return
    with temporary_file(path) as temporary:
        with unwritable_errors(path):
            temporary.write_text(ffmetadata(marks, sample_rate), encoding="utf-8")
        yield temporary


def _encoding_options(file_format: Format, encoding: Encoding) -> Options:
    return encoding_options(file_format, encoding.bit_rate_kbps, encoding.bit_rate_mode)


def _pass_key(file_format: Format, encoding: Options) -> Options:
    """Files with equal keys share a pass; () for those that are not encoded in regions."""
    return encoding if file_format.encodes_in_regions else ()


def _encode_files(
    files: Sequence[PendingFile],
    executable: str,
    regions: Sequence[AudioRegion],
    sample_rate: int,
    context: EncodeContext | None,
) -> tuple[Levels, ...]:
    """Encode the regions into all files concurrently; exactly one of the passes measures them."""
    in_regions: dict[Options, list[PendingFile]] = {}
    for file in files:
        in_regions.setdefault(_pass_key(file.format, file.encoding), []).append(file)
    whole = in_regions.pop((), [])
    # The first pass in regions measures; without one, the single pass does.
    measured = next(iter(in_regions), None)
    meters = [] if in_regions else [LevelMeter(sample_rate)]
    levels: list[Levels] = []
    with ThreadGroup(context) as threads:
        single_pass = threads.start(_encode_in_one_pass, threads, whole, regions, meters)
        for encoding, alike in in_regions.items():
            is_measured, path = encoding == measured, alike[0].final
            settings = aac_settings(
                executable, sample_rate, encoding, path, is_measured=is_measured
            )
            _write(_packets(encode_regions(threads, regions, settings), levels), alike)
        single_pass.result()
    return (*levels, *(meter.measured() for meter in meters))


def _packets(regions: Iterable[EncodedRegion], levels: list[Levels]) -> Iterator[bytes]:
    """The packets of each region. Appends the region's levels to `levels`."""
    for region in regions:
        levels.extend(region.levels)
        yield region.packets


def _encode_in_one_pass(
    threads: ThreadGroup,
    files: Sequence[PendingFile],
    regions: Sequence[AudioRegion],
    meters: Sequence[LevelMeter],
) -> None:
    """Encode into files whose formats cannot be encoded in regions."""
    blocks = chain.from_iterable(checked(region) for region in regions)

    def pcm() -> Iterator[bytes]:
        for block in threads.until_cancelled(metered(blocks, meters)):
            yield to_pcm16(block)
            threads.advance(block.size)

    if files:
        _write(pcm(), files)


def _write(stream: Iterable[bytes], files: Sequence[PendingFile]) -> None:
    """Write all of `stream` to the ffmpeg of each file."""
    with ExitStack() as stack:
        encoders = [stack.enter_context(Encoder(file.command, file.final)) for file in files]
        for data in stream:
            for encoder in encoders:
                encoder.write(data)
        for encoder in encoders:  # close all first, so that they finish in parallel
            encoder.close()


def _tagged(file: PendingFile, metadata: EmbeddedMetadata) -> str:
    """Tag the file; return the hexadecimal SHA-256 of its final content."""
    try:
        tag(file.path, file.format.tag_style, metadata)
        with file.path.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise unwritable(file.final, error) from error
    except MutagenError as error:
        if isinstance(error.__context__, OSError):
            raise unwritable(file.final, error.__context__) from error
        raise EncoderFailed(
            f"{file.final.name} cannot be tagged ({one_line(str(error))}). "
            "Choose another format, or give the book a smaller cover."
        ) from error
