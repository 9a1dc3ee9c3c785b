"""A web page as it was fetched, in one file: a line of JSON about it, then its bytes.

So an article can be read again without its server, and the server can be asked what has changed.
Its lead picture, which the page names for previews, lies beside it, as it was fetched, and becomes
the cover. A page that names another picture has another file.

A FetchError is why there is no page. Its message is half a sentence: it follows the address.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from urllib.parse import urljoin

from audiomill.inputs.json_text import parse_json
from audiomill.inputs.metadata.covers import square_cover
from audiomill.inputs.metadata.images import UnusableImage
from audiomill.inputs.model.book import Cover, SourceCorrupt

ARTICLE_SUFFIX = ".article"  # a line about the page, then what its server sent
_LONGEST_HEADER = 1 << 16
PICTURE_TYPES = frozenset(("image/jpeg", "image/png", "image/webp", "image/gif"))
PICTURE_SUFFIX = ".picture"


@dataclass(frozen=True, slots=True)
class Seen:
    """What a server said of its content when it was last fetched (RFC 9110, 13.1)."""

    etag: str = ""
    last_modified: str = ""
    url: str = ""  # that it said so of, after redirects


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer. `content` is None if the server says that it is as it was seen."""

    url: str  # after redirects
    content: bytes | None
    media_type: str  # in lower case; "" if not told
    charset: str  # as told; ""
    seen: Seen = field(default_factory=Seen)


def dumped(page: Fetched) -> bytes:
    """The content of the file of a page."""
    about = {**asdict(page), "content": None}
    return json.dumps(about, ensure_ascii=False).encode() + b"\n" + (page.content or b"")


def load(path: Path) -> Fetched:
    """The page in a file. Raises SourceCorrupt for another file, and OSError."""
    with path.open("rb") as file:
        header = file.readline(_LONGEST_HEADER)
        content = file.read()
    try:
        about = parse_json(header)
        seen, url = about["seen"], str(about["url"])
        was_seen = Seen(str(seen["etag"]), str(seen["last_modified"]), url)
        media_type, charset = str(about["media_type"]), str(about["charset"])
        return Fetched(url, content, media_type, charset, was_seen)
    except (ValueError, KeyError, TypeError) as error:
        raise SourceCorrupt(f"“{path.name}” is no saved article. Fetch it again.") from error


def picture_url(page: Fetched, named: str) -> str:
    """The URL of a picture as a page names it; "" if that is none."""
    try:
        return urljoin(page.url, named.strip()) if named.strip() else ""
    except ValueError:
        return ""


def picture_path(page_path: Path, url: str) -> Path:
    """Where the picture at `url` is kept, of the page in `page_path`."""
    url_hash = hashlib.sha256(url.encode("utf-8", "replace")).hexdigest()[:12]
    return page_path.with_name(f"{page_path.stem}-{url_hash}{PICTURE_SUFFIX}")


def cover_in(path: Path) -> tuple[Cover | None, str]:
    """(the cover that is made of a kept picture, why it cannot be made); (None, "") without one."""
    try:
        return square_cover(load(path).content or b""), ""
    except OSError:
        return None, ""
    except (SourceCorrupt, UnusableImage) as error:
        return None, f"the article's picture is left out: {error}"


class FetchError(Exception):
    """A page was not fetched. `retry_after_s` is when to ask again; None: not before a change."""

    retry_after_s: float | None = None


class Refused(FetchError):
    """The address may not be fetched, or its content may not be read, by our own rules."""


class NotThere(FetchError):
    """The server says that there is nothing to read, or nothing for us."""


class Unavailable(FetchError):
    """The server could not be reached, or had no answer now. It may have one later."""

    def __init__(self, message: str, retry_after_s: float = 0.0) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
