"""Indented lines of a text are verse or prose, and short poems have their titles."""

import pytest

from audiomill.inputs.model.book import BlockKind, Limits
from audiomill.inputs.readers.text import reader as plaintext
from audiomill.inputs.readers.text.paragraphs import verse_lines

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
