"""Keeps the pictures of articles, which become the covers of their episodes.

A picture is fetched when its page was, and only if it has changed since. One that cannot be had
fails no article: the picture that was kept before stays, or else the show's own is shown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from audiomill.flows.articles import keep_page, shown
from audiomill.flows.podcast.sources.article import Article
from audiomill.flows.podcast.sources.polite import PoliteFetcher
from audiomill.inputs.articles.extraction import named_picture
from audiomill.inputs.articles.page import PICTURE_TYPES, SUFFIX, load, picture_path, picture_url
from audiomill.inputs.articles.web.errors import FetchError
from audiomill.inputs.markup.encodings import decode
from audiomill.inputs.model.book import SourceCorrupt


def keep_pictures(
    articles: Iterable[Article], fetcher: PoliteFetcher, n_at_once: int
) -> dict[str, str]:
    """Keep the picture of each article that has one. Returns problems by the article's id.

    Raises Interrupted, OutputUnwritable.
    """
    of_pages = [one for one in articles if one.path.suffix == SUFFIX and not one.problem]
    with ThreadPoolExecutor(n_at_once) as threads:
        problems = list(threads.map(partial(_problem_of, fetcher=fetcher), of_pages))
    return {one.id: problem for one, problem in zip(of_pages, problems, strict=True) if problem}


def picture_digest(path: Path) -> str:
    """A digest of the picture that is kept of the page in a file; "" if none is. Raises OSError."""
    kept = _kept_at(path)
    if kept is None:
        return ""
    try:
        return hashlib.sha256(load(kept[1]).content or b"").hexdigest()
    except (FileNotFoundError, SourceCorrupt):
        return ""


def _problem_of(article: Article, fetcher: PoliteFetcher) -> str:
    """Keep the article's picture; why it cannot be had, or ""."""
    kept = _kept_at(article.path)
    if kept is None:
        return ""
    url, path = kept
    if path.exists() and path.stat().st_mtime_ns > article.path.stat().st_mtime_ns:
        return ""  # its page has not changed
    try:
        keep_page(url, path, PICTURE_TYPES, fetcher.fetch)
        path.touch()
    except FetchError as error:
        return f"{shown(url)}: {error}. The episode has the podcast's picture."
    return ""


def _kept_at(path: Path) -> tuple[str, Path] | None:
    """(the URL of the picture of the page in a file, where it is kept); None without one."""
    if path.suffix != SUFFIX:
        return None
    try:
        page = load(path)
        text = decode(page.content or b"", page.charset)
    except (OSError, SourceCorrupt):  # its own run tells
        return None
    url = picture_url(page, named_picture(text))
    return (url, picture_path(path, url)) if url else None
