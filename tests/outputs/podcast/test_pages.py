"""The pages say what was given, and hold nothing that could run or ask another server."""

import hashlib
import json
import re
from base64 import b64encode
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree, html

from audiomill.outputs.podcast.cue_text import cue_text
from audiomill.outputs.podcast.episode_page import episode_assets, episode_page
from audiomill.outputs.podcast.page_parts import language_of
from audiomill.outputs.podcast.show import Episode, EpisodeChapter, FailedArticle, Show
from audiomill.outputs.podcast.show_page import show_page
from audiomill.outputs.podcast.timed_words import TimedWords
from audiomill.outputs.readalong.web.contents import contents
from audiomill.outputs.readalong.web.recorded_text import RecordedText, recorded_section
from audiomill.outputs.text import clock, duration, line
from support.case_files import each_row
from support.examples import few_examples
from support.html_pages import found, policy_of, tree_of
from support.podcast_data import FAILED, SHOW, numbered

EVIL = '</title><script>alert(1)</script><img src=x onerror=alert(2)>"\' onload="x'
TRICKS = (EVIL, "\0\x1b", "\ud800", "\uffff", "שלום", "</script>", "<!--", "]]>", "&amp;")
ANYTHING = st.lists(st.one_of(st.sampled_from(TRICKS), st.text(st.characters()))).map(" ".join)


@each_row
def test_the_page_of_a_show_says_all_that_a_listener_needs(path, expected):
    tree = tree_of(show_page(SHOW, [numbered(1), numbered(2)], [FAILED]))
    assert found(tree, path) == expected


def page_of(episode: Episode, *cues: TimedWords, show: Show = SHOW) -> bytes:
    """The page of an episode that has a transcript alone."""
    return episode_page(show, episode, cue_text(episode, language_of(show, episode), cues))


def clips_of(tree: html.HtmlElement) -> list[list]:
    (clips,) = tree.xpath("//main/section/@data-clips")
    return json.loads(clips)


@each_row
def test_the_page_of_an_episode_says_all_that_is_known(path, expected):
    words = [TimedWords(0.5, "The weir"), TimedWords(31.5, "and the eels.")]
    tree = tree_of(page_of(numbered(1, language="de"), *words))
    assert found(tree, path) == expected


def test_cues_of_one_sentence_are_one_and_the_title_of_a_chapter_is_a_heading():
    said = [(0, "Middle"), (2, "It was"), (3, "wet."), (4, "Dry it was not")]
    cues = [TimedWords(at, text) for at, text in said]
    episode = numbered(1, chapters=(EpisodeChapter(0.0, "Middle"),))
    tree = tree_of(page_of(episode, *cues))
    assert found(tree, "//section[@data-clips]/h2") == ["Middle"]
    assert [clip[4:] for clip in clips_of(tree)] == [[], [], [1], []]


@pytest.mark.parametrize("heading", ["Article 1", '<span id="s0">Article 1.</span>'])
def test_a_title_that_the_text_has_too_stands_once_at_the_top(heading):
    document = f"<section><p>Quay.</p><h1>{heading}</h1><h1>Article 2</h1><p>Eels.</p></section>"
    section = recorded_section([etree.fromstring(document)], [[0, 0, 101000, []]])
    page = episode_page(SHOW, numbered(1), RecordedText("en", contents([]), section))
    tree = tree_of(page)
    assert found(tree, "//header/h1")[0].startswith("Article 1")
    assert found(tree, "//section/section/*") == ["Quay.", "Article 2", "Eels."]
    assert len(tree.xpath("//header/h1/span")) == heading.count("<span")


def test_an_episode_without_any_text_plays():
    tree = tree_of(page_of(numbered(1, transcripts=())))
    assert clips_of(tree) == [[0, 0, 101000, []]]
    assert found(tree, "//nav[@id='contents']//a") == []


def test_the_page_of_a_show_lists_the_articles_of_a_digest():
    titles = ("Opening credits", "The mill", "<b>The light</b>")
    links = ("", "https://quay.example/mill", "https://quay.example/light")
    chapters = tuple(
        EpisodeChapter(float(at), *one) for at, one in enumerate(zip(titles, links, strict=True))
    )
    tree = tree_of(show_page(SHOW, [numbered(1, chapters=chapters, link=""), numbered(2)]))
    assert found(tree, "//ul[@class='articles']/li") == list(titles[1:])
    assert tree.xpath("//ul[@class='articles']/li/a/@href") == list(links[1:])
    assert len(tree.xpath("//p[@class='summary']")) == 1  # of the other episode


