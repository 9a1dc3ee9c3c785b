"""Markdown to a book: the headings that begin chapters, and a README."""

import textwrap

import pytest

from audiomill.inputs.markdown import reader
from audiomill.inputs.model.book import Limits, SourceCorrupt, SourceTooLarge
from support.reading_data import texts

LIMITS = Limits()


@pytest.fixture
def read(tmp_path):
    def read_text(text, *, name="a-book.md", encoding="utf-8", limits=LIMITS):
        path = tmp_path / name
        data = text if isinstance(text, bytes) else textwrap.dedent(text).encode(encoding)
        path.write_bytes(data)
        return reader.read(path, limits)

    return read_text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_encodings_are_detected(read, encoding):
    book = read("# Café — “naïve”\r\n\r\nÉté.\r\n", encoding=encoding)
    assert texts(book) == ["Café — “naïve”", "Été."]
    assert book.warnings == ()


def test_windows_1252_is_a_warning(read):
    book = read("Café — “naïve”.".encode("cp1252"))
    assert texts(book) == ["Café — “naïve”."]
    assert "windows-1252" in book.warnings[0]


def test_binary_data_is_refused(read):
    with pytest.raises(SourceCorrupt, match=r"“a-book\.md” holds binary data"):
        read(b"# Title\n\0\1\2")


def test_too_much_text_is_refused_but_pictures_are_not_text(read):
    limits = Limits(max_text_chars=100)
    with pytest.raises(SourceTooLarge, match="max_text_chars"):
        read("word " * 30, limits=limits)
    book = read(f"Text. ![x](data:image/png;base64,{'A' * 500})", limits=limits)
    assert texts(book) == ["Text."]
