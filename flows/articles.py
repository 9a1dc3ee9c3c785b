"""Articles as sources: web pages that are kept, and the jobs of a digest's articles.

A run needs the server of a page only for what has changed. Each article of a digest is read as it
would be alone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

from audiomill.flows.errors import UsageError
from audiomill.flows.job import Job
from audiomill.inputs.articles.addresses import NetworkPolicy
from audiomill.inputs.articles.digest import DIGEST_SUFFIX, Digest, DigestArticle
from audiomill.inputs.articles.page import (
    ARTICLE_SUFFIX,
    Fetched,
    FetchError,
    Seen,
    Unavailable,
    dumped,
    load,
)
from audiomill.inputs.casting.cast import Cast, CastInvalid, read_cast
from audiomill.inputs.metadata.corrections import Corrections
from audiomill.inputs.metadata.credits import Credits
from audiomill.inputs.model.book import SourceCorrupt, SourceMissing
from audiomill.outputs.files import unwritable_errors, write_atomically
from audiomill.renderers.host.folders import cache_folder

# What fetches a URL, if it has one of some media types, and has changed since it was seen.
Fetch = Callable[[str, frozenset[str], Seen | None], Fetched]

PAGE_TYPES = frozenset(("text/html", "application/xhtml+xml"))
_LONGEST_NAME = 60
_USERINFO = re.compile(r"(?<=//)[^/?#]*@")
_NO_NAME = re.compile(r"[^\w-]+")


def page_path(url: str) -> Path:
    """Where the page at `url` is kept: in the cache, under its server and its name."""
    parts = urlsplit(url)
    name = _NO_NAME.sub("-", Path(unquote(parts.path)).stem)[:_LONGEST_NAME].strip("-") or "page"
    host = _NO_NAME.sub("-", parts.netloc.rpartition("@")[2]) or "nowhere"
    digest = hashlib.sha256(url.encode()).hexdigest()[:12]
    return cache_folder() / "articles" / host / f"{name}-{digest}{ARTICLE_SUFFIX}"


def refresh_page(url: str, path: Path, policy: NetworkPolicy) -> tuple[str, ...]:
    """Fetch the page at `url` into `path`, unless its server says that it has not changed.

    If the server is away, a page that was fetched before stays as it is; the warning that is
    returned says so. Raises SourceMissing if there is nothing to read.
    """
    from audiomill.inputs.articles.fetching import Fetcher  # httpx takes a while to import

    try:
        keep_page(url, path, PAGE_TYPES, Fetcher(policy).fetch)
    except Unavailable as error:
        if _load(path) is None:
            raise SourceMissing(f"{display_address(url)}: {error}. Try again later.") from error
        return (f"{url}: {error}. The page is read as it was fetched before.",)
    except FetchError as error:
        raise SourceMissing(f"{display_address(url)}: {error}.") from error
    return ()


def keep_page(url: str, path: Path, media_types: frozenset[str], fetch: Fetch) -> Fetched:
    """The page at `url`, which is kept in `path`, so that it is sent again only if it has changed.

    Raises FetchError, OutputUnwritable.
    """
    known = _load(path)
    page = fetch(url, media_types, known.seen if known else None)
    if page.content is None and known is not None:
        return known
    if page != known:
        save_page(page, path)
    return page


def save_page(page: Fetched, path: Path) -> None:
    """Write a page into `path`. Raises OutputUnwritable."""
    with unwritable_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, dumped(page))


def display_address(url: str) -> str:
    """The address without a name and a password."""
    return _USERINFO.sub("", url)


def _load(path: Path) -> Fetched | None:
    """The page as it was fetched before; None if there is none, or it cannot be read."""
    try:
        return load(path)
    except (OSError, SourceCorrupt):
        return None


def is_digest(path: Path) -> bool:
    """Whether the source is a list of articles."""
    return path.suffix == DIGEST_SUFFIX


def job_of_article(job: Job, digest: Digest, article: DigestArticle) -> Job:
    """The job for an article of the digest that `job` is for. Raises UsageError."""
    return replace(
        job,
        source=article.path,
        voice=article.voice,
        cast=_cast(article.cast),
        credits=Credits(enabled=True, opening=digest.intro, closing="", narrator=""),
        chapters="",
        corrections=Corrections(),
    )


def _cast(path: Path | None) -> Cast:
    try:
        return Cast() if path is None else read_cast(path)[1]
    except CastInvalid as error:
        raise UsageError(str(error)) from error
