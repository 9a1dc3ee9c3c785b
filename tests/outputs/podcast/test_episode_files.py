"""Show notes, chapters and timed words of an episode: what they say. Nothing in them can run."""

import json
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from audiomill.outputs.podcast.page_parts import safe_html
from audiomill.outputs.podcast.publishing import json_chapters
from audiomill.outputs.podcast.show import EpisodeChapter
from audiomill.outputs.podcast.timed_words import TimedWords, paragraphs, timed_words
from support.case_files import each_row
from support.podcast_data import VTT, numbered

KEPT = {"p", "a", "em", "strong", "ul", "ol", "li", "blockquote", "code"}
PIECES = ("<p>", "</p>", "<script>", "</script>", "<a href='javascript:x'>", "<a href=//b.example>")
PIECES += ("<img src=x onerror=y>", "<!--", "-->", "<svg><style>", "</svg>", "<math><mtext>", "x")
PIECES += ("<b>", "</b>", "<p onclick=z style='a'>", "<noscript>", "<![CDATA[", "&lt;i&gt;", "\0")
PIECES += ("<iframe srcdoc='<script>'>", "<title>", "<textarea>", "<table><td>", "<form action=/>")
PIECES += ("<html><head>", "<body onload=x>", "<?php", "\ud800", "<base href=//c.example>", "<")


@each_row
def test_only_allowed_elements_are_left(given_, safe):
    assert safe_html(given_) == safe


@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_whatever_is_given_only_allowed_elements_are_left(text):
    safe = safe_html(text)
    tree = html.fragment_fromstring(safe, create_parent="section")
    for element in tree.iterdescendants():
        assert element.tag in KEPT
        if element.tag == "a":
            assert element.get("href").startswith(("https://", "http://"))
            assert set(element.keys()) == {"href", "rel"}
        else:
            assert not element.keys()
    assert safe_html(safe).split() == safe.split()


def test_chapters_have_times_titles_and_links():
    chapters = (
        EpisodeChapter(0.0, "A “first”"),
        EpisodeChapter(61.23456, "Second", "https://news.example/ä"),
        EpisodeChapter(3600.0, " ", "javascript:alert(1)"),
    )
    assert json.loads(json_chapters(numbered(1, chapters=chapters))) == {
        "version": "1.2.0",
        "title": "Article 1",
        "chapters": [
            {"startTime": 0.0, "title": "A “first”"},
            {"startTime": 61.235, "title": "Second", "url": "https://news.example/%C3%A4"},
            {"startTime": 3600.0, "title": "Untitled"},
        ],
    }


@given(st.lists(st.tuples(st.floats(0, 1e6), st.text(st.characters()), st.text()), max_size=4))
def test_any_chapters_are_valid_json_in_their_order(chapters):
    given_ = tuple(EpisodeChapter(*one) for one in sorted(chapters))
    read = json.loads(json_chapters(numbered(1, chapters=given_)).decode("utf-8"))["chapters"]
    starts = [one["startTime"] for one in read]
    assert len(starts) == len(given_)
    assert starts == sorted(starts)
    assert all(abs(a - b.start_s) <= 0.0005001 for a, b in zip(starts, given_, strict=True))
    assert all(isinstance(one["title"], str) and one["title"] for one in read)


def test_cues_are_read_without_settings_styles_and_voices():
    assert timed_words(VTT) == [
        TimedWords(0.0, "The weir was built before"),
        TimedWords(0.9, "anyone counted the eels."),
        TimedWords(1.8, "Then somebody did & wrote it down."),
    ]


def test_hours_identifiers_and_line_breaks_are_read():
    vtt = "\ufeffWEBVTT\r\n\r\nintro\r\n01:02:03.250 --> 01:02:04.000\r\none\r\ntwo\r\n\r\n"
    assert timed_words(vtt) == [TimedWords(3723.25, "one two")]


def test_what_is_no_transcript_says_nothing():
    assert timed_words("") == timed_words("\0\x01binary\n\n--> \n") == []


def test_a_chapter_begins_a_paragraph():
    words = [TimedWords(start, "") for start in (0.0, 3.0, 9.4, 12.0, 50.0)]
    groups = [[one.start_s for one in group] for group in paragraphs(words, [0.0, 9.3996, 12.5])]
    assert groups == [[0.0, 3.0], [9.4, 12.0], [50.0]]


def test_the_title_of_a_chapter_stands_alone_and_only_at_its_beginning():
    said = [(0, "Sea"), (2, "It was wet."), (4, "Sea"), (6, "Hill"), (8, "It was dry.")]
    words = [TimedWords(start, text) for start, text in said]
    groups = [[one.text for one in group] for group in paragraphs(words, [0, 6], ["Sea", "Hill"])]
    assert groups == [["Sea"], ["It was wet.", "Sea"], ["Hill"], ["It was dry."]]


def test_no_paragraph_begins_within_a_sentence_that_is_not_endless():
    said = {0: "One.", 29: "Two,", 31: "and", 36: "three.", 38: "Four", 70: "so", 99: ""}
    words = [TimedWords(start, text) for start, text in said.items()]
    groups = [[one.start_s for one in group] for group in paragraphs(words)]
    assert groups == [[0, 29, 31, 36], [38, 70], [99]]


@given(st.lists(st.floats(0, 1000)).map(sorted))
def test_paragraphs_hold_all_words_in_order_in_about_half_a_minute(starts):
    words = [TimedWords(start, f"“{n}.”") for n, start in enumerate(starts)]
    groups = list(paragraphs(words))
    assert [one for group in groups for one in group] == words
    assert all(group[-1].start_s - group[0].start_s < 30 for group in groups)
    assert all(b[0].start_s - a[0].start_s >= 30 for a, b in pairwise(groups))
