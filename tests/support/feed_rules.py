"""A checker of podcast feeds, made from the specifications and not from our own writer.

    element of channel or item ─▶ how often it may be there, its text, its attributes

Sources: RSS 2.0 (rssboard.org/rss-specification) and its profile for atom:link; Apple's "A
Podcaster's Guide to RSS"; docs/tags/ of github.com/Podcastindex-org/podcast-namespace; RFC 2822 for
dates, RFC 3986 for URLs, RFC 9562 for UUIDs.
"""

import io
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import unquote

import feedparser
import mutagen
import podcastparser
from lxml import etree

ATOM, CONTENT = "http://www.w3.org/2005/Atom", "http://purl.org/rss/1.0/modules/content/"
ITUNES = "http://www.itunes.com/dtds/podcast-1.0.dtd"
PODCAST = "https://podcastindex.org/namespace/1.0"
PREFIXES = {ATOM: "atom", CONTENT: "content", ITUNES: "itunes", PODCAST: "podcast"}

ANY = r"[\s\S]*"
TEXT = r"\S(?:[\s\S]{0,253}\S)?"  # Apple: 255 characters, no blanks around them
NAME = r"\S(?:[\s\S]{0,126}\S)?"  # Podcasting 2.0: 128 characters
URL = r"https?://[!-;=?-~]+"  # ASCII without quotation marks of XML and blanks
DATE = (
    r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
    r" \d{4} \d{2}:\d{2}:\d{2} (?:GMT|[+-]\d{4})"
)
LANGUAGE = r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*"
COUNT = "[1-9][0-9]*"
EMAIL = "[^@ ]+@[^@ ]+"
UUID5 = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-5[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}"
MEDIA_TYPE = r"[a-z]+/[a-z0-9.+-]+"
YES_NO, TRUE_FALSE = "yes|no", "true|false"
MAX_DESCRIPTION_BYTES = 4000


@dataclass(frozen=True)
class Rule:
    """What an element may be. Attributes that end with "?" may be left out."""

    least: int
    most: int | None
    text: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    children: Mapping[str, "Rule"] = field(default_factory=dict)


SUBCATEGORY = Rule(0, None, "", {"text": TEXT})
PERSON = Rule(0, None, NAME, {"role?": "[a-z -]+", "group?": "[a-z -]+", "href?": URL, "img?": URL})
IMAGE = {"url": Rule(1, 1, URL), "title": Rule(1, 1, TEXT), "link": Rule(1, 1, URL)}
OWNER = {"itunes:name": Rule(0, 1, TEXT), "itunes:email": Rule(1, 1, EMAIL)}
CHANNEL = {
    "title": Rule(1, 1, TEXT),
    "link": Rule(1, 1, URL),
    "description": Rule(1, 1, ANY),
    "language": Rule(1, 1, LANGUAGE),
    "copyright": Rule(0, 1, TEXT),
    "generator": Rule(0, 1, TEXT),
    "lastBuildDate": Rule(0, 1, DATE),
    "image": Rule(0, 1, r"\s*", children=IMAGE),
    "atom:link": Rule(1, 1, "", {"href": URL, "rel": "self", "type": r"application/rss\+xml"}),
    "itunes:image": Rule(1, 1, "", {"href": URL}),
    "itunes:category": Rule(
        1, None, r"\s*", {"text": TEXT}, children={"itunes:category": SUBCATEGORY}
    ),
    "itunes:explicit": Rule(1, 1, TRUE_FALSE),
    "itunes:author": Rule(0, 1, TEXT),
    "itunes:type": Rule(0, 1, "episodic|serial"),
    "itunes:block": Rule(0, 1, "Yes"),
    "itunes:owner": Rule(0, 1, r"\s*", children=OWNER),
    "podcast:guid": Rule(1, 1, UUID5),
    "podcast:locked": Rule(0, 1, YES_NO, {"owner?": EMAIL}),
    "podcast:block": Rule(0, None, YES_NO, {"id?": "[a-z]+"}),
    "podcast:funding": Rule(0, None, f"(?:{NAME})?", {"url": URL}),
    "podcast:person": PERSON,
    "item": Rule(0, None, r"\s*"),
}
ITEM = {
    "title": Rule(1, 1, TEXT),
    "link": Rule(0, 1, URL),
    "guid": Rule(1, 1, TEXT, {"isPermaLink": TRUE_FALSE}),
    "pubDate": Rule(1, 1, DATE),
    "description": Rule(0, 1, ANY),
    "content:encoded": Rule(0, 1, ANY),
    "enclosure": Rule(1, 1, "", {"url": URL, "length": COUNT, "type": MEDIA_TYPE}),
    "itunes:summary": Rule(0, 1, ANY),
    "itunes:author": Rule(0, 1, TEXT),
    "itunes:duration": Rule(1, 1, COUNT),
    "itunes:explicit": Rule(0, 1, TRUE_FALSE),
    "itunes:episodeType": Rule(0, 1, "full|trailer|bonus"),
    "itunes:image": Rule(0, 1, "", {"href": URL}),
    "podcast:image": Rule(0, None, "", {"href": URL}),
    "itunes:season": Rule(0, 1, COUNT),
    "itunes:episode": Rule(0, 1, COUNT),
    "podcast:season": Rule(0, 1, COUNT, {"name?": NAME}),
    "podcast:episode": Rule(0, 1, r"\d+(?:\.\d+)?", {"display?": ".{1,32}"}),
    "podcast:chapters": Rule(0, 1, "", {"url": URL, "type": r"application/json\+chapters"}),
    "podcast:transcript": Rule(
        *(0, None, ""),
        {"url": URL, "type": MEDIA_TYPE, "language?": LANGUAGE, "rel?": "captions"},
    ),
    "podcast:person": PERSON,
}


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
