"""Encodes audio into finished files, in any number of formats at once. Knows no DSP and no book.

    regions ─┬─▶ ffmpeg ─▶ .Title.m4b.3f9a01c2.part ─▶ tags ─▶ Title.m4b
             └─▶ ffmpeg ─▶ .Title.mp3.88b0d1e4.part ─▶ tags ─▶ Title.mp3

AAC is encoded in parallel regions (`parallel_aac.py`). Other formats that sound alike share a pass
over the whole audio. What was encoded is measured; a file that is not what its plan aims at is
encoded once more. A file appears under its name whole or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from audiomill.inputs.book import Cover
from audiomill.outputs.audio.mastering import MasterPlan
from audiomill.outputs.audio.true_peak import true_peak_dbtp
from audiomill.outputs.encoding.codec_effects import kbps_of
from audiomill.outputs.encoding.find_ffmpeg import find_ffmpeg
from audiomill.outputs.encoding.parallel_aac import aac_settings, encode_regions
from audiomill.outputs.encoding.pending_file import (
    PendingFile,
    Target,
    check_marks,
    pending_file,
    tagged,
    write_stream,
)
from audiomill.outputs.encoding.sound import AudioRegion, FileSound, file_regions, to_pcm16
from audiomill.outputs.encoding.thread_group import EncodeContext, ThreadGroup
from audiomill.outputs.files import publish
from audiomill.outputs.formats import FORMATS, Options
from audiomill.outputs.metadata.chapters import Mark
from audiomill.outputs.metadata.embedded import EmbeddedMetadata
from audiomill.outputs.metadata.tags import Tags
from audiomill.outputs.types import EncodedOutput, FileLevels, Levels

LEAST_REGION_KBPS = 32  # below it, a file's level and its peaks are corrected together
PassKey = tuple[FileSound, Options]  # options only of formats that are encoded in regions
FilesLevels = dict[Path, FileLevels]  # by the temporary path of a file


@dataclass(frozen=True, slots=True)
class FileMetadata:
    """What is written into the files of one output besides the audio."""

    marks: tuple[Mark, ...]
    tags: Tags
    cover: Cover | None


def n_passes(targets: Iterable[Target], sample_rate: int) -> int:
    """How often `encode` reads the whole audio, of this rate, to write the targets."""
    return len({_pass_key(one.format, one.sound(sample_rate), one.options) for one in targets})


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
    encoded in one pass, at the speed of the slowest encoder. The same samples give the same bytes
    with the same ffmpeg.
    Either all files appear or, unless the last renaming fails, none.

    Raises EncoderMissing, EncoderFailed, OutputUnwritable, OutputTooLarge; ValueError if the last
    mark does not end with the audio.
    """
    context = context or EncodeContext()
    executable = find_ffmpeg(ffmpeg, [FORMATS[target.format].encoder for target in targets])
    n_samples = sum(region.n_samples for region in regions)
    check_marks(marks, n_samples)
    metadata = EmbeddedMetadata(tags, marks, sample_rate, n_samples, cover)
    with ExitStack() as stack:
        files = [
            stack.enter_context(pending_file(target, executable, metadata)) for target in targets
        ]
        levels = _encode_files(files, regions, context)
        finished = tuple(file.finished(tagged(file)) for file in files)
        encoded = EncodedOutput(finished, tuple(levels[file.path] for file in files))
        publish({file.path: file.final for file in files}, context.announce(encoded))
    return encoded


def _pass_key(format_name: str, sound: FileSound, options: Options) -> PassKey:
    """Files with equal keys share a pass."""
    return sound, options if FORMATS[format_name].encodes_in_regions else ()


