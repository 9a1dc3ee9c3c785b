"""The checker that our feeds have to pass finds what is planted in them."""

from __future__ import annotations

import pytest

from audiomill.outputs.podcast.feed import feed
from support.feed_rules import CHANNEL, ITEM, problems
from support.podcast_data import SHOW, numbered

FEED = feed(SHOW, [numbered(2, season=1, number=2), numbered(1)]).decode()
PLANTED = [
    ("<rss ", "<rdf "),
    ('version="2.0"', 'version="0.91"'),
    ("<title>The Morning Mill</title>\n    <link>", "<link>"),
    ("<title>Article 2</title>", ""),
    ("<title>Article 2</title>", "<title> Article 2</title>"),
    ("<title>Article 2</title>", "<title>Article 2</title><title>Again</title>"),
    ("<title>Article 2</title>", f"<title>{'x' * 256}</title>"),
    ("<language>en-GB</language>", "<language>English</language>"),
    ("<generator>audiomill</generator>", "<ttl2>5</ttl2>"),
    ("What article 2 says.", "x" * 4001),
    ("urn:mill:2", "urn:mill:1"),
    ("episode-2.mp3", "episode-1.mp3"),
    ("https://pods.example/mill/audio/episode-2.mp3", "audio/episode-2.mp3"),
    ("audio/episode-2.mp3", "audio/épisode-2.mp3"),
    ("audio/episode-2.mp3", "audio/episode 2.mp3"),
    ('length="1002"', 'length="1,002"'),
    ('length="1002"', 'length="0"'),
    ('length="1002" ', ""),
    ('type="audio/mpeg"', 'type="mp3"'),
    ('isPermaLink="false"', 'isPermaLink="no"'),
    ("Tue, 03 Nov 2026 06:30:00 GMT", "2026-11-03T06:30:00Z"),
    ("Tue, 03 Nov 2026 06:30:00 GMT</pubDate>", "Sun, 01 Nov 2026 06:30:00 GMT</pubDate>"),
    ('rel="self"', 'rel="alternate"'),
    ("<itunes:explicit>false", "<itunes:explicit>clean"),
    ("<itunes:duration>102", "<itunes:duration>102.5"),
    ("<itunes:duration>102", "<itunes:duration>0"),
    ("<itunes:episodeType>full", "<itunes:episodeType>whole"),
    ("<itunes:type>episodic", "<itunes:type>daily"),
    ("<itunes:type>episodic", "<itunes:type>serial"),
    ("<itunes:season>1", "<itunes:season>0"),
    ('<itunes:category text="Tech News"/>', "<itunes:category/>"),
    ('<itunes:image href="https://pods.example/mill/cover.jpg"/>', ""),
    ("<itunes:email>ruth@mill.example</itunes:email>", ""),
    ("<podcast:guid>", "<podcast:guid>0"),
    ("<podcast:locked", "<podcast:unlocked/><podcast:locked"),
    (">yes</podcast:locked>", ">true</podcast:locked>"),
    ('type="application/json+chapters"', 'type="application/json"'),
    ('type="text/vtt"', 'type="vtt"'),
    ('url="https://pods.example/mill/audio/episode-2.vtt" ', ""),
    (">Ida Brook</podcast:person>", f">{'x' * 129}</podcast:person>"),
    (">Ida Brook</podcast:person>", "></podcast:person>"),
    ("https://podcastindex.org/namespace/1.0", "https://podcastindex.org/namespace/2.0"),
    ("</rss>", ""),
]


def test_a_valid_feed_passes():
    assert problems(FEED.encode()) == []


@pytest.mark.parametrize(("text", "planted"), PLANTED)
def test_a_planted_error_is_found(text, planted):
    assert text in FEED
    assert problems(FEED.replace(text, planted, 1).encode())


@pytest.mark.parametrize("rules", [CHANNEL, ITEM])
def test_what_is_needed_is_missed(rules):
    needed = [name for name, rule in rules.items() if rule.least]
    empty = f"<rss version='2.0'><channel>{'<item/>' if rules is ITEM else ''}</channel></rss>"
    told = problems(empty.encode())
    assert all(any(f" 0 of {name}" in one for one in told) for name in needed)
