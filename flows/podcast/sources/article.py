"""An article that a source of a podcast has, and which articles are one.

An article keeps its id, so that no feed has an episode twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from audiomill.flows.podcast.config.show import SourceChoice
from audiomill.flows.podcast.state import ArticleRecord
from audiomill.inputs.articles.alignment import letters_only
from audiomill.inputs.articles.listings.links import address_key
from audiomill.inputs.articles.page import Fetched

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
