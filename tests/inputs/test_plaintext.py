"""Plain text to a book: what is refused, indented lines, and that no letter is lost."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.model.book import BlockKind, Limits, SourceTooLarge
from audiomill.inputs.text import reader as plaintext
from audiomill.inputs.text.paragraphs import verse_lines

LIMITS = Limits()


@pytest.fixture
def read(tmp_path):
    def read_text(text, *, name="a-book.txt", limits=LIMITS):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else textwrap.dedent(text).encode())
        return plaintext.read(path, limits)

    return read_text


def blocks(book):
    return [(block.kind, block.text) for chapter in book.chapters for block in chapter.blocks]


def texts(book):
    return [text for _, text in blocks(book)]


def test_windows_1252_is_a_warning(read):
    book = read("Café.\r\n\r\nNaïve.".encode("cp1252"))
    assert texts(book) == ["Café.", "Naïve."]
    assert "windows-1252" in book.warnings[0]


def test_too_much_text_is_refused(read):
    with pytest.raises(SourceTooLarge, match="500 characters of text; the limit is 400"):
        read("word " * 100, limits=Limits(max_text_chars=400))


@pytest.mark.parametrize(
    "text", ["_" * 50_000, "*a" * 20_000, "_a" * 20_000, "* " * 20_000, "-\n" * 20_000]
)
def test_hostile_text_is_read(read, text):
    assert "".join(texts(read(text))) != ""


LINES = st.text(st.characters(categories=["L", "N", "P"]) | st.just(" "), max_size=40)


@given(lines=st.lists(LINES, max_size=12))
def test_every_letter_is_in_a_block_or_skipped(tmp_path_factory, lines):
    path = tmp_path_factory.getbasetemp() / "any.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    book = plaintext.read(path, LIMITS)
    letters = "".join([*texts(book), *(item.text for item in book.skipped)])
    assert sorted(filter(str.isalnum, letters)) == sorted(filter(str.isalnum, "".join(lines)))


VERSE = {
    "short lines": ("  of rain and rye,\n  of mill and sky", "of rain and rye,\nof mill and sky"),
    "long lines": (
        "  The miller walked along the river, and no one asked him why,\n"
        "  He who had never walked along a river in the rain in his life, sang.",
        "The miller walked along the river, and no one asked him why,\n"
        "He who had never walked along a river in the rain in his life, sang.",
    ),
    "broken lines": (
        "  O wheel, turn on, for all the summer you have stood and waited, (so the\n"
        "      miller said,)\n"
        "  Turn on and on.",
        "O wheel, turn on, for all the summer you have stood and waited, (so the miller said,)\n"
        "Turn on and on.",
    ),
    "steps": ("  The wheel\n      and the rain\n  And I.", "The wheel\nand the rain\nAnd I."),
}
PROSE = {
    "a quotation": "  The miller walked along the river in the rain, and he had no hat, and\n"
    "  Ann, who saw him, laughed.",
    "names in it": "  Ann and the miller walked along the river in the rain, with Mary Browne,\n"
    "  Thomas of the Mill, John Hale and his sister, and old Margaret, who came from the\n"
    "  Hills; Peter Grey; Paul Grey, his brother, and Elizabeth, and someone from\n"
    "  Upton whom nobody had seen.",
    "a hanging indent": "  3. The wheel is turned by hand, in the morning and in the evening,\n"
    "     until the rain comes.",
    "paragraphs of one line": f"  He came. {'The wheel went round. ' * 5}\n  She left.",
    "no indent": "The wheel,\nThe rain.",
}


@pytest.mark.parametrize("name", VERSE)
def test_lines_of_verse_are_whole(name):
    typed, whole = VERSE[name]
    assert "\n".join(verse_lines(typed.split("\n"))) == whole


@pytest.mark.parametrize("name", PROSE)
def test_indented_prose_is_no_verse(name):
    assert verse_lines(PROSE[name].split("\n")) == ()


def test_a_short_poem_has_its_title_between_long_ones(tmp_path):
    long = "\n\n".join(["  The wheel went round,\n  The rain came down.\n" * 2] * 8)
    poems = {"A Wheel": long, "To Rain": "  The rain,\n  O mill!", "At Sea": long, "End": long}
    path = tmp_path / "poems.txt"
    path.write_text(
        "Ann Ode" + "".join(f"\n\n\n\n\n{title}\n\n{poem}" for title, poem in poems.items())
    )
    book = plaintext.read(path, Limits())
    chapters = book.chapters[1:]
    assert [chapter.title for chapter in chapters] == [*poems]
    assert all(chapter.blocks[1].kind is BlockKind.VERSE for chapter in chapters)
