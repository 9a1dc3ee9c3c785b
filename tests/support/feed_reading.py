"""A published podcast, read back as a player reads it."""

from pathlib import Path

import feedparser
import mutagen


def published(folder: Path) -> dict[str, feedparser.FeedParserDict]:
    """The entries of the feed in a folder by their guid: the audio of each is there and whole."""
    feed = parsed_feed((folder / "feed.xml").read_bytes())
    for entry in feed.entries:
        (enclosure,) = entry.enclosures
        audio = folder / enclosure.href.rpartition("/")[2]
        assert audio.stat().st_size == int(enclosure.length)
        assert mutagen.File(audio).info.length > 1
    guids = [entry.id for entry in feed.entries]
    assert len(set(guids)) == len(guids)
    return dict(zip(guids, feed.entries, strict=True))


def parsed_feed(data: bytes) -> feedparser.FeedParserDict:
    """A feed in which feedparser finds no fault."""
    feed = feedparser.parse(data)
    assert not feed.bozo, feed.bozo_exception
    return feed
