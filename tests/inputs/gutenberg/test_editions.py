"""Editions of Project Gutenberg, in their markup and our words: the book is read, and no more."""

from audiomill.inputs.gutenberg.text import split_edition
from audiomill.inputs.gutenberg.wording import is_credit, is_makers_note, without_label
from support.case_files import each_row


@each_row
def test_a_label_is_not_a_title(label, title, author):
    found = without_label(label)
    assert (found.title, found.author) == (title, author)


@each_row
def test_a_header_of_the_nineties_names_the_book_below_other_lines(header):
    below = "\n*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*\n\nA story."
    fields = split_edition(header + below).fields
    assert (fields.title, fields.authors) == ("The Mill", ("Ann Ode",))


@each_row
def test_a_story_may_speak_of_those_who_produce_and_transcribe(text):
    assert not is_credit(text)
    assert not is_makers_note(text)


@each_row
def test_credits_name_those_who_made_the_edition(text):
    assert is_credit(text)


@each_row
def test_notes_of_its_makers_are_none_of_the_book(text):
    assert is_makers_note(text)
