"""One run of a podcast: what is new becomes episodes, and then the feed names them.

    collect ─▶ what is new or changed ─▶ render together ─▶ each episode ─▶ publish

An article that fails stops no other. It is tried again in the next run, some times, and is shown
on the show's page until then. Everything that is finished is remembered at once (`state.py`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from audiomill.flows.console import say
from audiomill.flows.file_lock import held_alone
from audiomill.flows.job import Job, UsageError
from audiomill.flows.pipeline.pipeline import run_pipeline
from audiomill.flows.pipeline.run_context import Executor, Interrupted, RunContext, Step
from audiomill.flows.podcast.address import filled_address
from audiomill.flows.podcast.article import Article
from audiomill.flows.podcast.collecting import Collected, collect
from audiomill.flows.podcast.episodes import (
    dumped,
    file_names,
    job_for,
    loaded,
    made_from,
    make_episode,
    place_files,
    published_of,
)
from audiomill.flows.podcast.identity import KnownArticles
from audiomill.flows.podcast.pictures import keep_pictures
from audiomill.flows.podcast.polite import PoliteFetcher
from audiomill.flows.podcast.secrets import credentials_of
from audiomill.flows.podcast.shared_render import render_shared
from audiomill.flows.podcast.show import FEED_NAME, PodcastShow
from audiomill.flows.podcast.show_file import read_show
from audiomill.flows.podcast.show_progress import one_episode
from audiomill.flows.podcast.state import SUFFIX, ArticleRecord, ShowState, date_of
from audiomill.flows.settings import Settings, cache_folder
from audiomill.inputs.articles.addresses import NetworkPolicy
from audiomill.inputs.book import SourceError
from audiomill.outputs.podcast.folder.place import open_place
from audiomill.outputs.podcast.folder.show_folder import ShowFolder
from audiomill.outputs.podcast.publishing import publish
from audiomill.outputs.podcast.show import Episode, FailedArticle, Show
from audiomill.outputs.podcast.urls import content_name, derived_guid, file_url
from audiomill.renderers.base import RenderError
from audiomill.renderers.store.retries import RunWaiter

# What concerns one article only. A store or a disk that fails would fail them all.
_OF_ONE_ARTICLE = (SourceError, RenderError, UsageError, OSError)


@dataclass(frozen=True, slots=True)
class ShowRun:
    """What a run did."""

    title: str  # of the show
    address: str  # where the show is served; with {token}, if it has one, as feed_url
    feed: str  # its path or URL
    feed_url: str
    made: tuple[str, ...]  # titles of new and changed episodes
    pages: tuple[str, ...]  # their URLs
    failed: tuple[FailedArticle, ...]
    problems: tuple[str, ...]  # of sources, a line each
    n_episodes: int  # in the feed


@dataclass(frozen=True, slots=True)
class Work:
    """An article whose episode is to be made."""

    article: Article
    job: Job
    made_from: str
    record: ArticleRecord


def run_show(path: Path, settings: Settings, executor: Executor, context: RunContext) -> ShowRun:
    """Make what is new in the show of a file, and publish it.

    Raises UsageError, StoreError, OutputError, Interrupted.
    """
    show = read_show(path)
    address = filled_address(show.address)
    state_path = path.with_name(path.name + SUFFIX)
    # Another run would make the same.
    busy = f"Another run of {path.name} is under way. Wait until it has ended."
    with (
        held_alone(path.with_name(f"{state_path.name}.lock"), busy),
        ShowState(state_path) as state,
    ):
        target = _folder_of(show, context)
        now = datetime.now(UTC)
        known = state.records()
        collected = _collect(show, settings, known, context, now)
        for article in collected.articles:
            if article.problem:
                failure = _failed(_record(article, known, now), article.problem)
                state.save(replace(failure, is_temporary=article.is_temporary))
        work = list(_work(collected, show, settings, known, path, now, target))
        render_shared([one.job for one in work], executor, context)
        context.progress.begin(Step.FINISH, len(work))
        tried = (_made(one, target, state, executor, context) for one in work)
        made = [episode for episode in tried if episode]
        return _published(show, address, target, state, collected, made)


def _folder_of(show: PodcastShow, context: RunContext) -> ShowFolder:
    """The show's folder, which can be written: nothing is fetched or rendered for another.

    Raises OutputUnwritable.
    """
    target = ShowFolder(open_place(show.folder, RunWaiter(context.check, say)))
    target.check_writable()
    return target


def _collect(
    show: PodcastShow,
    settings: Settings,
    known: dict[str, ArticleRecord],
    context: RunContext,
    now: datetime,
) -> Collected:
    """The articles of all sources, and the pictures of those that the show keeps."""
    from audiomill.inputs.articles.fetching import Fetcher  # httpx takes a while to import

    def wait(wait_s: float) -> None:
        if context.stop.wait(wait_s):
            raise Interrupted

    policy = NetworkPolicy(frozenset(settings.articles.allowed_hosts))
    fetcher = Fetcher(policy, credentials=credentials_of(show))
    polite = PoliteFetcher(fetcher, show.fetching, wait)
    given_up = frozenset(id_ for id_, record in known.items() if _is_given_up(record, show))
    articles = KnownArticles(known.values())
    collected = collect(show, polite, now, articles, given_up, context.progress)
    kept_ids = _kept_ids(collected, show, known, now)
    kept = [one for one in collected.articles if one.id in kept_ids]
    failed = keep_pictures(kept, polite, show.fetching.at_once)
    # Those that have an episode were told before.
    told = [line for id_, line in failed.items() if id_ not in known or not known[id_].episode]
    return replace(collected, problems=(*collected.problems, *told))


def _is_given_up(record: ArticleRecord, show: PodcastShow) -> bool:
    """Whether the page of an article could not be had too often. One that is had may change."""
    is_page = not record.made_from and bool(record.failure) and not record.is_temporary
    return is_page and record.attempts >= show.episodes.attempts


def _work(
    collected: Collected,
    show: PodcastShow,
    settings: Settings,
    known: dict[str, ArticleRecord],
    path: Path,
    now: datetime,
    target: ShowFolder,
) -> Iterator[Work]:
    """The articles that are new, changed, or failed before and may be tried again."""
    library, kept = _library_of(path), _kept_ids(collected, show, known, now)
    for article in collected.articles:
        if article.problem or article.id not in kept:
            continue
        record = _record(article, known, now)
        job = job_for(article, show, settings, library)
        digest = made_from(article, job)
        is_done = record.made_from == digest and _episode_there(record, target) is not None
        is_hopeless = record.failure and record.attempts >= show.episodes.attempts
        if not is_done and not (is_hopeless and record.made_from == digest):
            attempts = record.attempts if record.made_from == digest else 0
            yield Work(article, job, digest, replace(record, attempts=attempts))


def _kept_ids(
    collected: Collected, show: PodcastShow, known: dict[str, ArticleRecord], now: datetime
) -> frozenset[str]:
    """The ids of the newest articles, as many as the show keeps: no others are made."""
    dates = {one.id: date_of(one) for one in known.values() if one.episode}
    for article in collected.articles:
        record = _record(article, known, now)
        told = published_of(article, datetime.fromisoformat(record.first_seen))
        dates[article.id] = told or dates.get(article.id) or date_of(record)
    newest = sorted(dates, key=lambda id_: (dates[id_], id_), reverse=True)
    return frozenset(newest[: show.episodes.keep])


def _record(article: Article, known: dict[str, ArticleRecord], now: datetime) -> ArticleRecord:
    new = ArticleRecord(article.id, article.url, article.title, first_seen=now.isoformat())
    record = known.get(article.id, new)
    return replace(
        record,
        url=article.url,
        title=article.title or record.title,
        canonical=article.canonical or record.canonical,
    )


def _episode_there(record: ArticleRecord, target: ShowFolder) -> Episode | None:
    """The record's episode, if it has one and all its files are in the show's folder."""
    episode = loaded(record.episode)
    if episode is None:
        return None
    n_bytes, *others = (target.size(name) for name in file_names(episode))
    is_there = n_bytes == episode.enclosure.n_bytes and None not in others
    return episode if is_there else None


def _made(
    work: Work, target: ShowFolder, state: ShowState, executor: Executor, context: RunContext
) -> Episode | None:
    """Make an article's episode and remember it. If it fails, that is remembered.

    Returns the episode; None if it failed, or sounds as it did before.
    """
    record = replace(work.record, made_from=work.made_from)
    try:
        with one_episode(context) as own:
            report = run_pipeline(work.job, executor, own)
        first_seen = datetime.fromisoformat(record.first_seen)
        episode = make_episode(work.article, report, first_seen)
        place_files(report, target, episode)
    except _OF_ONE_ARTICLE as error:
        say(f"{work.article.title or work.article.id}: {error}")
        state.save(_failed(record, str(error)))
        return None
    before = loaded(record.episode)
    state.save(
        replace(record, title=episode.title, episode=dumped(episode), attempts=0, failure="")
    )
    return None if before and before.enclosure == episode.enclosure else episode


def _failed(record: ArticleRecord, reason: str) -> ArticleRecord:
    return replace(record, attempts=record.attempts + 1, failure=reason)


def _published(
    show: PodcastShow,
    address: str,
    target: ShowFolder,
    state: ShowState,
    collected: Collected,
    made: Sequence[Episode],
) -> ShowRun:
    records = state.records().values()
    episodes = _newest(records, show, target)
    failed = tuple(
        FailedArticle(one.url or one.id, one.title or one.url, one.failure, one.attempts)
        for one in records
        if one.failure and collected.lists(one.id)
    )
    image = _put_image(show, target)
    publication = publish(target, _show_of(show, address, image), episodes, failed)
    return ShowRun(
        title=show.title,
        address=show.address,
        feed=publication.feed,
        feed_url=show.address + FEED_NAME,
        made=tuple(one.title for one in made),
        pages=tuple(file_url(show.address, one.page_name) for one in made),
        failed=failed,
        problems=collected.problems,
        n_episodes=len(episodes),
    )


def _newest(
    records: Iterable[ArticleRecord], show: PodcastShow, target: ShowFolder
) -> Sequence[Episode]:
    """The newest episodes whose audio is there, as many as the show keeps."""
    there = [episode for one in records if (episode := _episode_there(one, target))]
    episodes = sorted(there, key=lambda one: (one.published, one.guid), reverse=True)
    return episodes[: show.episodes.keep]


def _put_image(show: PodcastShow, target: ShowFolder) -> str:
    """The name of the show's picture, which is put into its folder; "" if it has none.

    Raises UsageError, OutputUnwritable.
    """
    if show.image is None:
        return ""
    try:
        content = show.image.read_bytes()
    except OSError as error:
        raise UsageError(f"image: {show.image} cannot be read ({error.strerror}).") from error
    name = content_name("cover", hashlib.sha256(content).hexdigest(), show.image.suffix.lower())
    target.add_names([name])
    target.write(name, content)
    return name


def _show_of(show: PodcastShow, address: str, image: str) -> Show:
    """The show as the feed has it. Its GUID does not hang on the token, which may be changed."""
    return Show(
        title=show.title,
        description=show.description or f"{show.title}: articles, read aloud.",
        feed_url=address + FEED_NAME,
        podcast_guid=derived_guid(show.address + FEED_NAME),
        language=show.language,
        link=show.link,
        author=show.author,
        categories=(show.category,),
        image=image,
        is_explicit=show.explicit,
    )


def _library_of(path: Path) -> Path:
    """Where the finished audio of a show is kept, apart from its folder, so that it is found."""
    digest = hashlib.sha256(str(path.absolute()).encode()).hexdigest()[:12]
    return cache_folder() / "podcasts" / f"{path.stem}-{digest}"
