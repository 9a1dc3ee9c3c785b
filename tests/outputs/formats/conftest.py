"""One book with five chapters, in every format, which tests read back."""

import hashlib

import numpy as np
import pytest

from audiomill.outputs.formats.encoder import encode
from support.encoded_files import ALL, BOOK_S, SPECIAL, marks_over, targets_in, whole
from support.signals_data import RATE, png_cover, voice
from support.tags_data import BOOK_TAGS


@pytest.fixture(scope="session")
def book(tmp_path_factory):
    """The path of the book by its format."""
    folder = tmp_path_factory.mktemp("book")
    samples = voice(BOOK_S)
    blocks = np.split(samples, [RATE, 3 * RATE])
    marks = marks_over(samples.size, SPECIAL)
    targets = targets_in(folder, ALL)
    files = encode(whole(*blocks), RATE, targets, marks, BOOK_TAGS, png_cover()).files
    assert sorted(path.name for path in folder.iterdir()) == sorted(f.path.name for f in files)
    for file in files:
        assert file.duration_s == samples.size / RATE
        assert file.chapters == 5
        assert file.sha256 == hashlib.sha256(file.path.read_bytes()).hexdigest()
    return {file.format: file.path for file in files}
