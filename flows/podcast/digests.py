"""Digests: the short articles of a run in one episode, and what the feed says of it.

Each article is in one digest at most, for good. Its episode lists where each article begins, with
a link.
"""

from __future__ import annotations

import hashlib
import html
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from math import ceil

from audiomill.flows.pipeline.report import Report
from audiomill.flows.podcast.article import Article
from audiomill.flows.podcast.episodes import authors_of, bare_episode
from audiomill.flows.podcast.show_settings import DIGEST_FIELDS, DigestChoice, ShowSettings
from audiomill.inputs.articles.digest import load
from audiomill.inputs.metadata.credit_templates import fill_template
from audiomill.inputs.metadata.credits import spoken_name, written_date
from audiomill.inputs.model.book import Book
from audiomill.inputs.readers.sources import read_book
from audiomill.outputs.metadata.chapters import mark_title
from audiomill.outputs.podcast.show import Episode, EpisodeChapter
from audiomill.outputs.podcast.urls import web_url

PREFIX = "digest:"  # of the id of a digest, which no article has
_BETWEEN = " · "


@dataclass(frozen=True, slots=True)
class DigestCandidate:
    """An article that may go into a digest."""

    id: str
    n_words: int | None  # None: it cannot be read
    engine: str
    speed: float


def new_digests(
    candidates: Sequence[DigestCandidate], choice: DigestChoice
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(the id, the ids of its articles in order) of each digest. Other articles are in none."""
    groups: dict[tuple[str, float], list[str]] = {}
    for one in candidates:
        if one.n_words is not None and 0 < one.n_words <= choice.max_words:
            groups.setdefault((one.engine, one.speed), []).append(one.id)
    for group in groups.values():
        for part in _even_parts(group, choice.max_articles):
            if len(part) >= choice.min_articles:
                yield _digest_id(part), tuple(part)


def _even_parts(ids: Sequence[str], longest: int) -> Iterator[Sequence[str]]:
    """The ids in as few parts as there must be, whose lengths differ by one at most."""
    n_parts = ceil(len(ids) / longest)
    for number in range(n_parts):
        yield ids[len(ids) * number // n_parts : len(ids) * (number + 1) // n_parts]


def _digest_id(ids: Sequence[str]) -> str:
    """Articles are in one digest only, so no two digests have the same ones."""
    return PREFIX + hashlib.sha256("\n".join(ids).encode()).hexdigest()[:32]


def filled_template(template: str, show: ShowSettings, day: datetime, n_articles: int) -> str:
    """A template of a digest with its values."""
    known = {
        "show": spoken_name(show.title, show.language),
        "date": written_date(day.date().isoformat(), show.language),
        "count": str(n_articles),
    }
    return fill_template(template, known, DIGEST_FIELDS).text


def free_title(title: str, taken: Collection[str]) -> str:
    """The title, with a number if another digest has it already, as of the same day."""
    number = 1
    numbered = title
    while numbered in taken:
        number += 1
        numbered = f"{title} ({number})"
    return numbered


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