def test_names_of_files_are_escaped_in_links():
    episode = numbered(1)
    episode = replace(episode, enclosure=replace(episode.enclosure, name="a/b: 50%?#.mp3"))
    assert tree_of(show_page(SHOW, [episode])).xpath("//audio/@src") == ["a/b%3A%2050%25%3F%23.mp3"]
    tree = tree_of(page_of(episode))
    assert set(tree.xpath("//noscript/audio/@src | //@data-audio")) == {"b%3A%2050%25%3F%23.mp3"}


def test_only_the_own_style_and_script_of_a_shows_page_may_run():
    page = show_page(SHOW, [numbered(1)])
    tree = tree_of(page)
    rules = policy_of(tree)
    assert rules["default-src"] == "'none'"
    for name in ("style", "script"):
        (content,) = re.findall(f"<{name}>(.*?)</{name}>".encode(), page, re.DOTALL)
        digest = b64encode(hashlib.sha256(content).digest()).decode()
        assert rules[f"{name}-src"] == f"'sha256-{digest}'"
    assert not tree.xpath(
        "//@style | //@onclick | //@onload | //*[@src][not(self::img|self::audio)]"
    )
    # Before anything that it rules.
    assert page.index(b"Content-Security-Policy") < page.index(b"<style>")


def test_an_episodes_page_has_no_script_or_style_in_it_and_runs_only_files_of_the_show():
    page = page_of(numbered(1), TimedWords(0.0, EVIL))
    tree = tree_of(page)
    rules = policy_of(tree)
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == "'self' file:"
    (script,) = tree.xpath("//script")
    assert not (script.text or "") + "".join(script.xpath("../style/text()"))
    style, code = (f"../{one.name}" for one in episode_assets())
    assert [script.get("src")] == [code]
    assert tree.xpath("//link[@rel='stylesheet']/@href") == [style]
    assert not tree.xpath("//style | //@style | //@*[starts-with(name(), 'on')]")
    assert page.index(b"Content-Security-Policy") < page.index(b"<script")


@few_examples(50)
@given(title=ANYTHING, text=ANYTHING)
def test_any_text_is_text(title, text):
    show = replace(SHOW, title=title, description=text, author=title, copyright=text)
    chapters = (EpisodeChapter(0.0, title),)
    episode = numbered(1, title=title, summary=text, show_notes_html=text, chapters=chapters)
    failed = FailedArticle(text, title, text, 1)
    plain = tree_of(show_page(SHOW, [numbered(1)], [FAILED]))
    tree = tree_of(show_page(show, [episode], [failed]))
    assert found(tree, "//h1") == [" ".join(line(title).split())]
    assert found(tree, "//h3") == [" ".join((line(title) or "Untitled").split())]
    page = tree_of(page_of(episode, TimedWords(0.0, line(text)), show=show))
    assert found(page, "//h1") == [" ".join((line(title) or "Untitled").split())]
    for one in (tree, page):
        assert len(one.xpath("//script")) == len(plain.xpath("//script")) == 1
        assert not one.xpath("//@onerror | //@onload | //img[@src='x']")
        assert all(href.startswith("http") for href in one.xpath("//a[@rel]/@href"))


def test_only_a_private_show_asks_not_to_be_found():
    assert tree_of(show_page(SHOW, [])).xpath("//meta[@name='robots']/@content") == ["noindex"]
    assert not tree_of(show_page(replace(SHOW, is_private=False), [])).xpath(
        "//meta[@name='robots']"
    )


@pytest.mark.parametrize("image", ["", "https://pictures.example/cover.jpg"])
def test_a_cover_of_another_server_is_not_asked_for(image):
    page = show_page(replace(SHOW, image=image), [])
    assert b"pictures.example" not in page
    assert found(tree_of(page), "//div[contains(@class, 'letter')]") == ["T"]


@each_row
def test_durations_are_short(seconds, words):
    assert duration(seconds) == words


@pytest.mark.parametrize(("seconds", "words"), [(0, "0:00"), (61.9, "1:01"), (3723, "1:02:03")])
def test_positions_are_as_players_show_them(seconds, words):
    assert clock(seconds) == words
