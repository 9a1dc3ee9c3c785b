"""EPUBs with drawings, with pages of pictures, and with text outside the reading order."""

from pathlib import Path

import pytest

from audiomill.inputs.model.book import Book, Limits, SourceEmpty
from audiomill.inputs.readers.sources import read_book
from support.epub_data import Epub, page


def read(epub: Epub, directory: Path) -> Book:
    return read_book(epub.write(directory), Limits())


def test_pictures_without_words_need_text_recognition(tmp_path: Path) -> None:
    with pytest.raises(SourceEmpty, match="text recognition"):
        read(Epub({"a.xhtml": page('<img src="a.png" alt="cover"/>')}), tmp_path)
