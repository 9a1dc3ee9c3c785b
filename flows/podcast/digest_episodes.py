"""What the feed says of a finished digest: its articles, where each begins, and links to them."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from audiomill.flows.pipeline.reporting.report import Report
from audiomill.flows.podcast.episodes import authors_of, bare_episode
from audiomill.flows.podcast.sources.article import Article
from audiomill.inputs.articles.digest import load
from audiomill.inputs.book import Book
from audiomill.inputs.credits.dates import written_date
from audiomill.inputs.reading import read_book
from audiomill.outputs.metadata.chapters import mark_title
from audiomill.outputs.podcast.show import Episode, EpisodeChapter
from audiomill.outputs.podcast.urls import web_url

_BETWEEN = " · "


def make_digest_episode(
    digest: Article, articles: Sequence[Article], report: Report, published: datetime
) -> Episode:
    """The episode of a finished digest. Raises SourceError, OSError."""
    listed = load(digest.path)
    episode = bare_episode(report, digest.id, listed.title, published, listed.language)
    books = [_titled(read_book(one.path, report.job.limits), one.title) for one in articles]
    links = [(book.title, web_url(one.url)) for one, book in zip(articles, books, strict=True)]
    return replace(
        episode,
        summary=_BETWEEN.join(book.title for book in books),
        show_notes_html=_show_notes(links, books, listed.language),
        chapters=tuple(_linked(episode.chapters, links)),
        persons=authors_of(books),
    )


def _titled(book: Book, title: str) -> Book:
    return replace(book, title=book.title or title)


def _linked(
    chapters: Iterable[EpisodeChapter], links: Sequence[tuple[str, str]]
) -> Iterator[EpisodeChapter]:
    """The chapters with the links of their articles: one that is silent has no chapter."""
    waiting = [(mark_title(title), link) for title, link in links]
    for chapter in chapters:
        titles = [title for title, _ in waiting]
        if chapter.title not in titles:
            yield chapter
            continue
        at = titles.index(chapter.title)
        yield replace(chapter, link=waiting[at][1])
        waiting = waiting[at + 1 :]


def _show_notes(links: Sequence[tuple[str, str]], books: Sequence[Book], language: str) -> str:
    entries = (_entry(book, link, language) for book, (_, link) in zip(books, links, strict=True))
    return f"<ol>{''.join(entries)}</ol>"


def _entry(book: Book, link: str, language: str) -> str:
    """An article in the show notes: its linked title, its authors, its site and its date."""
    title = html.escape(book.title)
    linked = f'<a href="{html.escape(link)}">{title}</a>' if link else title
    by = f" by {', '.join(book.authors)}" if book.authors else ""
    known = list(filter(None, (book.publisher, written_date(book.date, language))))
    of = f" ({', '.join(known)})" if known else ""
    return f"<li>{linked}{html.escape(by + of)}</li>"
