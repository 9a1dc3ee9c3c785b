"""One run of a podcast: what is new becomes episodes, and then the feed names them.

    collect ─▶ what is new or changed ─▶ render together ─▶ each episode ─▶ publish

An article that fails stops no other. It is tried again in the next run, some times, and is shown
on the show's page until then. Everything that is finished is remembered at once (`state.py`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from audiomill.flows.file_lock import held_alone
from audiomill.flows.job import UsageError
from audiomill.flows.pipeline.run_context import Executor, Interrupted, RunContext
from audiomill.flows.podcast.collecting import Collected, collect
from audiomill.flows.podcast.episodes import file_names
from audiomill.flows.podcast.making import Maker, after_failure
from audiomill.flows.podcast.pending import pending, record_of
from audiomill.flows.podcast.polite import PoliteFetcher
from audiomill.flows.podcast.shared_render import render_shared
from audiomill.flows.podcast.show import PodcastShow
from audiomill.flows.podcast.show_file import read_show
from audiomill.flows.podcast.state import SUFFIX, ArticleRecord, ShowState
from audiomill.flows.podcast.work import Planner, episode_there
from audiomill.flows.settings import Settings, cache_folder
from audiomill.inputs.articles.addresses import NetworkPolicy
from audiomill.outputs.files import unwritable_errors, write_atomically
from audiomill.outputs.podcast.publishing import publish
from audiomill.outputs.podcast.show import Episode, FailedArticle, Show

FEED_NAME = "feed.xml"


@dataclass(frozen=True, slots=True)
class ShowRun:
    """What a run did."""

    title: str  # of the show
    address: str  # where the show is served
    feed: Path
    feed_url: str
    made: tuple[str, ...]  # titles of new and changed episodes
    failed: tuple[FailedArticle, ...]
    problems: tuple[str, ...]  # of sources, a line each
    n_episodes: int  # in the feed


def run_show(path: Path, settings: Settings, executor: Executor, context: RunContext) -> ShowRun:
    """Make what is new in the show of a file, and publish it.

    Raises UsageError, StoreError, OutputError, Interrupted.
    """
    show = read_show(path)
    state_path = path.with_name(path.name + SUFFIX)
    # Another run would make the same.
    busy = f"Another run of {path.name} is under way. Wait until it has ended."
    with (
        held_alone(path.with_name(f"{state_path.name}.lock"), busy),
        ShowState(state_path) as state,
    ):
        now = datetime.now(UTC)
        collected = _collect(show, settings, context, now)
        known = state.records()
        for article in collected.articles:
            if article.problem:
                state.save(after_failure(record_of(article, known, now), article.problem))
        planner = Planner(show, settings, _library_of(path))
        work = pending(collected, planner, state, now)
        render_shared([one.job for one in work], executor, context)
        maker = Maker(planner, state, executor, context)
        made = [title for one in work for title in maker.make(one)]
        return _published(show, state, collected, made)


def _collect(
    show: PodcastShow, settings: Settings, context: RunContext, now: datetime
) -> Collected:
    from audiomill.inputs.articles.fetching import Fetcher  # httpx takes a while to import

    def wait(wait_s: float) -> None:
        if context.stop.wait(wait_s):
            raise Interrupted

    policy = NetworkPolicy(frozenset(settings.articles.allowed_hosts))
    with Fetcher(policy) as fetcher:
        return collect(show, PoliteFetcher(fetcher, show.fetching, wait), now)


def _published(
    show: PodcastShow, state: ShowState, collected: Collected, made: Sequence[str]
) -> ShowRun:
    records = state.records().values()
    episodes = _newest(records, show)
    failed = tuple(
        FailedArticle(one.url or one.id, one.title or one.url, one.failure, one.attempts)
        for one in records
        if one.failure
    )
    publication = publish(show.folder, _show_of(show, _image_name(show)), episodes, failed)
    named = {name for one in episodes for name in file_names(one)}
    state.remove_files(show.folder, named)
    return ShowRun(
        title=show.title,
        address=show.address,
        feed=publication.feed,
        feed_url=show.address + FEED_NAME,
        made=tuple(made),
        failed=failed,
        problems=collected.problems,
        n_episodes=len(episodes),
    )


def _newest(records: Iterable[ArticleRecord], show: PodcastShow) -> Sequence[Episode]:
    """The newest episodes whose audio is there, as many as the show keeps."""
    there = [episode for one in records if (episode := episode_there(one, show))]
    episodes = sorted(there, key=lambda one: (one.published, one.guid), reverse=True)
    return episodes[: show.episodes.keep]


def _image_name(show: PodcastShow) -> str:
    """The name of the show's picture, which is copied into its folder; "" if it has none."""
    if show.image is None:
        return ""
    target = show.folder / f"cover{show.image.suffix.lower()}"
    try:
        content = show.image.read_bytes()
    except OSError as error:
        raise UsageError(f"image: {show.image} cannot be read ({error.strerror}).") from error
    with unwritable_errors(target):
        target.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(target, content)
    return target.name


def _show_of(show: PodcastShow, image: str) -> Show:
    return Show(
        title=show.title,
        description=show.description or f"{show.title}: articles, read aloud.",
        feed_url=show.address + FEED_NAME,
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
