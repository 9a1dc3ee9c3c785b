"""The declaration of an output format. Each format has a file of its own beside this one.

A declaration is data and functions that load what they need when they are called, so that `--help`
lists the formats in milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from audiomill.outputs.metadata.chapters import Mark

if TYPE_CHECKING:
    from audiomill.outputs.formats.mp3_walk import Mp3Frames
    from audiomill.outputs.formats.pending_file import PendingFile
    from audiomill.outputs.formats.region_codecs import RegionCodec
    from audiomill.outputs.metadata.tags import EmbeddedMetadata
    from audiomill.renderers.engine.protocol import Samples

Options = tuple[tuple[str, str | int], ...]
BitRateMode: TypeAlias = Literal["cbr", "vbr"]
# In Hz, of files: those that MP3 and AAC have.
SAMPLE_RATES = (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000)


@dataclass(frozen=True, slots=True)
class Encoding:
    """How the audio of a file is encoded. Field names are part of a fingerprint."""

    sample_rate: int | None = None  # Hz; None: the voice's own
    channels: int = 1  # 2: the same sound in both
    bit_rate_kbps: int | None = None  # None: the format's own
    bit_rate_mode: BitRateMode | None = None  # None: the format's own
    joint_stereo: bool = True  # an MP3 of two channels may store their sum and their difference


@dataclass(frozen=True, slots=True)
class CodecEffect:
    """How much higher true peaks are after encoding, and the level, in decibels."""

    peak_db: float = 0.0
    level_db: float = 0.0


# From which bit rate in kbps an effect applies, the highest rate first. A variable bit rate counts
# as the lowest.
Effects = tuple[tuple[int, CodecEffect], ...]


def _all_marks(marks: Sequence[Mark], _sample_rate: int) -> Sequence[Mark]:
    return marks


def _copied_packets(executable: str, source: Path, file: PendingFile) -> None:
    from audiomill.outputs.ffmpeg.commands import copy_command
    from audiomill.outputs.ffmpeg.ffmpeg import Encoder

    command = copy_command(executable, source, file.path, dict(file.format.muxing))
    with Encoder(command, file.final):
        pass  # it reads the source itself


def _no_muxing(_muxing: Options, _metadata: EmbeddedMetadata) -> Mapping[str, str | int]:
    return {}


def _any_size(_path: Path, _metadata: EmbeddedMetadata, _n_channels: int) -> None:
    pass


@dataclass(frozen=True, slots=True, repr=False)
class TagStyle:
    """How a container stores tags, cover and chapters.

    `write` tags an encoded file; it raises OSError or mutagen.MutagenError. `held_marks` are the
    marks that it has room for, of those of a book at a sample rate. `copy_audio` makes a file as
    its encoder would leave it of a finished one, with ffmpeg at the path that is given. `muxing`
    are the options of ffmpeg that depend on the book. `check_size` raises
    OutputTooLarge for a file with that metadata and number of channels that has no room for it.
    """

    name: str
    title: str
    write: Callable[[Path, EmbeddedMetadata], None]
    held_marks: Callable[[Sequence[Mark], int], Sequence[Mark]] = _all_marks
    copy_audio: Callable[[str, Path, PendingFile], None] = _copied_packets
    muxing: Callable[[Options, EmbeddedMetadata], Mapping[str, str | int]] = _no_muxing
    has_ffmpeg_chapters: bool = False  # written with the audio, not with the tags
    check_size: Callable[[Path, EmbeddedMetadata, int], None] = _any_size

    def __repr__(self) -> str:
        """As an entry of an enumeration, which the fingerprints of finished files have."""
        return f"<TagStyle.{self.name}: {self.title!r}>"


def _nothing(_path: Path) -> None:
    pass


def _no_bytes(_path: Path) -> int:
    return 0


def _no_lack(_path: Path) -> bool:
    return False


class SampleDigest(Protocol):
    """The digest of samples as they are decoded, and the one that a file promises."""

    def add(self, block: Samples) -> None:
        """Take in the next samples, [n, channels]."""
        ...

    @property
    def is_as_promised(self) -> bool:
        """Whether the samples are those of which the file was made."""
        ...


@dataclass(frozen=True, slots=True)
class IntegrityChecks:
    """How a container tells whether a file is whole. All raise OSError.

    `sample_digest` is the digest of the samples that the header promises, to be compared with what
    is decoded. `missing_bytes` are those of sound that the header promises and the file has not.
    """

    walk_frames: Callable[[Path], Mp3Frames | None] = _nothing
    sample_digest: Callable[[Path], SampleDigest | None] = _nothing
    missing_bytes: Callable[[Path], int] = _no_bytes
    lacks_last_page: Callable[[Path], bool] = _no_lack


def _no_effect(_kbps: int, _file_rate: int) -> CodecEffect:
    return CodecEffect()


def _no_options(_encoding: Encoding) -> dict[str, str | int]:
    return {}


@dataclass(frozen=True, slots=True)
class Format:
    """An output format. `encoding` and `muxing` are ffmpeg output options.

    The resume logic stores a fingerprint of the first six fields by `repr`: a renamed one, or a
    changed option, makes finished files look outdated. `load_codec` gives how regions are encoded
    and joined. `effect` is what the encoder does to levels, at a bit rate in kbps (0: lossless) and
    a sample rate. `mode_options` are those of the channels and of the bit rate's mode.
    """

    name: str  # the value of `--format`
    suffix: str
    encoder: str  # ffmpeg's name
    tag_style: TagStyle
    encoding: Options
    muxing: Options
    media_type: str = field(repr=False)
    load_codec: Callable[[], RegionCodec] = field(repr=False)
    effect: Callable[[int, int], CodecEffect] = field(default=_no_effect, repr=False)
    mode_options: Callable[[Encoding], dict[str, str | int]] = field(
        default=_no_options, repr=False
    )
    most_kbps: int | None = field(default=None, repr=False)  # of one channel; more is refused
    # The sample rates in Hz that the encoder takes; empty: any. Another one is raised to the next.
    sample_rates: tuple[int, ...] = field(default=(), repr=False)
    least_samples: int = field(default=1, repr=False)
    # ffmpeg's names of what it reads: "mp4", "ogg"; "aac", "pcm".
    container: str = field(repr=False, kw_only=True)
    codec: str = field(repr=False, kw_only=True)
    integrity: IntegrityChecks = field(default=IntegrityChecks(), repr=False, kw_only=True)
    # In a cue sheet. What has no name there is called WAVE, whatever it is.
    cue_type: str = field(default="WAVE", repr=False)

    @property
    def is_lossy(self) -> bool:
        """Whether it is encoded at a bit rate."""
        return kbps_of(self.encoding) > 0

    @property
    def holds_all_marks(self) -> bool:
        """Whether a file has room for the marks of any number of chapters."""
        return self.tag_style.held_marks is _all_marks


def lossless_codec() -> RegionCodec:
    """Regions stay samples, which are encoded with the file."""
    from audiomill.outputs.formats.region_codecs import LOSSLESS

    return LOSSLESS


def encoding_options(entry: Format, encoding: Encoding) -> Options:
    """The options of a bit rate, its mode and its channels; of lossless formats, their own."""
    options = dict(entry.encoding)
    if not entry.is_lossy:
        return entry.encoding
    if (kbps := encoding.bit_rate_kbps) is not None:
        most = kbps if entry.most_kbps is None else entry.most_kbps * encoding.channels
        options["audio_bitrate"] = f"{min(kbps, most)}k"
    return tuple({**options, **entry.mode_options(encoding)}.items())


def codec_effect(entry: Format, options: Options, file_rate: int) -> CodecEffect:
    """The effect on levels of encoding with these options, at the sample rate of the file."""
    return entry.effect(kbps_of(options), file_rate)


def effect_at(effects: Effects, kbps: int, more_db: float = 0.0) -> CodecEffect:
    """The effect at a bit rate, with peaks that are higher by `more_db`."""
    effect = next(effect for from_kbps, effect in effects if kbps >= from_kbps)
    return replace(effect, peak_db=effect.peak_db + more_db)


def kbps_of(options: Options) -> int:
    """The bit rate that options name; 0 if they name none."""
    return int(str(dict(options).get("audio_bitrate", "0k")).removesuffix("k"))
