"""The URLs of a podcast: ASCII ones of the web, and those of files beside its feed.

Sources: RFC 3986 (URLs), RFC 5891 (names of hosts); Podcasting 2.0 for the GUID of a show.
"""

from __future__ import annotations

import uuid
from pathlib import PurePosixPath
from urllib.parse import quote, unquote, urlsplit

import httpx

# tags/guid.md of github.com/Podcastindex-org/podcast-namespace
_GUID_NAMESPACE = uuid.UUID("ead4c236-bf58-58c6-a2c6-a6b28d128cb6")
_HASH_CHARS = 12
_MAX_NAME_BYTES = 255  # of each part, in usual file systems


def web_url(text: str) -> str:
    """An http or https URL in ASCII, percent-encoded, its host in Punycode; "" if it is none."""
    try:
        url = httpx.URL(text.strip())
    except (httpx.InvalidURL, ValueError):
        return ""
    is_of_web = url.scheme in {"http", "https"} and bool(url.host)
    return str(url) if is_of_web and str(url).isascii() else ""


def folder_url(feed_url: str) -> str:
    """The URL of the folder that holds the feed, with "/" at its end."""
    parts = urlsplit(web_url(feed_url))
    return f"{parts.scheme}://{parts.netloc}{parts.path.rpartition('/')[0]}/"


def feed_name(feed_url: str) -> str:
    """The name of the feed's file; "" if its URL ends with that of a folder."""
    return unquote(urlsplit(web_url(feed_url)).path.rpartition("/")[2])


def file_url(feed_url: str, name_or_url: str) -> str:
    """The URL of a file beside the feed; a URL as it is; "" for ""."""
    url = web_url(name_or_url)
    return url or (folder_url(feed_url) + quote(name_or_url) if name_or_url else "")


def is_file_name(name: str) -> bool:
    """Whether a name leads to a file below the show's folder that is not hidden, on any system."""
    if not name.isprintable() or "\\" in name or name != str(PurePosixPath(name)):
        return False
    parts = PurePosixPath(name).parts
    return all(not one.startswith((".", "/")) and _is_short(one) for one in parts)


def content_name(stem: str, sha256: str, suffix: str) -> str:
    """The name of a file that never changes under it, because it tells the hash of its content."""
    return f"{stem}-{sha256[:_HASH_CHARS]}{suffix}"


def show_guid(feed_url: str) -> str:
    """The GUID of a new show: a UUIDv5 of the feed's URL without scheme and last slashes."""
    _, _, address = web_url(feed_url).partition("://")
    return str(uuid.uuid5(_GUID_NAMESPACE, address.rstrip("/")))


def _is_short(part: str) -> bool:
    return len(part.encode()) <= _MAX_NAME_BYTES
