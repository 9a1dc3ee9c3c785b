"""A disk that fills up while a file is encoded or tagged: the old file stays, and nothing else.

A limit to the size of files stands for it, as a quota does.
"""

from pathlib import Path

import numpy as np
import pytest

from audiomill.inputs.model.book import Cover
from audiomill.outputs.formats.encoder import encode
from audiomill.outputs.formats.pending_file import Target
from audiomill.outputs.formats.registry import FORMATS
from audiomill.outputs.types import OutputError, OutputUnwritable
from support.encoded_files import DISTINCT, files_of_at_most, marks_over, targets_in, whole
from support.picture_data import noise_picture, saved
from support.process_data import children
from support.signals_data import RATE, voice
from support.tags_data import BOOK_TAGS

pytestmark = pytest.mark.prove


def old_file(folder: Path, name: str) -> Target:
    (target,) = targets_in(folder, [name])
    target.path.write_bytes(b"the old one")
    return target


def only_the_old_one_is_there(target: Target) -> bool:
    names = [path.name for path in target.path.parent.iterdir()]
    return names == [target.path.name] and target.path.read_bytes() == b"the old one"


@pytest.mark.parametrize("name", DISTINCT)
def test_while_it_is_encoded(tmp_path, name):
    target = old_file(tmp_path, name)
    samples = voice(8)
    with files_of_at_most(20_000), pytest.raises(OutputError):
        encode(whole(samples), RATE, [target], marks_over(samples.size, ["a"]), BOOK_TAGS)
    assert only_the_old_one_is_there(target)
    assert not children()


@pytest.mark.parametrize("name", DISTINCT)
def test_while_it_is_tagged(tmp_path, name):
    """The sound fits; the cover does not."""
    samples = voice(0.5)
    marks = marks_over(samples.size, ["a", "b"])
    (small,) = encode(
        whole(samples), RATE, [Target(name, tmp_path / "small")], marks, BOOK_TAGS
    ).files
    most = small.path.stat().st_size + 50_000
    small.path.unlink()
    target = old_file(tmp_path, name)
    cover = Cover("image/png", saved(noise_picture(256, 256), "PNG"))
    assert len(cover.data) > 100_000
    with files_of_at_most(most), pytest.raises(OutputUnwritable, match="File too large"):
        encode(whole(samples), RATE, [target], marks, BOOK_TAGS, cover)
    assert only_the_old_one_is_there(target)


def test_one_of_several_formats_that_does_not_fit_keeps_all_old_files(tmp_path):
    """A WAV is by far the largest."""
    targets = [old_file(tmp_path, name) for name in ("mp3", "wav", "flac")]
    quiet = np.zeros(10 * RATE, np.float32)
    with files_of_at_most(200_000), pytest.raises(OutputError, match="wav"):
        encode(whole(quiet), RATE, targets, [], BOOK_TAGS)
    for target in targets:
        assert target.path.read_bytes() == b"the old one"
    assert len(list(tmp_path.iterdir())) == len(targets) < len(FORMATS)
