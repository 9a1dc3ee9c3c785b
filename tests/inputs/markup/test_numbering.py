"""Numbers that a page shows but does not write out: of list items, and superscripts."""

import pytest

from audiomill.inputs.book import BlockKind, SkipReason
from audiomill.inputs.segmentation.sentences import split_sentences
from support.reading_data import convert


def texts(body):
    return [anchored.block.text for anchored in convert(f"<html><body>{body}</body></html>").blocks]


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ("", ["1. x", "2. x", "3. x"]),
        ("start='9'", ["9. x", "10. x", "11. x"]),
        ("start='-1'", ["-1. x", "0. x", "1. x"]),
        ("reversed=''", ["3. x", "2. x", "1. x"]),
        ("reversed='' start='10'", ["10. x", "9. x", "8. x"]),
        ("type='a'", ["a. x", "b. x", "c. x"]),
        ("type='A' start='26'", ["Z. x", "AA. x", "AB. x"]),
        ("type='i' start='3'", ["iii. x", "iv. x", "v. x"]),
        ("type='I' start='4000'", ["4000. x", "4001. x", "4002. x"]),
        ("start='none' type='disc'", ["1. x", "2. x", "3. x"]),
        ("style='List-Style: none'", ["x", "x", "x"]),
    ],
)
def test_items_have_the_numbers_that_the_page_shows(attributes, expected):
    assert texts(f"<ol {attributes}><li>x</li><li><p>x</p></li><li> <b>x</b></li></ol>") == expected


def test_an_item_may_set_its_number():
    assert texts("<ol><li>x</li><li value='7'>x</li><li>x</li></ol>") == ["1. x", "7. x", "8. x"]


def test_each_list_has_its_own_numbers():
    page = "<ol><li>a<ol><li>b</li><li>c</li></ol></li><li>d<ul><li>e</li></ul></li><li>f</li></ol>"
    assert texts(page) == ["1. a", "1. b", "2. c", "2. d", "e", "3. f"]


def test_only_the_first_block_of_an_item_is_numbered():
    assert texts("<ol><li><p>a</p><p>b</p></li><li/><li>c</li></ol>") == ["1. a", "b", "3. c"]
    page = "<ol><li><h2>Title</h2><p>a</p></li><li><a href='#n1'><sup>1</sup></a>b</li></ol>"
    assert texts(page) == ["Title", "a", "2. b"]
    assert texts("<ol><li><img alt='T' src='t.png'/>he end</li></ol>") == ["1. The end"]


def test_a_numbered_item_begins_with_one_sentence():
    for text in ("1. First do this.", "12. Then do that.", "b. Or this.", "IV. And that."):
        assert split_sentences(text, "en") == ((0, len(text)),)


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("10<sup>2</sup> m<sup>3</sup>", "10² m³"),
        ("10<sup> <i>6</i> </sup>", "10⁶"),
        ("10<sup>12</sup>", "10^12"),
        ("10<sup>-3</sup>, 10<sup>−3</sup>", "10^−3, 10^−3"),
        ("1<sup>st</sup>, XX<sup>e</sup>, n<sup>o</sup>, n<sup>t</sup>", "1st, XXe, no, n^t"),
        ("2<sup>n</sup>, <i>x</i><sup> <i>n − 1</i></sup>, <sup/>", "2^n, x^(n−1),"),
        ("the mill<sup>n</sup>, it<sup>x</sup>", "the milln, itx"),
    ],
)
def test_superscripts_are_not_joined_to_the_number_before_them(markup, text):
    assert texts(f"<p>{markup}</p>") == [text]


def test_a_link_in_a_superscript_is_a_note_reference():
    result = convert("<p>So.<sup><a href='#n1'>2</a></sup></p>")
    assert [anchored.block.text for anchored in result.blocks] == ["So."]
    assert [(item.reason, item.text) for item in result.skipped] == [
        (SkipReason.NOTE_REFERENCE, "2")
    ]


def test_ids_in_superscripts_are_kept():
    (block,) = convert("<p id='p'>10<sup id='a'><b id='b'>2</b></sup></p>").blocks
    assert (block.block.kind, block.ids) == (BlockKind.PARAGRAPH, ("p", "a", "b"))


def test_skipped_words_are_separated_by_spaces():
    page = "<nav><ul><li>Home</li><li>Shop</li></ul>Us<br/>All</nav><p hidden=''>a<b>b</b></p>"
    assert [item.text for item in convert(page).skipped] == ["Home Shop Us All", "ab"]
