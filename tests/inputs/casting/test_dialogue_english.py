"""What is said in English, in American and in British print, and by whom."""

from support.case_files import each_row
from support.casting_data import marked_dialogue, plain


@each_row
def test_american_print(case):
    assert marked_dialogue("en-US", plain(case)) == [case]


@each_row
def test_british_print(case):
    assert marked_dialogue("en-GB", plain(case)) == [case]


def test_the_whole_book_decides_which_marks_are_outer_ones():
    american = ["“One,” he said.", "“Two,” he said.", "‘Three’ was a word."]
    assert marked_dialogue("en-GB", *american)[2] == american[2]
    british = ["‘One,’ he said.", "‘Two,’ he said.", "“Three,” he read on the wall."]
    assert marked_dialogue("en-US", *british)[2] == british[2]


@each_row
def test_a_speech_over_several_paragraphs(case):
    assert marked_dialogue("en", *map(plain, case)) == case
