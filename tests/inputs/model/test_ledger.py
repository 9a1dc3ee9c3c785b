"""The ledger: a text that is lost on the way fails the run, whichever step loses it."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.markup import blocks
from audiomill.inputs.model.book import BlockKind, Limits, SkipReason, TextLost
from audiomill.inputs.model.ledger import check_segments, letters_of
from audiomill.inputs.readers import sources as reading
from audiomill.inputs.segmentation.segments import SegmentRules, segment_book
from support.book_data import rendered, source_job
from support.paths import SAMPLES

PAGE = """\
<html><body><h1>One</h1><p>The mill stood in 1914.</p><p>Nobody came.</p>
<img src="a.png" alt="A heron on a post"/><p hidden="hidden">Not shown.</p>
<table><tr><td>wheat</td><td>barley</td></tr></table><pre>x = 1</pre></body></html>
"""


def read(path):
    return reading.read_book(path, Limits())


@pytest.fixture
def page(tmp_path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(PAGE)
    return path


def without(kind_or_reason):
    """A mutation: the conversion drops all of a kind."""

    def convert(*arguments, **options):
        result = blocks.to_blocks(*arguments, **options)
        return replace(
            result,
            blocks=tuple(one for one in result.blocks if one.block.kind != kind_or_reason),
            skipped=tuple(one for one in result.skipped if one.reason != kind_or_reason),
        )

    return convert


@pytest.mark.parametrize(
    "lost",
    [
        BlockKind.HEADING,
        BlockKind.PARAGRAPH,
        BlockKind.TABLE,
        BlockKind.CODE,
        SkipReason.ALTERNATIVE_TEXT,
        SkipReason.HIDDEN,
    ],
)
def test_a_text_that_the_reader_drops_fails_the_run(page, monkeypatch, lost):
    read(page)
    monkeypatch.setattr("audiomill.inputs.articles.html.to_blocks", without(lost))
    with pytest.raises(TextLost, match=r"letters of “page\.html” would be lost"):
        read(page)


def test_a_table_cell_that_is_dropped_fails_the_run(page, monkeypatch):
    def text_runs(run, kind):
        return original(run.replace("barley", ""), kind)

    original = blocks.text_runs
    monkeypatch.setattr(blocks, "text_runs", text_runs)
    with pytest.raises(TextLost, match=r"\(.*[aberly]{3}"):
        read(page)


@pytest.mark.parametrize(
    "shown",
    [
        "<ol>" + "<li>wheat</li>" * 20 + "</ol>",  # 1. to 20.
        "<math><mi>x</mi><mo>&lt;</mo><mn>2</mn><mo>&lt;</mo><mn>3</mn></math>" * 9,
    ],
)
def test_what_is_written_out_hides_no_loss(tmp_path, monkeypatch, shown):
    """Its numbers and words have all the letters of the lost text."""
    path = tmp_path / "page.html"
    lost = "12 13" if "<li>" in shown else "2 3 2"
    path.write_text(f"<html><body>{shown}<pre>{lost}</pre></body></html>")
    words = "".join(block.text for chapter in read(path).chapters for block in chapter.blocks)
    assert not letters_of([lost]) - letters_of([words.replace(lost, "")])
    monkeypatch.setattr("audiomill.inputs.articles.html.to_blocks", without(BlockKind.CODE))
    with pytest.raises(TextLost):
        read(path)


def test_a_text_that_the_choice_drops_fails_the_run(page, monkeypatch):
    def apply_rules(book, _rules):
        (chapter,) = book.chapters
        return replace(book, chapters=(replace(chapter, blocks=chapter.blocks[1:]),))

    monkeypatch.setattr(reading, "apply_rules", apply_rules)
    with pytest.raises(TextLost):
        read(page)


def test_a_segment_that_is_dropped_fails_the_run(page):
    manuscript = segment_book(read(page), SegmentRules(str, 400))
    check_segments(manuscript, "page.html")
    for index in range(len(manuscript.segments)):
        segments = (*manuscript.segments[:index], *manuscript.segments[index + 1 :])
        with pytest.raises(TextLost):
            check_segments(replace(manuscript, segments=segments), "page.html")


@given(st.lists(st.text(), max_size=4))
def test_letters_do_not_depend_on_spaces_signs_case_and_width(texts):
    spaced = [text.replace(" ", "  ") + " —!" for text in texts]
    assert letters_of(spaced) == letters_of(texts)
    assert letters_of(text.casefold() for text in texts) == letters_of(texts)
    assert letters_of(["Ａ", "B"]) == letters_of(["a", "b"])


@given(st.lists(st.sampled_from(["mill", "Mühle", "mu\u0308hle", "ﬁn", "각", "2", "²", "*"])))
def test_letters_are_counted_as_often_as_their_words_come(words):
    each = sum((letters_of([word]) for word in words), Counter())
    assert letters_of([" ".join(words)]) == each


def test_an_accent_in_another_element_changes_no_letter(page):
    hat = "<math><mover><mi>y</mi><mo>\N{COMBINING CIRCUMFLEX ACCENT}</mo></mover></math>"
    page.write_text(f"<p>So {hat} and <i>e</i>\N{COMBINING ACUTE ACCENT} are 각.</p>")
    assert "are 각." in read(page).chapters[0].blocks[0].text
    assert letters_of(["é 각 y\N{COMBINING CIRCUMFLEX ACCENT}"]) == Counter("e각y")


def test_the_report_says_where_every_letter_went(tmp_path):
    """Also in chapters that are not chosen."""
    source = SAMPLES / "the-lighthouse-mill.epub"
    report = rendered(source_job(source, tmp_path, chapters="2-3", speed=4.0))
    ledger = json.loads(report.path.read_text())["ledger"]
    assert ledger["printed"] == sum(reading.read_book(source, Limits()).printed.values())
    assert ledger["printed"] + ledger["added"] == ledger["spoken"] + sum(ledger["skipped"].values())
    assert 0 <= ledger["added"] < ledger["printed"] / 50
    assert 0 < ledger["reworded"] < ledger["spoken"] < ledger["skipped"]["chapter not chosen"]
    assert ledger["spoken"] == sum(chapter["spoken"] for chapter in ledger["chapters"])
    assert [chapter["number"] for chapter in ledger["chapters"]] == [2, 3]
