"""M4B and M4A: AAC in MP4, with iTunes atoms and freeform atoms, by mutagen.

Levels are measured with 11 minutes of espeak speech in five voices at -19, -16 and -14 LUFS, at 24
and 44.1 kHz, and with hours of it at 22.05 kHz, as those of the other codecs
(docs/design/levels.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audiomill.outputs.formats.format import (
    SAMPLE_RATES,
    CodecEffect,
    Effects,
    Format,
    Options,
    TagStyle,
    effect_at,
)

if TYPE_CHECKING:
    from audiomill.outputs.audio.file_sound import FileRegion
    from audiomill.outputs.formats.pending_file import PendingFile
    from audiomill.outputs.formats.region_codecs import FileStream, RegionCodec
    from audiomill.outputs.formats.region_tasks import RegionSettings
    from audiomill.outputs.formats.thread_group import ThreadGroup
    from audiomill.outputs.metadata.tags import EmbeddedMetadata
    from audiomill.outputs.types import Levels

# Measured with speech (docs/design/levels.md): at the same bit rate the fast coder leaves 3 to 7 dB
# less error below 8 kHz than the default coder, in under a third of the time. Without temporal
# noise shaping the error is lower still, and encoding faster. AAC has one mode, an average;
# ffmpeg's qualities of AAC are experimental.
AAC: Options = (
    *(("acodec", "aac"), ("audio_bitrate", "64k")),
    *(("aac_coder", "fast"), ("aac_tns", 0)),
)
MP4: Options = (("format", "ipod"), ("movflags", "+faststart"))
MEDIA_TYPE = "audio/mp4"
MAX_NERO_MARKS = 255  # the Nero list of an MP4 counts its chapters in one byte
_EFFECTS: Effects = (
    (96, CodecEffect(0.1)),
    (56, CodecEffect(0.3)),
    (40, CodecEffect(0.8)),
    (24, CodecEffect(0.8, -0.15)),
    (0, CodecEffect(1.4, -0.35)),
)
_AUDIOBOOK = 2  # iTunes' media kind
_FREEFORM = "----:com.apple.iTunes:"  # prefix of atoms with any name
# Those of iTunes, and of Audible for narrator and publisher. Some readers know only the freeform
# atom of these two.
_ATOMS = {
    "TITLE": ("\xa9nam",),
    "ALBUM": ("\xa9alb",),
    "ARTIST": ("\xa9ART",),
    "ALBUMARTIST": ("aART",),
    "COMPOSER": ("\xa9wrt",),
    "NARRATOR": ("\xa9nrt",),
    "GENRE": ("\xa9gen",),
    "DATE": ("\xa9day",),
    "DESCRIPTION": ("\xa9cmt", "desc", "ldes"),
    "COPYRIGHT": ("cprt",),
    "PUBLISHER": ("\xa9pub",),
    "GROUPING": ("\xa9grp",),
    "MOVEMENTNAME": ("\xa9mvn",),
    "ALBUMSORT": ("soal",),
    "TITLESORT": ("sonm",),
    "ARTISTSORT": ("soar",),
    "ALBUMARTISTSORT": ("soaa",),
    "TRACKNUMBER": (),  # trkn, of numbers
    "TRACKTOTAL": (),
    "DISCNUMBER": (),  # disk
    "DISCTOTAL": (),
}
_ONLY_ATOMS = _ATOMS.keys() - {"NARRATOR", "PUBLISHER"}


def aac_effect(kbps: int, _file_rate: int) -> CodecEffect:
    """The effect of ffmpeg's encoder of AAC on levels."""
    return effect_at(_EFFECTS, kbps)


def aac_codec() -> RegionCodec:
    """Regions are encoded into FLV and cut in silence; ffmpeg copies the packets into the file."""
    from audiomill.outputs.formats.aac_regions import aac_tasks
    from audiomill.outputs.formats.region_codecs import RegionCodec

    return RegionCodec(_joined, aac_tasks, (("format", "flv"),), _mux, corrects=True)


def _joined(
    threads: ThreadGroup,
    regions: Sequence[FileRegion],
    settings: RegionSettings,
    parts: list[Levels],
) -> Iterator[bytes]:
    from audiomill.outputs.formats.aac_regions import aac_tasks
    from audiomill.outputs.formats.region_tasks import encode_tasks

    for region in encode_tasks(threads, list(aac_tasks(regions, settings))):
        parts.append(region.levels)
        yield region.packets


