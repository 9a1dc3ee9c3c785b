"""The Info header of MP3 files is right at constant and variable rates, in mono and stereo."""

from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
import scipy.signal

from audiomill.outputs.ffmpeg.decoding import decode
from audiomill.outputs.formats.encoder import encode
from audiomill.outputs.formats.format import Encoding
from audiomill.outputs.formats.mp3 import tag_mp3
from audiomill.outputs.formats.mp3_frames import crc16
from audiomill.outputs.formats.pending_file import Target
from audiomill.outputs.metadata.tags import EmbeddedMetadata
from audiomill.renderers.engine.protocol import Samples
from support.encoded_files import marks_over, whole
from support.signals_data import voice
from support.tags_data import BOOK_TAGS


def encoded(
    path: Path, samples: Samples, sample_rate: int, n_channels: int = 1, **rate: Any
) -> None:
    """Encode the same sound in each channel, and tag it."""
    target = Target("mp3", path, Encoding(channels=n_channels, **rate))
    encode(whole(samples), sample_rate, [target], marks_over(samples.size, ["One"]), BOOK_TAGS)


def info_of(path: Path) -> tuple[int, bytes]:
    """Where the first frame starts, and the Info header in it."""
    data = path.read_bytes()
    sizes = [int.from_bytes([byte]) for byte in data[6:10]]
    first = 10 + (sizes[0] << 21 | sizes[1] << 14 | sizes[2] << 7 | sizes[3])
    name = b"Xing" if b"Xing" in data[first : first + 64] else b"Info"
    return first, data[data.index(name, first) :][:156]


OFTEN = (
    *((72_577, 8000, 2), (72_577, 24000, 1), (72_577, 44100, 2)),
    *((n, 24000, 1) for n in (1, 46, 1152 + 23)),
    *((n, 44100, 2) for n in (1, 46, 1152 + 23)),
)
IN_PROOFS = (
    *((n, 24000, 1) for n in (47, 576, 577, 72_576, 72_700)),
    *((n, 44100, 1) for n in (47, 577, 72_576)),
    *((n, rate, 1) for rate in (16000, 22050) for n in (46, 72_577)),
    *((72_577, 8000, 1), (72_577, 24000, 2), (72_577, 44100, 1)),
)


@pytest.mark.parametrize("mode", ["cbr", "vbr"])
@pytest.mark.parametrize(
    ("n_samples", "sample_rate", "n_channels"),
    [*OFTEN, *(pytest.param(*one, marks=pytest.mark.prove) for one in IN_PROOFS)],
)
def test_the_decoded_sound_is_as_long_as_before(tmp_path, n_samples, sample_rate, n_channels, mode):
    """Up to 46 samples after a whole frame, the encoder pads with more than a frame."""
    path = tmp_path / "a.mp3"
    samples = voice(10, sample_rate)[:n_samples]
    encoded(path, samples, sample_rate, n_channels, bit_rate_kbps=64, bit_rate_mode=mode)
    back = np.concatenate(list(decode(path)))
    assert back.size == samples.size
    if n_samples > 2000:
        lag = int(np.argmax(scipy.signal.correlate(back, samples, "full")))
        assert lag == samples.size - 1
    first, info = info_of(path)
    data = path.read_bytes()
    checked = data[first : data.index(info, first) + 154]
    assert int.from_bytes(info[154:156]) == crc16(checked)  # else players may not believe it
    assert info[:4] == (b"Xing" if mode == "vbr" and n_samples > 2000 else info[:4])
    frame_samples = 1152 if sample_rate == 44100 else 576
    before, after = divmod(int.from_bytes(info[141:144]), 1 << 12)
    assert before + n_samples + after == int.from_bytes(info[8:12]) * frame_samples


@pytest.mark.parametrize("n_channels", [1, 2])
@pytest.mark.parametrize("sample_rate", [24000, 44100])
def test_the_header_of_a_variable_rate_says_where_each_hundredth_is(
    tmp_path, sample_rate, n_channels
):
    """Half of it is loud, half silent: a player that took the rate for constant would miss."""
    loud = voice(8, sample_rate)
    samples = np.concatenate([loud, np.zeros_like(loud)])
    path = tmp_path / "a.mp3"
    encoded(path, samples, sample_rate, n_channels, bit_rate_mode="vbr")
    first, info = info_of(path)
    flags, n_frames, n_bytes = (int.from_bytes(info[i : i + 4]) for i in (4, 8, 12))
    assert info[:4] == b"Xing"
    assert flags & 7 == 7
    assert n_bytes == path.stat().st_size - first
    with av.open(str(path)) as container:
        places = [one.pos for one in container.demux(audio=0) if one.size]
    assert n_frames == len(places)
    table = info[16:116]
    for percent, place in enumerate(table):
        frame = min(percent * n_frames // 100, n_frames - 1)
        exact = (places[frame] - first) / n_bytes * 256
        assert abs(place - exact) < 3
    assert table[50] > 150  # the loud half takes most of the file


def test_a_file_of_another_rate_is_left_alone(tmp_path):
    path = tmp_path / "a.mp3"
    encoded(path, voice(2, 24000), 24000)
    _, before = info_of(path)
    metadata = EmbeddedMetadata(BOOK_TAGS, [], 22050, 44100)
    tag_mp3(path, metadata)
    assert info_of(path)[1] == before


def test_what_is_no_mp3_is_left_alone(tmp_path):
    path = tmp_path / "a.mp3"
    for content in (b"", b"\xff", bytes(300), b"\xff\xfb\xfc\xc0" + bytes(300)):
        path.write_bytes(content)
        tag_mp3(path, EmbeddedMetadata(BOOK_TAGS, [], 24000, 24000))
        assert path.read_bytes().endswith(content)
