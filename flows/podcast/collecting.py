"""Finds the articles of a show: asks its sources, and keeps each article in a file.

    source ─▶ listing ─▶ entries that are wanted ─▶ Article, with the file that is read
                                                    └── each once, whatever its addresses

An article or a source that cannot be had stops no other: it is told, and tried again next time.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from audiomill.flows.articles import PAGE_TYPES, display_address, keep_page, page_path, save_page
from audiomill.flows.execution.run_context import Progress, Step
from audiomill.flows.podcast.article import FILE_SCHEME, Article, KnownArticles
from audiomill.flows.podcast.polite_fetcher import PoliteFetcher
from audiomill.flows.podcast.run_log import with_progress
from audiomill.flows.podcast.show_settings import WEB_KINDS, ShowSettings, SourceChoice
from audiomill.inputs.articles.credentials import public_address
from audiomill.inputs.articles.entries import Entry, page_of_entry
from audiomill.inputs.articles.filters import why_left_out
from audiomill.inputs.articles.links import (
    canonical_address,
    why_no_article,
    without_tracking,
)
from audiomill.inputs.articles.listing import parse_listing
from audiomill.inputs.articles.mail import page_of_letter, read_letters
from audiomill.inputs.articles.page import Fetched, FetchError, NotThere
from audiomill.inputs.model.book import SourceError
from audiomill.inputs.readers.sources import SUFFIXES

MAX_FURTHER = 10  # listings that one listing names
_NO_DATE = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class SourceProblem:
    """Why a source, or a listing that it names, could not be read."""

    place: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Collected:
    """The articles of all sources, each once, and what went wrong at the sources."""

    articles: tuple[Article, ...]
    problems: tuple[SourceProblem, ...]  # what could not be read
    warnings: tuple[str, ...]  # of what was read in spite of faults
    ids: frozenset[str]  # of all that is listed, also where it was not asked for
    is_complete: bool  # all sources have told what they list

    def lists(self, id_: str) -> bool:
        """Whether a source lists the article of an id, or may do so."""
        return id_ in self.ids or not self.is_complete


def collect(
    show: ShowSettings,
    fetcher: PoliteFetcher,
    now: datetime,
    known: KnownArticles,
    given_up: Container[str],
    progress: Progress,
) -> Collected:
    """Ask all sources, those of several servers at once.

    Pages of articles whose ids are in `given_up` are not asked for. Raises Interrupted,
    OutputUnwritable.
    """
    with ThreadPoolExecutor(show.fetching.at_once) as threads:
        asked = threads.map(partial(_listed, fetcher=fetcher, now=now), show.sources)
        listed = list(with_progress(asked, Step.LIST, len(show.sources), progress))
        found = known.identified(article for one in listed for article in one.articles)
        due = [one for one in found if not _is_skipped(one, given_up)]
        fetched = threads.map(partial(_fetched, fetcher=fetcher), due)
        told = with_progress(fetched, Step.FETCH, len(due), progress)
        articles = tuple(known.identified(told))
    problems = tuple(problem for one in listed for problem in one.faults.problems)
    warnings = tuple(warning for one in listed for warning in one.faults.warnings)
    ids = frozenset(one.id for one in (*found, *articles))
    is_complete = all(one.is_complete for one in listed)
    return Collected(articles, problems, warnings, ids, is_complete)


def _is_skipped(article: Article, given_up: Container[str]) -> bool:
    """Whether the page of an article is not asked for any more. A file may have been mended."""
    is_page = article.source.kind in WEB_KINDS and article.page is None
    return is_page and article.id in given_up


@dataclass(frozen=True, slots=True)
class _Faults:
    """What went wrong at a source, as it is found."""

    problems: list[SourceProblem] = field(default_factory=list[SourceProblem])
    warnings: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True)
class _Listed:
    """The articles of a source: the wanted articles, newest first, and what went wrong."""

    articles: Sequence[Article]
    faults: _Faults
    is_complete: bool = True


def _listed(source: SourceChoice, fetcher: PoliteFetcher, now: datetime) -> _Listed:
    faults = _Faults()
    try:
        found = [
            article
            for entry, article in _entries(source, fetcher, faults)
            if not why_left_out(entry, source.filters, now)
        ]
    except (FetchError, SourceError, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        problem = _problem(source.place, str(reason or error))
        return _Listed((), _Faults([problem], faults.warnings), is_complete=False)
    found.sort(key=lambda one: one.published or _NO_DATE, reverse=True)
    return _Listed(found[: source.newest], faults)


def _problem(place: str, reason: str) -> SourceProblem:
    """A problem, whose reason may begin with the place."""
    return SourceProblem(display_address(place), reason.removeprefix(f"{place}: "))


def _entries(
    source: SourceChoice, fetcher: PoliteFetcher, faults: _Faults
) -> Iterator[tuple[Entry, Article]]:
    """Each entry with its article. Adds to `faults`. Raises FetchError, SourceError, OSError."""
    match source.kind:
        case "page":
            entry = Entry(source.place, source.place)
            yield entry, _of_entry(entry, source)
        case "folder":
            yield from _files(source)
        case "mailbox":
            yield from _letters(source, faults)
        case _:
            for entry in _of_listing(source.place, fetcher, faults):
                yield entry, _of_entry(entry, source)


def _of_listing(url: str, fetcher: PoliteFetcher, faults: _Faults) -> Iterator[Entry]:
    """The entries of a listing, and of those that it names, such as the parts of a sitemap."""
    listing = parse_listing(_fetch_listing(url, fetcher))
    faults.warnings.extend(f"{display_address(url)}: {warning}" for warning in listing.warnings)
    yield from listing.entries
    for further in listing.further[:MAX_FURTHER] if not listing.entries else ():
        try:
            yield from parse_listing(_fetch_listing(further, fetcher)).entries
        except (FetchError, SourceError) as error:
            faults.problems.append(_problem(further, str(error)))


def _fetch_listing(url: str, fetcher: PoliteFetcher) -> Fetched:
    return keep_page(url, page_path(url), frozenset(), fetcher.fetch)


def _of_entry(entry: Entry, source: SourceChoice) -> Article:
    url = without_tracking(entry.url)
    published = entry.published or entry.updated
    page = page_of_entry(entry) if entry.content else None
    shown_url = public_address(url)
    path = page_path(url)
    return Article(url, shown_url, source, path, entry.title, published, page, address=url)


def _files(source: SourceChoice) -> Iterator[tuple[Entry, Article]]:
    """The files of a folder that can be read. Raises OSError if there is no such folder."""
    for path in sorted(Path(source.place).iterdir()):
        if path.suffix.lower() in SUFFIXES and path.is_file():
            changed = datetime.fromtimestamp(path.stat().st_mtime, UTC)
            article = Article(f"{FILE_SCHEME}{path}", "", source, path, path.stem, changed)
            yield Entry("", article.id, path.stem, published=changed), article


def _letters(source: SourceChoice, faults: _Faults) -> Iterator[tuple[Entry, Article]]:
    for letter in read_letters(Path(source.place)):
        page = page_of_letter(letter)
        faults.warnings.extend(f"“{letter.subject}”: {warning}" for warning in letter.warnings)
        if letter.text.strip():
            path = page_path(page.url)
            article = Article(page.url, page.url, source, path, letter.subject, letter.date, page)
            yield Entry("", page.url, letter.subject, published=letter.date), article


def _fetched(article: Article, fetcher: PoliteFetcher) -> Article:
    """The article with its page on disk, or with its problem."""
    canonical = article.url
    try:
        if article.page:
            save_page(article.page, article.path)
        elif article.source.kind in WEB_KINDS:
            page = keep_page(article.address, article.path, PAGE_TYPES, fetcher.fetch)
            _check_is_there(article.address, page)
            canonical = public_address(canonical_address(page))
    except FetchError as error:
        is_temporary = error.retry_after_s is not None
        return replace(article, problem=f"{error}.", is_temporary=is_temporary)
    except SourceError as error:
        return replace(article, problem=f"{error}.")
    return replace(article, page=None, canonical=canonical)


def _check_is_there(url: str, page: Fetched) -> None:
    """Raise NotThere if a server leads from an article to a list: so they say that it is gone."""
    if page.url != url and why_no_article(page.url) and not why_no_article(url):
        raise NotThere(f"its server leads to {page.url} instead, which is no article")
