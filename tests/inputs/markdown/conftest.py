"""Markdown files, as books."""

import pytest

from audiomill.inputs.markdown import reader
from audiomill.inputs.model.book import Limits


@pytest.fixture
def read(tmp_path):
    """The book of a file with this content."""

    def read_file(content, *, name="a-book.md", **limits):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return reader.read(path, Limits(**limits))

    return read_file