def _encode_files(
    files: Sequence[PendingFile],
    regions: Sequence[AudioRegion],
    context: EncodeContext,
) -> FilesLevels:
    """Encode the regions into all files concurrently; return the levels of each."""
    in_regions: dict[PassKey, list[PendingFile]] = {}
    whole: dict[PassKey, list[PendingFile]] = {}
    for file in files:
        passes = in_regions if file.format.encodes_in_regions else whole
        key = _pass_key(file.format.name, file.sound, file.encoding)
        passes.setdefault(key, []).append(file)
    levels: FilesLevels = {}
    with ThreadGroup(context) as threads:
        started = [
            threads.start(_checked_pass, _whole_pass, threads, alike, regions, sound)
            for (sound, _), alike in whole.items()
        ]
        for (sound, _), alike in in_regions.items():
            levels |= _checked_pass(_aac_pass, threads, alike, regions, sound)
        for one in started:
            levels |= one.result()
    return levels


def _checked_pass(
    encode_pass: Callable[..., FilesLevels],
    threads: ThreadGroup,
    files: Sequence[PendingFile],
    regions: Sequence[AudioRegion],
    sound: FileSound,
) -> FilesLevels:
    """Encode the files; those that are not what their plan aims at once more, with another plan."""
    levels = encode_pass(threads, files, regions, sound)
    if sound.master is None:
        return levels
    again: dict[MasterPlan, list[PendingFile]] = {}
    for file in files:
        corrected = _corrected(sound.master, levels[file.path], file)
        if corrected != sound.master:
            again.setdefault(corrected, []).append(file)
    for master, alike in again.items():
        threads.add_work(sum(region.n_samples for region in regions))
        levels |= encode_pass(threads, alike, regions, replace(sound, master=master))
    return levels


def _corrected(master: MasterPlan, levels: FileLevels, file: PendingFile) -> MasterPlan:
    """The plan that makes the file what it has to be; the same if it is."""
    corrected = master.corrected_gain(part.loudness for part in levels.parts)
    if _corrects_regions(file):  # which have been encoded again, one by one
        return corrected
    return corrected.corrected_ceiling(true_peak_dbtp(part.true_peak for part in levels.parts))


def _corrects_regions(file: PendingFile) -> bool:
    """Whether a region whose peaks are over the ceiling is encoded again at once.

    At a low bit rate most regions would be, and then the whole file once more for its level.
    """
    return file.format.encodes_in_regions and kbps_of(file.encoding) >= LEAST_REGION_KBPS


def _aac_pass(
    threads: ThreadGroup,
    files: Sequence[PendingFile],
    regions: Sequence[AudioRegion],
    sound: FileSound,
) -> FilesLevels:
    """Encode into files of AAC, in regions."""
    parts: list[Levels] = []
    first, rate = files[0], sound.rates.file
    settings = aac_settings(
        first.command[0],
        rate,
        sound.channels,
        first.encoding,
        first.final,
        corrects=_corrects_regions(first),
    )

    def packets() -> Iterator[bytes]:
        for region in encode_regions(threads, file_regions(regions, sound), settings):
            parts.append(region.levels)
            yield region.packets

    write_stream(packets(), files)
    return {file.path: _levels(parts, rate, sound) for file in files}


def _whole_pass(
    threads: ThreadGroup,
    files: Sequence[PendingFile],
    regions: Sequence[AudioRegion],
    sound: FileSound,
) -> FilesLevels:
    """Encode into files whose formats cannot be encoded in regions."""
    with ExitStack() as stack:
        meters = [stack.enter_context(file.meter()) for file in files]

        def pcm() -> Iterator[bytes]:
            for region in file_regions(regions, sound):
                for block in threads.until_cancelled(region.blocks()):
                    for meter in meters:
                        meter.add(block)
                    yield to_pcm16(block, sound.channels)
                threads.advance(region.audio.n_samples)

        write_stream(pcm(), files)
        measured = [_levels([meter.finish()], meter.sample_rate, sound) for meter in meters]
    return {file.path: levels for file, levels in zip(files, measured, strict=True)}


def _levels(parts: Iterable[Levels], sample_rate: int, sound: FileSound) -> FileLevels:
    return FileLevels(tuple(parts), sample_rate, sound.master.gain_db if sound.master else 0.0)
