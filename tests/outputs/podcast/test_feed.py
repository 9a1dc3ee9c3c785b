"""Feeds of podcasts: what they say, and the rules that they keep."""

import html
import io
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import feedparser
import podcastparser
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from audiomill.outputs.podcast.feed import NAMESPACES, feed
from audiomill.outputs.podcast.show import Enclosure, EpisodeChapter, Person, PodcastUnfit, ShowKind
from audiomill.outputs.text import line, prose
from support.case_files import each_row, written_out
from support.examples import few_examples
from support.feed_rules import CHANNEL, ITEM, problems
from support.podcast_data import SHOW, TOKYO, numbered

# All that may come out of an article, and what is wrong in XML, HTML or a log.
TRICKS = ("]]>", "<![CDATA[", "&amp;", "<b>x</b>", "AT&T & co", "\0\x1b\x85\x9f", "\ufffe\uffff")
TRICKS += ("\ud800", "שלום", "\u202eevil", "👩‍👩‍👧", "é" * 3000, "<!--", "a\r\nb\u2028c", "&#0;")
ANYTHING = st.lists(st.one_of(st.sampled_from(TRICKS), st.text(st.characters()))).map(" ".join)
# podcastparser 0.6 knows Podcasting 2.0 by its first name only.
FIRST_NAME = b"https://github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md"
MOMENTS = st.datetimes(
    datetime(1990, 1, 1), datetime(2190, 1, 1), timezones=st.sampled_from((UTC, TOKYO))
)


def parsed(data: bytes) -> tuple[feedparser.FeedParserDict, dict]:
    """The feed as feedparser and podcastparser read it."""
    general = feedparser.parse(data, sanitize_html=False, resolve_relative_uris=False)
    assert not general.bozo, general.get("bozo_exception")
    renamed = data.replace(NAMESPACES["podcast"].encode(), FIRST_NAME)
    return general, podcastparser.parse(SHOW.feed_url, io.BytesIO(renamed))


def values(data: bytes, path: str) -> list[str] | bool:
    """The text of the elements at a path, as an XML parser gives it; or whether there are any."""
    found = etree.fromstring(data).xpath(path, namespaces=NAMESPACES)
    if isinstance(found, bool):
        return found
    return [one if isinstance(one, str) else one.text or "" for one in found]


def test_a_whole_show_keeps_all_rules_and_is_read_as_it_was_given():
    episodes = [numbered(1), numbered(2, image="audio/two.jpg", season=1, number=2)]
    data = feed(SHOW, episodes)
    assert problems(data) == []
    general, podcast = parsed(data)
    channel = general.feed
    assert (channel.title, channel.subtitle, channel.link) == (
        *(SHOW.title, SHOW.description, SHOW.link),
    )
    assert channel.language == "en-GB"
    assert podcast["import_prohibited"]
    assert podcast["cover_url"] == "https://pods.example/mill/cover.jpg"
    assert podcast["itunes_categories"] == [["News", "Tech News"], ["Society & Culture"]]
    assert podcast["itunes_owner"] == {"name": "Ruth Aldous", "email": "ruth@mill.example"}
    assert podcast["funding_url"] == "https://mill.example/give"
    newest, older = podcast["episodes"]
    assert (newest["guid"], older["guid"]) == ("urn:mill:2", "urn:mill:1")
    assert newest["episode_art_url"] == "https://pods.example/mill/audio/two.jpg"
    assert (newest["number"], newest["season"]) == (2, 1)
    assert [(one["name"], one["role"], one["group"]) for one in newest["persons"]] == [
        ("Ida Brook", "author", "writing"),
        ("Tom Weir", "narrator", "cast"),
    ]
    base = "https://pods.example/mill/audio/episode-2"
    assert newest["chapters_json_url"] == f"{base}.chapters.json"
    urls = values(data, "//item[1]/podcast:transcript/@url")
    assert urls == [f"{base}.vtt", f"{base}.srt"]
    assert values(data, "//item[1]/podcast:transcript/@language") == ["en-GB", "en-GB"]
    assert newest["description_html"] == "<p>Notes <em>of</em> 2.</p>"


