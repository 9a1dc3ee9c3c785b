"""Bounds the parts of a feed for which feedparser's time grows with the square of their size.

attributes of an element   the feed is refused over MAX_ATTRIBUTES
entries                    those after the last that is listed are left out
categories, keywords       left out: they are not read, and each is compared with all before it
a person                   cut: an address is searched from each letter to the end
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from itertools import islice

MAX_ENTRIES = 20_000  # of one feed; the largest archives have some thousands
MAX_ATTRIBUTES = 200  # of one element
# Of a person, with markup: Atom has a name, an address and a picture of each. Over it only the
# beginning of its words is kept, as of a paper with hundreds of authors.
MAX_PERSON_CHARS, KEPT_CHARS, _READ_CHARS = 1_000, 500, 20_000

_ENTRY = re.compile(r"<((?:[\w.-]+:)?(?:item|entry))[\s/>]", re.IGNORECASE)
_ATTRIBUTE = r"""\s+[^\s<>="'/]+\s*=\s*(?:"[^"<]*"|'[^'<]*')"""
_CROWDED = re.compile(rf"<[^\s<>/]+(?:{_ATTRIBUTE}){{{MAX_ATTRIBUTES + 1}}}")
_TAG = re.compile(r"<(/?)(?:[\w.-]+:)?(?:category|keywords|subject|tags)(?=[\s/>])", re.IGNORECASE)
_PERSON = re.compile(
    r"<((?:[\w.-]+:)?(?:author|creator|managingeditor|owner|publisher|webmaster))(?:\s[^<>]*)?>",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"<!\[CDATA\[|\]\]>|<[^<>]*>")


def is_crowded(feed: str) -> bool:
    """Whether an element has over MAX_ATTRIBUTES attributes."""
    return _CROWDED.search(feed) is not None


def bounded(feed: str, max_entries: int = MAX_ENTRIES) -> str:
    """The feed without what is not listed, and with the beginning of persons that are too long."""
    return _TAG.sub(r"<\1unread", "".join(_with_cut_persons(_without_rest(feed, max_entries))))


def _without_rest(feed: str, max_entries: int) -> str:
    """The feed without the entries after the last that is listed."""
    first = next(islice(_ENTRY.finditer(feed), max_entries, None), None)
    if first is None:
        return feed
    end = f"</{first[1]}>"
    return feed[: first.start()] + feed[feed.rfind(end) :].removeprefix(end)


def _with_cut_persons(feed: str) -> Iterator[str]:
    """The pieces of the feed."""
    at = 0
    while (person := _PERSON.search(feed, at)) is not None:
        end = feed.find(f"</{person[1]}", person.end())
        if end < 0:  # so the next ones of that name have none either
            end = len(feed)
        inner = feed[person.end() : end]
        yield feed[at : person.end()]
        yield _cut(inner) if len(inner) > MAX_PERSON_CHARS else inner
        at = end
    yield feed[at:]


def _cut(person: str) -> str:
    words = html.unescape(_MARKUP.sub("", person[:_READ_CHARS]))[:KEPT_CHARS]
    return html.escape(words.rpartition(",")[0] or words, quote=False)
