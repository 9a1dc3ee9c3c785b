"""Web pages to a book: the main content, and the text around it."""

import pytest

from audiomill.inputs.articles import html
from audiomill.inputs.model.book import Limits, SourceCorrupt, SourceTooLarge
from support.reading_data import texts

LIMITS = Limits()


@pytest.fixture
def read(tmp_path):
    def read_page(page, *, limits=LIMITS):
        path = tmp_path / "a-page.html"
        path.write_bytes(page if isinstance(page, bytes) else page.encode())
        return html.read(path, limits)

    return read_page


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16", "shift-jis"])
def test_encodings(read, encoding):
    words = "日本語" if encoding == "shift-jis" else "Café"
    page = f"<html><head><meta charset={encoding}></head><body><p>{words}</body></html>"
    assert texts(read(page.encode(encoding))) == [words]


def test_too_long_a_page_is_refused(read):
    with pytest.raises(SourceTooLarge, match="max_text_chars"):
        read("<p>" + "word " * 100, limits=Limits(max_text_chars=400))
    markup = "<p class='" + "x" * 1000 + "'>Text."
    assert texts(read(markup, limits=Limits(max_text_chars=400))) == ["Text."]


def test_binary_data_is_refused(read):
    with pytest.raises(SourceCorrupt, match=r"“a-page\.html” is no web page"):
        read(b"<p>\0\0\0\1")
