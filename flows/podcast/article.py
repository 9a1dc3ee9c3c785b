"""An article that a source of a podcast has: which articles are one, and their pictures.

An article keeps its id, so that no feed has an episode twice. Pictures become the covers of
episodes. One is fetched when its page was, and only if it has changed since. One that cannot be had
fails no article: the picture that was kept before stays, or else the show's own is shown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from audiomill.flows.articles import display_address, keep_page
from audiomill.flows.podcast.polite_fetcher import PoliteFetcher
from audiomill.flows.podcast.show_settings import SourceChoice
from audiomill.flows.podcast.state import ArticleRecord
from audiomill.inputs.articles.alignment import letters_only
from audiomill.inputs.articles.extraction import named_picture
from audiomill.inputs.articles.links import address_key
from audiomill.inputs.articles.page import (
    ARTICLE_SUFFIX,
    PICTURE_TYPES,
    Fetched,
    FetchError,
    load,
    picture_path,
    picture_url,
)
from audiomill.inputs.markup.encodings import decode
from audiomill.inputs.model.book import SourceCorrupt

FILE_SCHEME = "file:"  # of the id of an article in a file


@dataclass(frozen=True, slots=True)
class Article:
    """An article that a source has, and the file that is read for it."""

    id: str  # the same in each run: what it was first found under
    url: str  # for people: of a page, or mid: of a letter; "" for a file
    source: SourceChoice
    path: Path
    title: str = ""
    published: datetime | None = None  # in UTC
    page: Fetched | None = None  # what the source itself had of it: nothing is fetched then
    canonical: str = ""  # the address that the page gives as its own
    problem: str = ""  # why it cannot be had now
    is_temporary: bool = False  # what the problem is: nothing that the article could help
    address: str = ""  # of a page that is fetched, with placeholders for secrets


class KnownArticles:
    """The ids of articles of earlier runs, by the addresses that they were found under."""

    def __init__(self, records: Iterable[ArticleRecord]) -> None:
        self._ids: dict[str, str] = {}
        self._canonical: dict[str, tuple[str, str]] = {}  # (id, title) by the address
        for one in records:
            if one.url:
                self._ids.setdefault(address_key(one.url), one.id)
            if one.canonical:
                self._canonical.setdefault(address_key(one.canonical), (one.id, one.title))

    def identified(self, articles: Iterable[Article]) -> Sequence[Article]:
        """Each article once, the first that there is, with its id of earlier runs."""
        first: dict[str, Article] = {}
        pages: dict[str, tuple[str, str]] = {}
        for found in articles:
            article = self._known(found)
            key = address_key(article.canonical) if article.canonical else ""
            id_, title = pages.get(key, (article.id, article.title))
            if article.id in first or (id_ in first and not are_different(title, article.title)):
                continue
            first[article.id] = article
            if key:
                pages.setdefault(key, (article.id, article.title))
        return list(first.values())

    def _known(self, article: Article) -> Article:
        if not article.url:
            return article
        known = self._ids.get(address_key(article.url))
        if known is None and article.canonical:
            id_, title = self._canonical.get(address_key(article.canonical), ("", ""))
            known = id_ if id_ and not are_different(title, article.title) else None
        return replace(article, id=known or article.id)


def are_different(one: str, other: str) -> bool:
    """Whether two titles are those of different articles. A page may add the name of its site."""
    short, long = sorted(map(letters_only, (one, other)), key=len)
    return bool(short) and short not in long


def keep_pictures(
    articles: Iterable[Article], fetcher: PoliteFetcher, n_at_once: int
) -> dict[str, str]:
    """Keep the picture of each article that has one. Returns problems by the article's id.

    Raises Interrupted, OutputUnwritable.
    """
    of_pages = [one for one in articles if one.path.suffix == ARTICLE_SUFFIX and not one.problem]
    with ThreadPoolExecutor(n_at_once) as threads:
        problems = list(threads.map(partial(_problem_of, fetcher=fetcher), of_pages))
    return {one.id: problem for one, problem in zip(of_pages, problems, strict=True) if problem}


def picture_hash(path: Path) -> str:
    """The hash of the picture that is kept of the page in a file; "" if none is. Raises OSError."""
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
        return f"{display_address(url)}: {error}. The episode has the podcast's picture."
    return ""


def _kept_at(path: Path) -> tuple[str, Path] | None:
    """(the URL of the picture of the page in a file, where it is kept); None without one."""
    if path.suffix != ARTICLE_SUFFIX:
        return None
    try:
        page = load(path)
        text = decode(page.content or b"", page.charset)
    except (OSError, SourceCorrupt):  # its own run tells
        return None
    url = picture_url(page, named_picture(text))
    return (url, picture_path(path, url)) if url else None
