"""A checker of podcast feeds, made from the specifications and not from our own writer.

    element of channel or item ─▶ how often it may be there, its text, its attributes

Sources: RSS 2.0 (rssboard.org/rss-specification) and its profile for atom:link; Apple's "A
Podcaster's Guide to RSS"; docs/tags/ of github.com/Podcastindex-org/podcast-namespace; RFC 2822 for
dates, RFC 3986 for URLs, RFC 9562 for UUIDs.
"""

import io
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import feedparser
import mutagen
import podcastparser
from lxml import etree

ATOM, CONTENT = "http://www.w3.org/2005/Atom", "http://purl.org/rss/1.0/modules/content/"
ITUNES = "http://www.itunes.com/dtds/podcast-1.0.dtd"
PODCAST = "https://podcastindex.org/namespace/1.0"
PREFIXES = {ATOM: "atom", CONTENT: "content", ITUNES: "itunes", PODCAST: "podcast"}

_TOLD = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
PATTERNS: Mapping[str, str] = _TOLD["patterns"]
ANY, DATE = PATTERNS["ANY"], PATTERNS["DATE"]
MAX_DESCRIPTION_BYTES = 4000


@dataclass(frozen=True)
class Rule:
    """What an element may be. Attributes that end with "?" may be left out."""

    least: int
    most: int | None
    text: str
    attributes: Mapping[str, str]
    children: Mapping[str, "Rule"]


def _rules(told: Mapping[str, Sequence[Any]], inner: Mapping[str, Any]) -> Mapping[str, Rule]:
    """The rules of a table; `inner` has those of what is in its elements."""
    return {
        name: _rule(*rule, children=_rules(inner.get(name, {}), {})) for name, rule in told.items()
    }


def _rule(
    times: str,
    text: str,
    attributes: Mapping[str, str] | None = None,
    *,
    children: Mapping[str, Rule],
) -> Rule:
    least, dash, most = times.partition("-")
    values = {name: PATTERNS.get(value, value) for name, value in (attributes or {}).items()}
    highest = int(most or 0) or None if dash else int(least)
    return Rule(int(least), highest, PATTERNS.get(text, text), values, children)


CHANNEL = _rules(_TOLD["channel"], {name: one for name, one in _TOLD.items() if name != "item"})
ITEM = _rules(_TOLD["item"], {})


def problems(data: bytes) -> list[str]:
    """What is wrong with a feed, in words; nothing for a valid one."""
    try:
        root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, huge_tree=True))
    except etree.XMLSyntaxError as error:
        return [f"no XML: {error}"]
    if (
        root.tag != "rss"
        or root.get("version") != "2.0"
        or [one.tag for one in root] != ["channel"]
    ):
        return ["no RSS 2.0 with one channel"]
    channel = root[0]
    return [*_check(channel, CHANNEL), *_check_items(channel)]


def _check_items(channel: etree._Element) -> Iterator[str]:
    items = channel.findall("item")
    for item in items:
        yield from _check(item, ITEM)
    for path in ("guid", "enclosure/@url"):
        values = [str(getattr(one, "text", one)) for item in items for one in item.xpath(path)]
        if len(set(values)) != len(values):
            yield f"{path} is there twice"
    dates = [item.findtext("pubDate") or "" for item in items]
    if all(re.fullmatch(DATE, one) for one in dates):
        moments = [parsedate_to_datetime(one) for one in dates]
        if moments != sorted(moments, reverse=True):
            yield "items are not in order, the newest first"
    is_serial = channel.findtext(f"{{{ITUNES}}}type") == "serial"
    if is_serial and any(item.find(f"{{{ITUNES}}}episode") is None for item in items):
        yield "an item of a serial has no itunes:episode"


def _check(parent: etree._Element, rules: Mapping[str, Rule]) -> Iterator[str]:
    names = [_name(one) for one in parent]
    for name in names:
        if name not in rules:
            yield f"{_name(parent)} has an unknown {name}"
    for name, rule in rules.items():
        if not rule.least <= names.count(name) <= (rule.most or len(names)):
            yield f"{_name(parent)} has {names.count(name)} of {name}"
    for one in parent:
        if _name(one) in rules:
            yield from _check_element(one, rules[_name(one)])


def _check_element(element: etree._Element, rule: Rule) -> Iterator[str]:
    name, text = _name(element), element.text or ""
    if not re.fullmatch(rule.text, text):
        yield f"{name} may not be “{text[:60]}”"
    if rule.text == ANY and (not text.strip() or text != text.strip()):
        yield f"{name} is blank, or has blanks around it"
    is_limited = name in ("description", "itunes:summary")
    if is_limited and len(text.encode()) > MAX_DESCRIPTION_BYTES:
        yield f"{name} has more than {MAX_DESCRIPTION_BYTES} bytes"
    allowed = {key.removesuffix("?"): value for key, value in rule.attributes.items()}
    for key, value in element.attrib.items():
        if not re.fullmatch(allowed.get(key, "(?!)"), value):
            yield f"{name} may not have {key}=“{value}”"
    for key in rule.attributes:
        if not key.endswith("?") and key not in element.attrib:
            yield f"{name} has no {key}"
    if rule.children or (len(element) and name != "item"):
        yield from _check(element, rule.children)


def _name(element: etree._Element) -> str:
    parts = etree.QName(element)
    if parts.namespace is None:
        return parts.localname
    return f"{PREFIXES.get(parts.namespace, parts.namespace)}:{parts.localname}"


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


def guids_listed(data: bytes, address: str, size_of: Callable[[str], int]) -> list[str]:
    """The guids in a valid feed at an address, each of whose files is as long as the feed says.

    `size_of`: the bytes of a file, by its name in the folder of the feed.
    """
    assert problems(data) == []
    folder = address.rpartition("/")[0]
    episodes = podcastparser.parse(address, io.BytesIO(data))["episodes"]
    for episode in episodes:
        (enclosure,) = episode["enclosures"]
        name = unquote(enclosure["url"].removeprefix(f"{folder}/"))
        assert size_of(name) == enclosure["file_size"]
    return [episode["guid"] for episode in episodes]
