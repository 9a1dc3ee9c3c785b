"""EPUBs with drawings, with pages of pictures, and with text outside the reading order."""

from pathlib import Path

import pytest

from audiomill.inputs.choices.reading import ReadingSettings
from audiomill.inputs.choices.rules import ReadingRules
from audiomill.inputs.model.book import Book, Limits, SkipReason, SourceEmpty
from audiomill.inputs.reading import read_book
from support.epub_data import Epub, page
from support.reading_data import skipped, texts

DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg"><title>A map</title>'
    "<desc>The mill and the river.</desc>{}</svg>"
)
STORY = [f"On page {number} a fox runs over the long hill to the mill." for number in range(6)]


def read(epub: Epub, directory: Path) -> Book:
    return read_book(epub.write(directory), Limits())


@pytest.mark.parametrize("is_page", [True, False])
@pytest.mark.parametrize("label", ["", "<text>North</text>"])
def test_the_words_of_a_drawing_are_listed(tmp_path: Path, label: str, *, is_page: bool) -> None:
    drawing = DRAWING.format(label)
    words = page("<p>The mill stood still, and the river went on.</p>")
    epub = Epub({"a.xhtml": words})
    if is_page:
        epub.manifest = '<item id="s" href="m.svg" media-type="image/svg+xml"/>'
        epub.spine = '<itemref idref="p0"/><itemref idref="s"/>'
        epub.files = {"OEBPS/m.svg": drawing}
    else:
        epub.pages["b.xhtml"] = page(drawing)
    book = read(epub, tmp_path)
    assert texts(book)[1:] == (["North"] if label else [])
    assert "The mill and the river." in " ".join(one.text for one in book.skipped)


def test_a_picture_book_is_read_by_the_words_for_its_pictures(tmp_path: Path) -> None:
    pictures = {
        f"{number}.xhtml": page(f'<img src="{number}.png" alt="{text}"/>')
        for number, text in enumerate(STORY)
    }
    for pages in (pictures, {"t.xhtml": page("<h1>The Fox</h1>"), **pictures}):
        book = read(Epub(dict(pages)), tmp_path)
        assert texts(book)[-6:] == [f"Image: {text}" for text in STORY]
        assert "pictures" in " ".join(book.warnings)
    silent = ReadingRules(ReadingSettings(images="skip").reading())
    titled = Epub({"t.xhtml": page("<h1>The Fox</h1>"), **pictures}).write(tmp_path)
    assert texts(read_book(titled, Limits(), silent)) == ["The Fox"]
    with pytest.raises(SourceEmpty, match='images = "speak"'):
        read_book(Epub(dict(pictures)).write(tmp_path), Limits(), silent)


def test_pictures_without_words_need_text_recognition(tmp_path: Path) -> None:
    with pytest.raises(SourceEmpty, match="text recognition"):
        read(Epub({"a.xhtml": page('<img src="a.png" alt="cover"/>')}), tmp_path)


def test_text_that_the_spine_leaves_out_is_listed_or_read(tmp_path: Path) -> None:
    out = page("<p>The text is here.</p>")
    spine = '<itemref idref="p0"/>'
    book = read(Epub({"a.xhtml": page("<p>In.</p>"), "b.xhtml": out}, spine=spine), tmp_path)
    assert texts(book) == ["In."]
    assert skipped(book, SkipReason.NOT_IN_READING_ORDER) == ["The text is here."]
    picture = page('<img src="a.png" alt=""/>')
    book = read(Epub({"a.xhtml": picture, "b.xhtml": out}, spine=spine), tmp_path)
    assert texts(book) == ["The text is here."]
    assert "outside" in " ".join(book.warnings)
