"""Mastered audio into finished files of any number of formats. Knows no DSP, no book.

    stretches ─┬─▶ passes ─▶ .Title.m4b.3f9a01c2.part ─▶ tagged ─▶ Title.m4b
               └─▶ passes ─▶ .Title.mp3.88b0d1e4.part ─▶ tagged ─▶ Title.mp3

A file appears under its name whole or not at all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

from mutagen import MutagenError

from audiomill.inputs.book import Cover
from audiomill.inputs.languages import three_letters
from audiomill.outputs.audio.mastering import LevelMeter, MasterPlan, apply, metered
from audiomill.outputs.encoding.commands import encode_command, mux_command
from audiomill.outputs.encoding.ffmpeg import Encoder, find_ffmpeg
from audiomill.outputs.encoding.parallel_aac import (
    AudioChunk,
    EncodedChunk,
    aac_settings,
    checked,
    encode_chunks,
    to_pcm16,
)
from audiomill.outputs.files import blamed_on, part_of, publish, unwritable
from audiomill.outputs.formats import FORMATS, Format, Options, TagStyle
from audiomill.outputs.metadata.chapters import Mark, ffmetadata
from audiomill.outputs.metadata.tags import Tags
from audiomill.outputs.metadata.writers import Labels, tag
from audiomill.outputs.text import one_line
from audiomill.outputs.types import EncoderFailed, Levels, OutputFile, Recorded
from audiomill.renderers.base import Samples
from audiomill.renderers.host.threads import EncodeContext, ThreadGroup

# Samples into ffmpegs:


@dataclass(frozen=True, slots=True)
class PendingFile:
    """A file while it is made, what it will be, and ffmpeg's command that writes it."""

    path: Path
    final: Path
    kind: Format
    command: list[str]


def n_passes(formats: Iterable[str]) -> int:
    """How often `encode` asks for all of the audio to make files of these formats."""
    return len({_pass_of(FORMATS[name]) for name in formats})


def _pass_of(kind: Format) -> Options:
    """What the formats that are fed together have in common; () for those in a single piece."""
    return kind.encoding if kind.is_piecewise else ()


def fill(
    parts: Sequence[PendingFile],
    executable: str,
    stretches: Sequence[AudioChunk],
    sample_rate: int,
    commission: EncodeContext | None,
) -> tuple[Levels, ...]:
    """Encode the stretches into all parts at once; one of the passes measures them."""
    passes: dict[Options, list[PendingFile]] = {}
    for part in parts:
        passes.setdefault(_pass_of(part.kind), []).append(part)
    in_one_pass = passes.pop((), [])
    # The first pass by pieces measures; where there is none, the one over the whole.
    measuring = next(iter(passes), None)
    meters = [] if passes else [LevelMeter(sample_rate)]
    levels: list[Levels] = []
    with ThreadGroup(commission) as hands:
        whole = hands.start(_in_one_pass, hands, in_one_pass, stretches, meters)
        for encoding, alike in passes.items():
            is_measured, path = encoding == measuring, alike[0].final
            how = aac_settings(executable, sample_rate, encoding, path, is_measured=is_measured)
            _write(_packets(encode_chunks(hands, stretches, how), levels), alike)
        whole.result()
    return (*levels, *(meter.measured() for meter in meters))


def _packets(pieces: Iterable[EncodedChunk], levels: list[Levels]) -> Iterator[bytes]:
    """The pieces' packets; how they measured is added to `levels`."""
    for piece in pieces:
        levels.extend(piece.levels)
        yield piece.packets


def _in_one_pass(
    hands: ThreadGroup,
    parts: Sequence[PendingFile],
    stretches: Sequence[AudioChunk],
    meters: Sequence[LevelMeter],
) -> None:
    """Encode into parts of formats that cannot be put together from pieces."""
    blocks = chain.from_iterable(checked(stretch) for stretch in stretches)

    def pcm() -> Iterator[bytes]:
        for block in hands.until_cancelled(metered(blocks, meters)):
            yield to_pcm16(block)
            hands.advance(block.size)

    if parts:
        _write(pcm(), parts)


def _write(stream: Iterable[bytes], parts: Sequence[PendingFile]) -> None:
    """Give all of `stream` to every part's ffmpeg."""
    with ExitStack() as stack:
        encoders = [stack.enter_context(Encoder(part.command, part.final)) for part in parts]
        for data in stream:
            for encoder in encoders:
                encoder.write(data)
        for encoder in encoders:  # all finish at the same time, not one after the other
            encoder.close()


@dataclass(frozen=True, slots=True)
class Target:
    """A file to be made: a name in FORMATS, and where it goes, over what may be there."""

    format: str
    path: Path


def encode(
    stretches: Sequence[AudioChunk],
    sample_rate: int,
    targets: Sequence[Target],
    marks: Sequence[Mark],
    tags: Tags,
    cover: Cover | None = None,
    *,
    commission: EncodeContext | None = None,
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
) -> Generator[PendingFile]:
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
        yield PendingFile(path, target.path, kind, command)


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


def _labelled(part: PendingFile, labels: Labels) -> str:
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


# A recording's second pass:


@dataclass(frozen=True, slots=True)
class FileMetadata:
    """All that is written into a recording's files beside its audio."""

    marks: tuple[Mark, ...]
    tags: Tags
    cover: Cover | None


def encode_stream(
    stretches: Sequence[AudioChunk],
    sample_rate: int,
    master: MasterPlan,
    sleeve: FileMetadata,
    targets: Sequence[Target],
    commission: EncodeContext | None = None,
) -> Recorded:
    """Stretches of joined audio through the mastering into every target.

    Raises EncoderMissing, EncoderFailed, OutputUnwritable.
    """
    mastered = [
        AudioChunk(one.n_samples, partial(_mastered, one.blocks, master, sample_rate))
        for one in stretches
    ]
    marks, tags, cover = sleeve.marks, sleeve.tags, sleeve.cover
    return encode(mastered, sample_rate, targets, marks, tags, cover, commission=commission)


def _mastered(
    blocks: Callable[[], Iterable[Samples]], master: MasterPlan, sample_rate: int
) -> Iterator[Samples]:
    return apply(blocks(), master, sample_rate)
