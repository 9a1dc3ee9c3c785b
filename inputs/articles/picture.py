"""The lead picture of an article, which its page names for previews: where it is kept, as a cover.

It lies beside the page, as it was fetched. A page that names another picture has another file.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from urllib.parse import urljoin

from audiomill.inputs.articles.page import Fetched, load
from audiomill.inputs.metadata.covers import square_cover
from audiomill.inputs.metadata.images import UnusableImage
from audiomill.inputs.model.book import Cover, SourceCorrupt

PICTURE_TYPES = frozenset(("image/jpeg", "image/png", "image/webp", "image/gif"))
SUFFIX = ".picture"


def picture_url(page: Fetched, named: str) -> str:
    """The URL of a picture as a page names it; "" if that is none."""
    try:
        return urljoin(page.url, named.strip()) if named.strip() else ""
    except ValueError:
        return ""


def picture_path(page_path: Path, url: str) -> Path:
    """Where the picture at `url` is kept, of the page in `page_path`."""
    digest = hashlib.sha256(url.encode("utf-8", "replace")).hexdigest()[:12]
    return page_path.with_name(f"{page_path.stem}-{digest}{SUFFIX}")


def cover_in(path: Path) -> tuple[Cover | None, str]:
    """(the cover that is made of a kept picture, why it cannot be made); (None, "") without one."""
    try:
        return square_cover(load(path).content or b""), ""
    except OSError:
        return None, ""
    except (SourceCorrupt, UnusableImage) as error:
        return None, f"the article's picture is left out: {error}"
