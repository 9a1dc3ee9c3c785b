"""Encodes audio into finished files, in any number of formats at once. Knows no DSP and no book.

    regions ─┬─▶ ffmpeg ─▶ .NAME.3f9a01c2.part ─▶ tags ─▶ NAME
             └─▶ ffmpeg ─▶ .NAME.88b0d1e4.part ─▶ tags ─▶ NAME in another format

All formats are encoded in parallel regions, which are joined (`region_codecs.py`). Files whose
stream is the same share a pass. What was encoded is measured; a file that is not what its plan aims
at is encoded once more. A file appears under its name whole or not at all.

A finished file gets other metadata without encoding: its packets are copied.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from audiomill.inputs.model.book import Cover
from audiomill.outputs.audio.file_sound import AudioRegion, FileSound, file_regions
from audiomill.outputs.audio.mastering import MasterPlan
from audiomill.outputs.audio.true_peak import true_peak_dbtp
from audiomill.outputs.ffmpeg.find_ffmpeg import find_ffmpeg
from audiomill.outputs.files import Announce, publish
from audiomill.outputs.formats.format import Format, Options
from audiomill.outputs.formats.pending_file import (
    PendingFile,
    Target,
    check_marks,
    pending_file,
    write_stream,
    write_tags,
)
from audiomill.outputs.formats.region_codecs import RegionCodec
from audiomill.outputs.formats.registry import FORMATS
from audiomill.outputs.formats.thread_group import EncodeContext, ThreadGroup
from audiomill.outputs.metadata.chapters import Mark
from audiomill.outputs.metadata.tags import EmbeddedMetadata, Tags
from audiomill.outputs.types import EncodedOutput, FileLevels, Levels, OutputFile

PassKey = tuple[RegionCodec, FileSound, Options]
FilesLevels = dict[Path, FileLevels]  # by the temporary path of a file


def n_passes(targets: Iterable[Target], sample_rate: int) -> int:
    """How often `encode` reads the whole audio, of this rate, to write the targets."""
    return len(
        {_pass_key(FORMATS[one.format], one.sound(sample_rate), one.options) for one in targets}
    )


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

    As many regions are encoded at a time as the context has cores. The same samples give the same
    bytes with the same ffmpeg.
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
        finished = tuple(file.finished(write_tags(file)) for file in files)
        encoded = EncodedOutput(finished, tuple(levels[file.path] for file in files))
        publish({file.path: file.final for file in files}, context.announce(encoded))
    return encoded


def _pass_key(entry: Format, sound: FileSound, options: Options) -> PassKey:
    """Files with equal keys share a pass."""
    codec = entry.load_codec()
    return codec, sound, codec.pass_options(options)


def _encode_files(
    files: Sequence[PendingFile],
    regions: Sequence[AudioRegion],
    context: EncodeContext,
) -> FilesLevels:
    """Encode the regions into all files concurrently; return the levels of each."""
    passes: dict[PassKey, list[PendingFile]] = {}
    for file in files:
        key = _pass_key(file.format, file.sound, file.encoding)
        passes.setdefault(key, []).append(file)
    levels: FilesLevels = {}
    with ThreadGroup(context) as threads:
        started = [
            threads.start_pass(_checked_pass, threads, alike, regions, sound)
            for (_, sound, _), alike in passes.items()
        ]
        for one in started:
            levels |= one.result()
    return levels


def _checked_pass(
    threads: ThreadGroup,
    files: Sequence[PendingFile],
    regions: Sequence[AudioRegion],
    sound: FileSound,
) -> FilesLevels:
    """Encode the files; those that are not what their plan aims at once more, with another plan."""
    levels = _encode_pass(threads, files, regions, sound)
    if sound.master is None:
        return levels
    again: dict[MasterPlan, list[PendingFile]] = {}
    for file in files:
        corrected = _corrected(sound.master, levels[file.path], file)
        if corrected != sound.master:
            again.setdefault(corrected, []).append(file)
    for master, alike in again.items():
        threads.add_work(sum(region.n_samples for region in regions))
        levels |= _encode_pass(threads, alike, regions, replace(sound, master=master))
    return levels


def _corrected(master: MasterPlan, levels: FileLevels, file: PendingFile) -> MasterPlan:
    """The plan that makes the file what it has to be; the same if it is."""
    corrected = master.corrected_gain(part.loudness for part in levels.parts)
    if file.codec.corrects_regions(file.encoding):  # which have been encoded again, one by one
        return corrected
    return corrected.corrected_ceiling(true_peak_dbtp(part.true_peak for part in levels.parts))


def _encode_pass(
    threads: ThreadGroup,
    files: Sequence[PendingFile],
    regions: Sequence[AudioRegion],
    sound: FileSound,
) -> FilesLevels:
    """Encode the regions, join them, and make the files of what is joined."""
    first, parts = files[0], list[Levels]()
    codec, rate = first.codec, first.codec.measured_hz or sound.rates.file
    settings = codec.settings(first.executable, sound, first.encoding, first.final)
    whole = list(file_regions(regions, sound))
    write_stream(codec.join(threads, whole, settings, parts), files)
    return {file.path: _levels(parts, rate, sound) for file in files}


def _levels(parts: Iterable[Levels], sample_rate: int, sound: FileSound) -> FileLevels:
    return FileLevels(tuple(parts), sample_rate, sound.master.gain_db if sound.master else 0.0)


def retag(
    source: Path,
    target: Target,
    metadata: EmbeddedMetadata,
    *,
    announce: Announce | None = None,
    ffmpeg: str | Path | None = None,
) -> OutputFile:
    """Copy a file that `encode` made to `target`, with other metadata; its audio stays as it is.

    The new file is, byte for byte, what `encode` would make with that metadata, which is at the
    rate of the joined audio. The marks may have other titles, but not other times. `source` may be
    the target's own path. `announce` is told of the file before it appears; without it, whatever is
    at the path is replaced.

    Raises EncoderMissing, EncoderFailed, OutputOccupied, OutputUnwritable; ValueError if the last
    mark does not end with the audio.
    """
    executable = find_ffmpeg(ffmpeg)
    check_marks(metadata.marks, metadata.n_samples)
    with pending_file(target, executable, metadata) as file:
        file.format.tag_style.copy_audio(executable, source, file)
        finished = file.finished(write_tags(file))
        own = {file.final: announce(finished)} if announce else None
        publish({file.path: file.final}, own)
    return finished
