"""Mends the links of a page: each leads where it led, by an address that is a URL (EPUB 3.3, 3.3).

A link that led nowhere is a link no more; a picture that is not in the book leaves its words.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

from audiomill.inputs.epub.package import is_remote, resolve
from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.pictures import alternative_text
from audiomill.outputs.readalong.documents.addresses import fragment_url, relative_url
from audiomill.outputs.readalong.upgrade.elements import XLINK, drop, html_name, rename, take_out
from audiomill.outputs.readalong.upgrade.phrases import blocks_in

HREF = f"{{{XLINK}}}href"
_IN_URL = "/:@!$&'()*+,;=~-._?#[]%"
_URL = re.compile(r"(?:[A-Za-z0-9/:@!$&'()*+,;=~._?#\[\]-]|%[0-9A-Fa-f]{2})*")
_HOST = re.compile(r"www\.[\w-]+(\.[\w-]+)+(/\S*)?")
_ADDRESS = re.compile(r"[^/@\s:]+@[\w-]+(\.[\w-]+)+")
# The attribute that names what an element shows.
RESOURCES = {
    "audio": "src",
    "embed": "src",
    "iframe": "src",
    "img": "src",
    "input": "src",
    "link": "href",
    "object": "data",
    "script": "src",
    "source": "src",
    "track": "src",
    "video": "src",
}
MAY_BE_REMOTE = frozenset(("audio", "source", "video", "script", "track"))  # EPUB 3.3, 3.6
ONLY_OF_LINKS = ("download", "hreflang", "rel", "target", "type")


@dataclass(frozen=True, slots=True)
class Places:
    """Where links of a book can lead: entries of its archive, and the ids of its documents."""

    find: Callable[[str], str | None]
    ids: Mapping[str, frozenset[str]]


def mend_links(root: Element, path: str, places: Places) -> set[str]:
    """Mend the links of the page at `path`; returns the entries that it links to or shows."""
    used: set[str] = set()
    for element in list(root.iter()):
        name = html_name(element)
        key = "href" if name in {"a", "area"} else RESOURCES.get(name) or _drawn(element)
        value = element.get(key) if key else None
        if key and value is not None:
            address = mended(value, path, places)
            is_link = name in {"a", "area"} or local_name(element) == "a"
            if address and is_remote(address) and not is_link and name not in MAY_BE_REMOTE:
                address = None
            used |= {found for found in (target(address or "", path, places)[0],) if found}
            _set_or_end(element, key, address, is_link=is_link)
            if key == "data" and address:  # the manifest tells the type, and may tell another
                drop(element, "type")
        _mend_sources(element, path, places)
    return used


def mended(value: str, path: str, places: Places) -> str | None:
    """Return a link of the page at `path` as a URL that leads to the same place; None for none."""
    value = value.strip()
    if is_remote(value):
        return _remote(value)
    found, fragment = target(value, path, places)
    if not found:
        return _without_scheme(value)
    is_there = found not in places.ids or fragment in places.ids[found]
    literal = posixpath.join(posixpath.dirname(path), unquote(urlsplit(value).path))
    is_same = posixpath.normpath(literal) == found
    if _URL.fullmatch(value) and (is_there or not fragment) and is_same:
        return value
    if fragment and is_there and found == path:
        return fragment_url(fragment)
    return relative_url(posixpath.dirname(path), found, fragment if is_there else "")


def target(value: str, path: str, places: Places) -> tuple[str, str]:
    """Return (entry, fragment) that a link of the page at `path` leads to; ("", "") for none."""
    if not value or is_remote(value):
        return "", ""
    where, fragment = resolve(posixpath.dirname(path), value)
    if not where:
        return (path, fragment) if value.startswith("#") else ("", "")
    found = places.find(where)
    return (found, fragment) if found else ("", "")


def is_missing(path: str, places: Places) -> Callable[[str], bool]:
    """Return whether an address in a file at `path` leads to no file of the book."""
    return lambda url: (
        not (is_remote(url) or url.startswith("#") or target(url.strip(), path, places)[0])
    )


def _remote(value: str) -> str | None:
    """A link out of the book as a URL; None for a file on the disk of its maker."""
    url = value if _URL.fullmatch(value) else quote(unquote(value), safe=_IN_URL.replace("%", ""))
    try:
        parts = urlsplit("http:" + url if url.startswith("//") else url)
        host = parts.hostname or ""
    except ValueError:
        return None
    if len(parts.scheme) == 1 or parts.scheme == "file":
        return None
    is_host = re.fullmatch(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?|\[[0-9A-Fa-f:.]+\]", host)
    needs_host = parts.scheme in {"http", "https", "ftp"}
    return parts.geturl() if is_host or not needs_host else None


def _without_scheme(value: str) -> str | None:
    """What was meant by `www.example.org` and `someone@example.org`."""
    if _HOST.fullmatch(value):
        return _remote("http://" + value)
    return _remote("mailto:" + value) if _ADDRESS.fullmatch(value) else None


def _drawn(element: Element) -> str:
    """The attribute by which a drawing links or shows a picture; "" for what has none."""
    if html_name(element) or local_name(element) not in {"a", "image"}:
        return ""
    return next((key for key in (HREF, "href") if element.get(key) is not None), "")


def _set_or_end(element: Element, key: str, url: str | None, *, is_link: bool) -> None:
    """Set an address, or make of an element what needs none."""
    if url is not None:
        element.set(key, url)
        return
    del element.attrib[key]
    name = html_name(element)
    if is_link:
        drop(element, *ONLY_OF_LINKS)
    elif name == "img":
        leave_words(element)
    elif name in {"object", "embed", "iframe"}:
        end_object(element)
    elif name not in {"audio", "video", "input"}:
        take_out(element)


def end_object(element: Element) -> None:
    """Make an object that shows nothing an element around what stands in for it (4.8.6)."""
    rename(element, "div" if blocks_in(element) else "span")


def leave_words(picture: Element) -> None:
    """Make a picture that is not there an element with the words for it."""
    words = alternative_text(picture)
    rename(picture, "span")
    if words:
        picture.set("role", "img")
        picture.set("aria-label", words)


def _mend_sources(element: Element, path: str, places: Places) -> None:
    """The address of what is quoted, of a poster, or of what a form calls, if it is a URL."""
    for key in ("cite", "poster", "action", "srcset"):
        value = element.get(key)
        if value is not None and not (value.strip() and _is_source(key, value, path, places)):
            del element.attrib[key]


def _is_source(key: str, value: str, path: str, places: Places) -> bool:
    if key == "srcset":
        return all(target(url, path, places)[0] for url in _pictures(value))
    is_open = value.strip().lower().startswith("http:")  # epubcheck warns of it
    return mended(value, path, places) == value and not is_open


def _pictures(srcset: str) -> Iterator[str]:
    return (part.split()[0] for part in srcset.split(",") if part.strip())