def _mux(file: FileStream) -> list[str]:
    from audiomill.outputs.ffmpeg.commands import mux_command

    rate = file.sound.rates.file
    return mux_command(file.executable, rate, file.n_samples, file.path, file.muxing, file.chapters)


def _copy_audio(executable: str, source: Path, file: PendingFile) -> None:
    """The bit rate that was asked for is stored, too.

    MP4 is read as it is stored: its edit list would take packets away at both ends.
    """
    from audiomill.outputs.ffmpeg.commands import copy_command
    from audiomill.outputs.ffmpeg.decoding import output_of
    from audiomill.outputs.formats.pending_file import write_stream

    bit_rate = {key: value for key, value in file.encoding if key == "audio_bitrate"}
    options = {"format": "flv", **bit_rate}
    command = copy_command(executable, source, "pipe:1", options, {"ignore_editlist": 1})
    write_stream(output_of(command, source), [file])


def _muxing(muxing: Options, metadata: EmbeddedMetadata) -> Mapping[str, str | int]:
    """The options that depend on the book: its language, and whether there is a Nero list.

    A list that cannot hold all chapters is left out: VLC, and others that find one, do not read the
    QuickTime track, which holds all.
    """
    from audiomill.inputs.languages.codes import three_letter_code

    language = {"metadata:s:a:0": f"language={three_letter_code(metadata.tags.language)}"}
    if len(metadata.marks) <= MAX_NERO_MARKS:
        return language
    return language | {"movflags": f"{dict(muxing)['movflags']}+disable_chpl"}


def tag_mp4(path: Path, metadata: EmbeddedMetadata) -> None:
    """Tag an MP4 file. ffmpeg has already written the chapters: QuickTime track and Nero list."""
    import mutagen.mp4

    from audiomill.outputs.metadata.tags import texts_of

    file: Any = mutagen.mp4.MP4(path)
    if file.tags is None:
        file.add_tags()
    for name, text in texts_of(metadata.tags).items():
        _set(file, name, text)
    if metadata.tags.track:
        file["trkn"] = [(metadata.tags.track, metadata.tags.n_tracks)]
    if metadata.tags.disc:
        file["disk"] = [(metadata.tags.disc, metadata.tags.n_discs)]
    file[_FREEFORM + "iTunSMPB"] = [_freeform(_gapless(metadata.n_samples))]
    file["stik"] = [_AUDIOBOOK]
    file["pgap"] = True
    if metadata.cover is not None:
        png = metadata.cover.media_type == "image/png"
        kind = mutagen.mp4.MP4Cover.FORMAT_PNG if png else mutagen.mp4.MP4Cover.FORMAT_JPEG
        file["covr"] = [mutagen.mp4.MP4Cover(metadata.cover.data, kind)]
    file.save()


def _set(file: Any, name: str, text: str) -> None:
    if name == "MOVEMENT":
        file["\xa9mvi"] = [int(text)]
        file["shwm"] = [1]  # players show the movement, which is the series
        return
    for atom in _ATOMS.get(name, ()):
        file[atom] = [text]
    if name not in _ONLY_ATOMS:
        file[_FREEFORM + name] = [_freeform(text.encode())]


def _freeform(value: bytes) -> Any:
    from mutagen.mp4 import MP4FreeForm

    return MP4FreeForm(value)


def _gapless(n_samples: int) -> bytes:
    """The value of iTunSMPB: priming, padding, and sample count, equal to those of the edit list.

    The priming is one frame.
    """
    from audiomill.outputs.ffmpeg.flv import AAC_FRAME

    padding = -(AAC_FRAME + n_samples) % AAC_FRAME
    return f" 00000000 {AAC_FRAME:08X} {padding:08X} {n_samples:016X}{' 00000000' * 8}".encode()


# mutagen cannot write chapters.
MP4_TAGS = TagStyle(
    *("MP4", "MP4 atoms", tag_mp4),
    copy_audio=_copy_audio,
    muxing=_muxing,
    has_ffmpeg_chapters=True,
)
M4A = Format(
    *("m4a", ".m4a", "aac", MP4_TAGS, AAC, MP4, MEDIA_TYPE, aac_codec, aac_effect),
    container="mp4",
    codec="aac",
    sample_rates=SAMPLE_RATES,
)
M4B = replace(M4A, name="m4b", suffix=".m4b", muxing=(*M4A.muxing, ("brand", "M4B ")))