@few_examples(50)
@given(
    title=ANYTHING,
    text=ANYTHING,
    moment=MOMENTS,
    duration_s=st.floats(0.01, 1e6),
    n_bytes=st.integers(1, 1 << 40),
)
def test_any_text_and_numbers_are_read_back(title, text, moment, duration_s, n_bytes):
    show = replace(SHOW, title=f"T{title}", description=f"D{text}", author=title, copyright=text)
    episode = numbered(
        *(1,),
        title=title,
        summary=text,
        show_notes_html=text,
        published=moment,
        duration_s=duration_s,
        enclosure=Enclosure("a.mp3", n_bytes, "audio/mpeg"),
        persons=(Person(title),),
        chapters=(EpisodeChapter(0.0, title),),
    )
    data = feed(show, [episode])
    assert problems(data) == []
    assert values(data, "channel/title") == [line(show.title)]
    assert values(data, "//item/title") == [line(title) or "Untitled"]
    (said,) = values(data, "channel/description")
    assert prose(show.description).startswith(html.unescape(said).removesuffix("…").rstrip())
    assert values(data, "//item/itunes:summary") == ([prose(text, 4000)] if prose(text) else [])
    general, podcast = parsed(data)
    (entry,), (one,) = general.entries, podcast["episodes"]
    assert one["title"] == re.sub(r"\s+", " ", line(title) or "Untitled")
    enclosure = {"file_size": n_bytes, "mime_type": "audio/mpeg"}
    assert one["enclosures"] == [{"url": "https://pods.example/mill/a.mp3", **enclosure}]
    assert int(entry.enclosures[0].length) == n_bytes
    assert abs(one["total_time"] - duration_s) <= 1
    assert one["total_time"] >= 1
    assert one["published"] == int(moment.timestamp() // 1)
    assert datetime(*entry.published_parsed[:6], tzinfo=UTC) == moment.replace(microsecond=0)
    assert (entry.id, one["guid"]) == ("urn:mill:1", "urn:mill:1")


@each_row
def test_a_description_reads_the_same_as_html(given, told):
    data = feed(replace(SHOW, description=given), [])
    assert values(data, "channel/description") == [told]
    assert html.unescape(told) == given


def test_long_texts_are_cut_to_what_apple_takes():
    show = replace(SHOW, description="Use <b> here. " + "word " * 999)  # grows when it is escaped
    data = feed(show, [numbered(1, title="word " * 99, summary="<本>" * 2000)])
    assert problems(data) == []
    (escaped,) = values(data, "channel/description")
    assert len(escaped) > 3900
    (title,), (description,) = values(data, "//item/title"), values(data, "//item/description")
    assert len(title) > 240
    assert title.endswith("…")
    assert len(description.encode()) > 3000


def test_the_newest_is_first_whatever_the_time_zone():
    early = numbered(
        1, published=datetime(2026, 11, 2, 8, tzinfo=TOKYO)
    )  # 23:00 UTC the day before
    late = numbered(2, published=datetime(2026, 11, 2, 0, tzinfo=UTC))
    data = feed(SHOW, [early, late])
    assert values(data, "//item/guid") == ["urn:mill:2", "urn:mill:1"]
    assert values(data, "channel/lastBuildDate") == ["Mon, 02 Nov 2026 00:00:00 GMT"]
    assert values(data, "//item[2]/pubDate") == ["Sun, 01 Nov 2026 23:00:00 GMT"]


@given(st.permutations([*map(numbered, range(4)), numbered(9, published=numbered(2).published)]))
def test_equal_episodes_give_equal_bytes_in_any_order(episodes):
    assert feed(SHOW, episodes) == feed(SHOW, sorted(episodes, key=lambda one: one.guid))


@each_row
def test_what_a_show_and_its_episode_are_is_told_at_its_place(show, episode, path, told):
    data = feed(replace(SHOW, **show), [numbered(1, **episode)])
    assert problems(data) == []
    assert values(data, path) == told


def test_the_name_of_an_enclosure_is_ascii():
    sound = Enclosure("Ein #1 %, ja?.mp3", 5, "audio/mpeg")
    data = feed(SHOW, [numbered(1, enclosure=sound)])
    assert problems(data) == []
    escaped = "https://pods.example/mill/Ein%20%231%20%25%2C%20ja%3F.mp3"
    assert values(data, "//enclosure/@url") == [escaped]


def test_a_serial_tells_its_order_by_the_numbers_that_its_episodes_need():
    serial = replace(SHOW, kind=ShowKind.SERIAL)
    data = feed(serial, [numbered(1, number=1)])
    assert problems(data) == []
    assert values(data, "//itunes:type") == ["serial"]
    with pytest.raises(PodcastUnfit, match="serial"):
        feed(serial, [numbered(1)])


def test_a_feed_with_what_is_needed_only():
    bare = type(SHOW)("A", "B", "https://pods.example/f.xml")
    episode = replace(numbered(1), chapters=(), transcripts=(), persons=(), summary="", link="")
    data = feed(bare, [replace(episode, show_notes_html="")])
    # Of Apple's demands only a picture is not made of anything.
    assert problems(data) == ["channel has 0 of itunes:image"]


@each_row
def test_a_show_that_no_feed_can_hold_is_refused_in_one_line(change, words):
    with pytest.raises(PodcastUnfit, match=words) as told:
        feed(replace(SHOW, **change), [])
    assert "\n" not in str(told.value)


@each_row
def test_an_episode_that_no_feed_can_hold_is_refused_in_one_line(change, words):
    with pytest.raises(PodcastUnfit, match=words) as told:
        feed(SHOW, [numbered(1, **change), numbered(2)])
    assert "\n" not in str(told.value)


@each_row
def test_an_enclosure_that_no_feed_can_hold_is_refused(name, n_bytes, media_type, words):
    with pytest.raises(PodcastUnfit, match=words):
        feed(SHOW, [numbered(1, enclosure=Enclosure(name, n_bytes, media_type)), numbered(2)])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"published": datetime(2026, 1, 1)}, "time zone"),
        ({"duration_s": float("nan")}, "duration"),
        ({"chapters": (EpisodeChapter(5.0, "b"), EpisodeChapter(1.0, "a"))}, "not in order"),
    ],
)
def test_times_that_no_feed_can_hold_are_refused(change, words):
    with pytest.raises(PodcastUnfit, match=words):
        feed(SHOW, [numbered(1, **change)])


def test_dates_before_the_epoch_are_dates():
    moment = datetime(1969, 7, 20, 20, 17, tzinfo=UTC) + timedelta(microseconds=5)
    data = feed(SHOW, [numbered(1, published=moment)])
    assert values(data, "//item/pubDate") == ["Sun, 20 Jul 1969 20:17:00 GMT"]


FEED = feed(SHOW, [numbered(2, season=1, number=2), numbered(1)]).decode()


def test_a_valid_feed_passes():
    assert problems(FEED.encode()) == []


@each_row
def test_a_planted_error_is_found(text, planted):
    assert text in FEED
    assert problems(FEED.replace(text, written_out(planted), 1).encode())


@pytest.mark.parametrize("rules", [CHANNEL, ITEM])
def test_what_is_needed_is_missed(rules):
    needed = [name for name, rule in rules.items() if rule.least]
    empty = f"<rss version='2.0'><channel>{'<item/>' if rules is ITEM else ''}</channel></rss>"
    told = problems(empty.encode())
    assert all(any(f" 0 of {name}" in one for one in told) for name in needed)
