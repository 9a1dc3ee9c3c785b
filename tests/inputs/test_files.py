"""Files that settings name: what has no end, or never begins, is refused at once."""

import hashlib
import os

import pytest

from audiomill.inputs.articles.mail import read_letters
from audiomill.inputs.files import MAX_BLOCK_BYTES, file_sha256, open_regular, read_regular


@pytest.mark.parametrize("kind", ["device", "pipe"])
@pytest.mark.parametrize("read", [read_regular, lambda path: list(read_letters(path))])
def test_a_device_and_a_pipe_are_no_files(kind, read, tmp_path):
    path = tmp_path / "letters.mbox"
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    with pytest.raises(OSError, match="a device or a pipe"):
        read(path)


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    path = tmp_path / "a.toml"
    path.write_bytes(bytes(10))
    os.truncate(path, 2 << 20)
    with pytest.raises(OSError, match="larger than 1 MiB"):
        open_regular(path, 1 << 20)
    assert len(read_regular(path, 2 << 20)) == 2 << 20


@pytest.mark.parametrize("n_bytes", [0, 5, MAX_BLOCK_BYTES, MAX_BLOCK_BYTES + 1])
def test_a_digest_is_of_the_whole_file(n_bytes, tmp_path):
    content = b"a" * n_bytes
    path = tmp_path / "weights.bin"
    path.write_bytes(content)
    assert file_sha256(path) == hashlib.sha256(content).hexdigest()
