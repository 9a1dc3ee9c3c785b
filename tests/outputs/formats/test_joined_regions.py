"""MP3 and Opus that are encoded in regions are what one encoder makes of the whole."""

import io
from pathlib import Path

import numpy as np
import pytest
from mutagen.ogg import OggPage

from audiomill.outputs.audio.file_sound import AudioRegion
from audiomill.outputs.ffmpeg.decoding import decode
from audiomill.outputs.formats import mp3_regions, region_codecs
from audiomill.outputs.formats.encoder import encode
from audiomill.outputs.formats.format import Encoding
from audiomill.outputs.formats.mp3_frames import contents, mp3_frames
from audiomill.outputs.formats.opus_regions import OpusHeaders, opus_pages, read_packets
from audiomill.outputs.formats.pending_file import Target
from audiomill.renderers.engine.protocol import Samples
from support.encoded_files import LOSSLESS
from support.signals_data import voice
from support.tags_data import BOOK_TAGS

RATE = 24000
LENGTHS = (2.1, 0.4, 1.3, 1.4)  # the second region is shorter than what overlaps


def parts() -> list[Samples]:
    """Regions of speech with silence after each, as all regions have."""
    pauses = [np.zeros(round(RATE * pause_s), np.float32) for pause_s in (0.4, 0.4, 0.4, 0.7)]
    spoken = [voice(length_s, RATE, seed=i) for i, length_s in enumerate(LENGTHS)]
    return [np.concatenate(both) for both in zip(spoken, pauses, strict=True)]


def encoded(parts: list[Samples], path: Path, encoding: Encoding) -> Samples:
    """The file of these regions, decoded."""
    regions = [AudioRegion(one.size, lambda one=one: [one[:999], one[999:]]) for one in parts]
    encode(regions, RATE, [Target(path.suffix[1:], path, encoding)], [], BOOK_TAGS)
    return np.concatenate(list(decode(path)))


@pytest.mark.prove
@pytest.mark.parametrize(
    "encoding",
    [
        Encoding(None, 1, 96),
        Encoding(22050, 1, 64),
        Encoding(44100, 2, 192),
        Encoding(44100, 1, 64, bit_rate_mode="vbr"),
    ],
    ids=str,
)
def test_mp3_in_regions_is_heard_as_one_stream(tmp_path, monkeypatch, encoding):
    """Bit for bit, even if a pre-roll is too short for an encoder to get into the same state."""
    whole = encoded([np.concatenate(parts())], tmp_path / "whole.mp3", encoding)
    for pre_roll_s in (2.0, -1.0):
        monkeypatch.setattr(mp3_regions, "PRE_ROLL_S", pre_roll_s)
        in_regions = encoded(parts(), tmp_path / f"{pre_roll_s}.mp3", encoding)
        np.testing.assert_array_equal(in_regions, whole)
    sizes = {path.stat().st_size for path in tmp_path.iterdir()}
    assert len(sizes) == 1


def test_frames_differ_in_what_a_decoder_gets_only(tmp_path):
    """Ancillary data are not compared; everything else is, to the last bit of a frame."""
    path = tmp_path / "x.mp3"
    encoded(parts()[:1], path, Encoding(None, 1, 96))
    stream = path.read_bytes()
    frames = mp3_frames(stream[stream.index(b"\xff\xf3") :])
    n = len(frames) // 2
    own = contents(frames, 0, len(frames))
    for at in range(4, len(frames[n])):
        changed = bytearray(frames[n])
        changed[at] ^= 0x10
        others = contents([*frames[:n], bytes(changed), *frames[n + 1 :]], 0, len(frames))
        is_ancillary = others == own
        assert is_ancillary or any(a != b for a, b in zip(own, others, strict=True))
        if at < 4 + 9:  # side information
            assert not is_ancillary
    with pytest.raises(ValueError, match="no whole frame"):
        mp3_frames(b"".join(frames)[:-1])


@pytest.mark.prove
@pytest.mark.parametrize(
    ("encoding", "tone_db"), [(Encoding(None, 1, 32), None), (Encoding(48000, 2, 64), -60.0)]
)
def test_opus_in_regions_is_as_near_to_the_sound_as_one_stream(tmp_path, encoding, tone_db):
    """Around the joins, too; and as long, to the sample and the packet."""
    own = [
        np.concatenate((voice(1, RATE, seed=i), np.zeros(RATE // 2, np.float32))) for i in (1, 2)
    ]
    files = {"regions.opus": own, "whole.opus": [np.concatenate(own)], "exact.wav": own}
    decoded: dict[str, Samples] = {}
    for name, regions in files.items():
        path = tmp_path / name
        audio = [AudioRegion(one.size, lambda one=one: [one]) for one in regions]
        rate = 48000 if name == "exact.wav" else encoding.sample_rate
        wanted = Encoding(
            rate, 1 if name == "exact.wav" else encoding.channels, encoding.bit_rate_kbps
        )
        encode(audio, RATE, [Target(path.suffix[1:], path, wanted, tone_db=tone_db)], [], BOOK_TAGS)
        decoded[name] = np.concatenate(list(decode(path, sample_rate=48000)))
    assert {one.size for one in decoded.values()} == {3 * 48000}
    counts = [
        len(list(read_packets(io.BytesIO((tmp_path / name).read_bytes()))))
        for name in ("regions.opus", "whole.opus")
    ]
    assert counts[0] == counts[1]
    for window in (slice(48000, 3 * 24000), slice(3 * 24000, 2 * 48000)):
        errors = [
            np.mean((decoded[name][window] - decoded["exact.wav"][window]) ** 2) + 1e-10
            for name in ("regions.opus", "whole.opus")
        ]
        assert errors[0] < 1.6 * errors[1]


@pytest.mark.parametrize("name", LOSSLESS)
def test_lossless_regions_too_long_for_memory_give_the_same_file(tmp_path, monkeypatch, name):
    kept, streamed = tmp_path / f"kept.{name}", tmp_path / f"streamed.{name}"
    encoded(parts(), kept, Encoding(44100, 2))
    monkeypatch.setattr(region_codecs, "MAX_REGION_S", 1.0)
    encoded(parts(), streamed, Encoding(44100, 2))
    assert kept.read_bytes() == streamed.read_bytes()


def test_pages_of_opus_hold_any_packets_and_count_their_samples():
    sizes = [1, 254, 255, 256, 510, 1275, 5000] + [700] * 300
    packets = [bytes([i % 251]) * size for i, size in enumerate(sizes)]
    head = b"OpusHead\x01\x01" + (312).to_bytes(2, "little") + bytes(7)
    headers = OpusHeaders(head, b"OpusTags" + bytes(70_000))
    n_samples = len(packets) * 960 - 500
    stream = b"".join(opus_pages(headers, packets, n_samples))
    assert list(read_packets(io.BytesIO(stream))) == [headers.head, headers.tags, *packets]
    opened, pages = io.BytesIO(stream), []
    while opened.tell() < len(stream):
        pages.append(OggPage(opened))
    assert b"".join(page.write() for page in pages) == stream  # checksums are right
    assert [page.sequence for page in pages] == list(range(len(pages)))
    assert [page.first for page in pages] == [True] + [False] * (len(pages) - 1)
    assert [page.last for page in pages] == [False] * (len(pages) - 1) + [True]
    sound = [page for page in pages if page.packets[0] in packets]
    n_before = np.cumsum([len(page.packets) for page in sound]) * 960
    assert [page.position for page in sound] == [*n_before[:-1].tolist(), 312 + n_samples]
    assert max(len(page.packets) for page in sound) <= 50
