"""Any audio file is read: all its channels as a stream, its title and its chapters."""

from pathlib import Path

import numpy as np
import pytest
import soundfile

from audiomill.outputs.audio.file_sound import AudioRegion
from audiomill.outputs.ffmpeg.decoding import open_audio, read_file_text
from audiomill.outputs.formats.encoder import encode
from audiomill.outputs.formats.pending_file import Target
from audiomill.outputs.metadata.chapters import Mark
from audiomill.outputs.metadata.tags import Tags
from audiomill.outputs.types import EncoderFailed
from support.signals_data import RATE, noise

TITLES = ("One", 'A "quoted" = title; # 2 \\ and [CHAPTER]', "שלום 🎉")
MARKED = ("m4b", "mp3", "flac", "opus")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Two seconds in every format that has chapters."""
    folder = tmp_path_factory.mktemp("files")
    samples = noise(2 * RATE)
    marks = [Mark(title, n * RATE // 2, (n + 1) * RATE // 2) for n, title in enumerate(TITLES)]
    marks[-1] = Mark(TITLES[-1], RATE, 2 * RATE)
    targets = [Target(name, folder / f"a.{name}") for name in MARKED]
    tags = Tags(title="The = Mill; [STREAM]", album="x")
    encode([AudioRegion(samples.size, lambda: [samples])], RATE, targets, marks, tags)
    return folder


@pytest.mark.parametrize("name", MARKED)
def test_titles_and_chapters_are_read_as_they_were_written(folder, name):
    text = read_file_text(folder / f"a.{name}")
    assert text.title == "The = Mill; [STREAM]"
    assert tuple(one.title for one in text.chapters) == TITLES
    assert [one.start_s for one in text.chapters] == pytest.approx([0, 0.5, 1.0], abs=0.002)


@pytest.mark.parametrize("n_channels", [1, 2, 6])
@pytest.mark.parametrize("subtype", ["PCM_16", "FLOAT"])
def test_all_channels_are_read(tmp_path, n_channels, subtype):
    samples = np.stack([noise(RATE, seed) for seed in range(n_channels)], axis=1)
    path = tmp_path / "a: b.wav"
    soundfile.write(path, samples, RATE, subtype=subtype)
    audio = open_audio(path)
    read = np.concatenate(list(audio.blocks))
    assert (audio.sample_rate, audio.n_channels) == (RATE, n_channels)
    assert read.shape == samples.shape
    assert np.abs(read - samples).max() < 1e-4


def test_a_file_without_chapters_or_title_has_none(tmp_path):
    path = tmp_path / "a.wav"
    soundfile.write(path, noise(RATE), RATE)
    text = read_file_text(path)
    assert (text.title, text.chapters) == ("", ())
    assert sum(len(one) for one in open_audio(path).blocks) == RATE


@pytest.mark.parametrize("content", [b"", b"no audio at all", b"RIFF\0\0\0\0WAVE"])
def test_what_is_no_audio_is_told(tmp_path, content):
    path = tmp_path / "a.mp3"
    path.write_bytes(content)
    with pytest.raises(EncoderFailed, match=r"a\.mp3"):
        list(open_audio(path).blocks)
