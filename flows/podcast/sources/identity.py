"""Tells which articles are one: an article keeps its id, so that no feed has an episode twice.

Two articles are one if their addresses are, less what only counts clicks, whether http or https; or
if their pages give one address as their own. Some sites give one address on all their pages: so
what has another title is another article.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from audiomill.flows.podcast.sources.article import Article
from audiomill.flows.podcast.state import ArticleRecord
from audiomill.inputs.articles.alignment import letters_only
from audiomill.inputs.articles.canonical import address_key


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
