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
from audiomill.flows.execution.executor import Executor
from audiomill.flows.execution.run_context import Interrupted, RunContext, Step
from audiomill.flows.file_lock import held_alone
from audiomill.flows.pipeline.speech_check import open_recogniser
from audiomill.flows.podcast.article import KnownArticles, keep_pictures
from audiomill.flows.podcast.collecting import Collected, collect
from audiomill.flows.podcast.digests import PREFIX
from audiomill.flows.podcast.due_episodes import due_tasks, kept_ids, known_articles, record_of
from audiomill.flows.podcast.engines import check_speech, engines_of, with_engines
from audiomill.flows.podcast.episode_task import Planner, episode_there
from audiomill.flows.podcast.maker import Maker
from audiomill.flows.podcast.polite_fetcher import PoliteFetcher
from audiomill.flows.podcast.run_log import RunFailure, RunLog
from audiomill.flows.podcast.secrets import credentials_of, filled_address
from audiomill.flows.podcast.shared_render import render_shared
from audiomill.flows.podcast.show_file import read_show
from audiomill.flows.podcast.show_image import put_image, read_image, small_picture_notes
from audiomill.flows.podcast.show_settings import FEED_NAME, ShowSettings
from audiomill.flows.podcast.state import SUFFIX, ArticleRecord, ShowState
from audiomill.flows.settings import Settings
from audiomill.inputs.articles.addresses import NetworkPolicy
from audiomill.inputs.model.book import SourceMissing
from audiomill.outputs.podcast.publishing import publish_show
from audiomill.outputs.podcast.show import Episode, FailedArticle, Show
from audiomill.outputs.podcast.show_folder import ShowFolder, open_place
from audiomill.outputs.podcast.urls import file_url, show_guid
from audiomill.renderers.host.folders import cache_folder
from audiomill.renderers.host.waiting import RunWaiter


@dataclass(frozen=True, slots=True)
class ShowRun:
    """The result of a run."""

    title: str  # of the show
    address: str  # where the show is served; with {token}, if it has one, as feed_url
    feed: str  # its path or URL
    feed_url: str
    made: tuple[str, ...]  # titles of new and changed episodes
    pages: tuple[str, ...]  # their URLs
    unmade_articles: tuple[FailedArticle, ...]  # now and before, as the show's page lists them
    unread_sources: tuple[str, ...]  # why they could not be read, a line each
    warnings: tuple[str, ...]
    engines: tuple[str, ...]  # that read
    n_episodes: int  # in the feed
    errors: tuple[RunFailure, ...]  # of this run only: first of sources, then of articles

    def failure_lines(self) -> Iterator[str]:
        """A line for each source that could not be read, and for each article that failed."""
        yield from (f"Failed: {one}" for one in self.unread_sources)
        for one in self.unmade_articles:
            yield f"Failed {one.attempts}x: {one.title}: {one.reason}"


def run_show(path: Path, settings: Settings, executor: Executor, context: RunContext) -> ShowRun:
    """Make what is new in the show of a file, and publish it.

    Raises Busy, UsageError, StoreError, OutputError, Interrupted.
    """
    show = read_show(path)
    address = filled_address(show.address)
    if show.image is not None:
        read_image(show.image)  # nothing is rendered for a show that cannot be published
    state_path = path.with_name(path.name + SUFFIX)
    # Another run would make the same.
    busy = f"Another run of {path.name} is under way. It makes what this one would."
    with (
        held_alone(path.with_name(f"{state_path.name}.lock"), busy),
        ShowState(state_path) as state,
    ):
        target = _folder_of(show, settings, context)
        now = datetime.now(UTC)
        log = RunLog()
        show, warnings = with_engines(show, settings, state)
        log.warn(warnings)
        check_speech(show, path, settings, state)
        collected = _collect(show, settings, state, context, now)
        _note_problems(collected, state, now, log)
        planner = Planner(show, settings, _library_of(path), target)
        tasks = due_tasks(collected, planner, state, now, log)
        log.warn(warning for one in tasks for warning in one.job.warnings)
        if tasks:
            open_recogniser(tasks[0].job)  # else all is rendered before one is told to be missing
        titles = {one.job.source: one.article.title for one in tasks if one.article.title}
        render_shared([one.job for one in tasks], executor, context, titles)
        context.progress.begin(Step.FINISH, len(tasks))
        maker = Maker(planner, state, executor, context, log)
        made = [episode for one in tasks for episode in maker.make(one)]
        return _publish(show, address, target, state, collected, made, log)


def _note_problems(collected: Collected, state: ShowState, now: datetime, log: RunLog) -> None:
    """Note the sources and articles that could not be had. Raises UsageError, OutputUnwritable."""
    log.failures.extend(
        RunFailure(one.place, SourceMissing(f"{one}")) for one in collected.problems
    )
    log.warn(collected.warnings)
    known = state.records()
    for article in collected.articles:
        if article.problem:
            record, error = record_of(article, known, now), SourceMissing(article.problem)
            state.save(log.record_failure(record, error, is_temporary=article.is_temporary))


