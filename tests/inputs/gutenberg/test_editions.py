"""Editions of Project Gutenberg, in their markup and our words: the book is read, and no more."""

from audiomill.inputs.gutenberg.text import split_edition
from audiomill.inputs.gutenberg.wording import is_credit, is_makers_note, without_label
from support.case_files import each_row


@each_row
def test_a_label_is_not_a_title(label, title, author):
    found = without_label(label)
    assert (found.title, found.author) == (title, author)


def test_a_header_of_the_nineties_names_the_book_below_other_lines():
    below = "\n*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*\n\nA story."
    for header in (
        "Please look at this header.\nProject Gutenberg is kept by volunteers.\n\n"
        "**The Project Gutenberg Etext of The Mill by Ann Ode**",
        "*The Project Gutenberg Etext of The Mill*\r\n*By Ann Ode*\r\n#2 in our series by Ann Ode",
        "Project Gutenberg is kept by volunteers.\nProject Gutenberg Etext of The Mill, by Ann Ode",
        "Project Gutenberg Etext of Old Mills\n\nProject Gutenberg Etext of The Mill, by Ann Ode",
    ):
        fields = split_edition(header + below).fields
        assert (fields.title, fields.authors) == ("The Mill", ("Ann Ode",)), header


def test_a_story_may_speak_of_those_who_produce_and_transcribe():
    for text in (
        "Produced before the judge, the letter said nothing. " * 20,
        "The transcriber of the roll wrote late.",
        "Notes by the miller",
        "Created by God in the beginning, man walked.",
        "Produced by fire and water, the wheel was never still.",
        "This book was prepared by hands unknown to me.",
        "Transcriber's note he was called.",
        "Transcriber's note, they called it.",
    ):
        assert not is_credit(text)
        assert not is_makers_note(text)


def test_credits_name_those_who_made_the_edition():
    for text in (
        "Produced by Dee Low",
        "Produced by an Anonymous Volunteer, and Dee Low dee@example.org.",
        "Produced by Dee Low, dee@example.org with proofreading and correction by Dr. Bo Li.",
        "Produced by Dee Low, É. Noé and the Online Distributed Proofreading Team",
        "Transcribed from the 1894 Fen and Sons edition by Dee Low, email dee@example.org",
        "Scanned and proofed by Dee Low. HTML version by Bo Li.",
        "This eBook was created by hands unknown.",
        "Produced by Dee Low. The previous edition was updated by Bo Li.",
        "Produced by Dee Low. Previous editions produced by Bo Li and Mill Wiretap",
        "Produced by Livres libres et gratuits at http://www.livres.example",
        "Note: See also “The Mill” by Ann Ode, Low, eBook #150",
        "Contents (added by transcriber)",
        "THERE IS AN ILLUSTRATED EDITION OF THIS TITLE AT EBOOK [ #17396 ]",
    ):
        assert is_credit(text)
    for text in (
        "Transcriber's Note",
        "TRANSCRIBER'S NOTES Two commas were moved.",
        "[Transcriber’s note: a",
        "See also the Transcriber's Notes at the end of this eBook.",
        "Ebook Editor’s Note",
    ):
        assert is_makers_note(text)
