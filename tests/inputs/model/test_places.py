"""Places in the text of a block stay with their words when the text is changed."""

from dataclasses import replace

from audiomill.inputs.model.book import (
    Block,
    BlockKind,
    Book,
    Chapter,
    ForeignPassage,
    Pronunciation,
)
from audiomill.inputs.model.places import joined, with_other_text, with_words_before
from audiomill.inputs.model.surrogates import repair_book
from audiomill.inputs.reading.choices import ReadingSettings
from audiomill.inputs.reading.rules import ReadingRules, apply_rules

NOTE = Block(
    BlockKind.NOTE,
    "Nguyen met Louis V, le roi.",
    passages=(ForeignPassage(20, 26, "fr"),),
    pronunciations=(Pronunciation(0, 6, "wˈɪn"),),
    numerals=((17, 18),),
)


def words(block: Block) -> list[str]:
    """What the places of a block lead to."""
    text = block.text
    return [
        *(text[one.start : one.end] for one in block.pronunciations),
        *(text[start:end] for start, end in block.numerals),
        *(text[one.start : one.end] for one in block.passages),
    ]


def book_of(block: Block) -> Book:
    return Book("B", (), "en", (Chapter("C", (block,)),), "")


def test_words_before_move_all_places():
    moved = with_words_before(NOTE, "Note: ")
    assert moved.text == "Note: Nguyen met Louis V, le roi."
    assert words(moved) == words(NOTE) == ["Nguyen", "V", "le roi"]


def test_parts_keep_theirs():
    assert words(joined([NOTE, NOTE], f"{NOTE.text} {NOTE.text}")) == [
        *("Nguyen", "Nguyen", "V", "V", "le roi", "le roi")
    ]


def test_another_text_has_none():
    assert words(with_other_text(NOTE, "A note.")) == []


def test_an_announced_note_keeps_its_places():
    rules = ReadingRules(ReadingSettings(notes="chapter").reading())
    ((block,),) = (one.blocks for one in apply_rules(book_of(NOTE), rules).chapters)
    assert block.text.startswith("Note: ")
    assert words(block) == words(NOTE)


def test_repaired_characters_leave_no_wrong_place():
    """Two halves of a character become one, so that all places after it would be wrong."""
    halves = replace(NOTE, text=f"\ud83d\ude00 {NOTE.text}")
    ((block,),) = (one.blocks for one in repair_book(book_of(halves)).chapters)
    assert block.text == f"\U0001f600 {NOTE.text}"
    assert words(block) == []