def _folder_of(show: ShowSettings, settings: Settings, context: RunContext) -> ShowFolder:
    """The show's folder, which can be written: nothing is fetched or rendered for another.

    Raises OutputUnwritable.
    """
    waiter = RunWaiter(context.check, say, settings.outage_s)
    target = ShowFolder(open_place(show.folder, waiter))
    target.check_writable()
    return target


def _collect(
    show: ShowSettings,
    settings: Settings,
    state: ShowState,
    context: RunContext,
    now: datetime,
) -> Collected:
    """The articles of all sources, and the pictures of those that the show keeps."""
    from audiomill.inputs.articles.fetching import Fetcher  # httpx takes a while to import

    def wait(wait_s: float) -> None:
        if context.stop.wait(wait_s):
            raise Interrupted

    known = state.records()
    policy = NetworkPolicy(frozenset(settings.articles.allowed_hosts))
    fetcher = Fetcher(policy, credentials=credentials_of(show))
    polite = PoliteFetcher(fetcher, show.fetching, wait)
    given_up = frozenset(id_ for id_, record in known.items() if _is_given_up(record, show))
    articles = KnownArticles(known_articles(state))
    collected = collect(show, polite, now, articles, given_up, context.progress)
    ids = kept_ids(collected.articles, known, show, now)
    kept = [one for one in collected.articles if one.id in ids]
    failed = keep_pictures(kept, polite, show.fetching.at_once)
    # Those that have an episode were told before.
    failures = [line for id_, line in failed.items() if id_ not in known or not known[id_].episode]
    return replace(collected, warnings=(*collected.warnings, *failures))


def _is_given_up(record: ArticleRecord, show: ShowSettings) -> bool:
    """Whether the page of an article could not be had too often. One that is had may change."""
    is_page = not record.fingerprint and bool(record.failure) and not record.is_temporary
    return is_page and record.attempts >= show.episodes.attempts


def _publish(
    show: ShowSettings,
    address: str,
    target: ShowFolder,
    state: ShowState,
    collected: Collected,
    made: Sequence[Episode],
    log: RunLog,
) -> ShowRun:
    """Publish the newest episodes, and tell what the run did. Raises UsageError, OutputError."""
    records = state.records().values()
    episodes = _newest(records, show, target)
    failed = tuple(
        FailedArticle(one.url or one.id, one.title or one.url, one.failure, one.attempts)
        for one in records
        if one.failure and (collected.lists(one.id) or one.id.startswith(PREFIX))
    )
    image = put_image(show, target, log)
    log.warn(small_picture_notes(made))
    feed = publish_show(target, _show_of(show, address, image), episodes, failed)
    return ShowRun(
        title=show.title,
        address=show.address,
        feed=feed,
        feed_url=show.address + FEED_NAME,
        made=tuple(one.title for one in made),
        pages=tuple(file_url(show.address, one.page_name) for one in made),
        unmade_articles=failed,
        unread_sources=tuple(map(str, collected.problems)),
        warnings=log.warnings,
        engines=engines_of(show),
        n_episodes=len(episodes),
        errors=tuple(log.failures),
    )


def _newest(
    records: Iterable[ArticleRecord], show: ShowSettings, target: ShowFolder
) -> Sequence[Episode]:
    """The newest episodes whose audio is there, as many as the show keeps.

    Articles with the same title and words, such as copies of a file, have the same files. The one
    that was seen first has the episode.
    """
    there = dict[str, Episode]()
    for one in sorted(records, key=lambda one: (one.first_seen, one.id)):
        if episode := episode_there(one, target):
            there.setdefault(episode.enclosure.name, episode)
    episodes = sorted(there.values(), key=lambda one: (one.published, one.guid), reverse=True)
    return episodes[: show.episodes.keep]


def _show_of(show: ShowSettings, address: str, image: str) -> Show:
    """The show as the feed has it. Its GUID does not hang on the token, which may be changed."""
    return Show(
        title=show.title,
        description=show.description or f"{show.title}: articles, read aloud.",
        feed_url=address + FEED_NAME,
        podcast_guid=show_guid(show.address + FEED_NAME),
        language=show.language,
        link=show.link,
        author=show.author,
        categories=(show.category,),
        image=image,
        is_explicit=show.explicit,
    )


def _library_of(path: Path) -> Path:
    """Where the finished audio of a show is kept, apart from its folder, so that it is found."""
    path_hash = hashlib.sha256(str(path.absolute()).encode()).hexdigest()[:12]
    return cache_folder() / "podcasts" / f"{path.stem}-{path_hash}"
