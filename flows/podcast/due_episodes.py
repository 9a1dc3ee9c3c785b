"""The episodes that a run has to make: new, changed, or failed before, alone or in digests.

listed articles ─┬─ of a digest          ─▶ the digest, if any of its articles has changed
                 ├─ new and short        ─▶ new digests, which are remembered now
                 └─ others               ─▶ episodes of their own
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from audiomill.flows.errors import UsageError
from audiomill.flows.pipeline.planning.manuscript import read_manuscript
from audiomill.flows.podcast.article import Article
from audiomill.flows.podcast.collecting import Collected
from audiomill.flows.podcast.digests import (
    PREFIX,
    DigestCandidate,
    filled_template,
    free_title,
    new_digests,
)
from audiomill.flows.podcast.episode_task import EpisodeTask, Planner, episode_there, is_due
from audiomill.flows.podcast.episodes import published_of
from audiomill.flows.podcast.run_log import RunLog
from audiomill.flows.podcast.show_settings import ShowSettings, SourceChoice, SpeechChoice
from audiomill.flows.podcast.state import ArticleRecord, MemberRecord, ShowState, date_of
from audiomill.inputs.articles.fields import count_words
from audiomill.inputs.model.book import SourceError, SourceMissing
from audiomill.renderers.engine.errors import (
    EngineMissing,
    EngineUnavailable,
    RenderError,
    UnknownEngine,
    WeightsUnfit,
)

# What concerns one article only. A store or a disk that fails would fail them all.
OF_ONE_ARTICLE = (SourceError, RenderError, UsageError, OSError)
# What no article can help: it is tried again in each run, until it is made.
OF_THE_ENGINE = (EngineMissing, EngineUnavailable, WeightsUnfit)


def due_tasks(
    collected: Collected, planner: Planner, state: ShowState, now: datetime, log: RunLog
) -> list[EpisodeTask]:
    """The tasks of a run. Remembers new digests, and articles that cannot be planned.

    Raises UsageError, OutputUnwritable, OSError.
    """
    listed = {one.id: one for one in collected.articles}
    _free_articles(planner, state)
    digests = list(_known_digests(listed, planner, state, now, log))
    known = state.records()
    members = {one.id for group in state.members().values() for one in group}
    free = [one for one in collected.articles if one.id not in members]
    planned = (
        _planned(one, record_of(one, known, now), planner, state, log)
        for one in free
        if not one.problem
    )
    own = [one for one in planned if one]
    fresh = [one for one in own if is_due(one, planner) and not one.record.episode]
    new = list(_new_digests(fresh, planner, state, now))
    taken = {part.article.id for one in new for part in one.parts}
    own = [one for one in own if one.article.id not in taken]
    _forget_failures(own, digests, planner, state)
    units = [one for one in free if one.id not in taken]
    kept = kept_ids(units, known | {one.record.id: one.record for one in new}, planner.show, now)
    tasks = (*own, *digests, *new)
    return [one for one in tasks if one.article.id in kept and is_due(one, planner)]


def _planned(
    article: Article, record: ArticleRecord, planner: Planner, state: ShowState, log: RunLog
) -> EpisodeTask | None:
    """The task for an article; None if it failed, for example for a wrong file beside its own."""
    try:
        return planner.episode(article, record)
    except UnknownEngine:
        raise  # a mistake in the settings, which fails all
    except OF_ONE_ARTICLE as error:
        state.save(log.record_failure(record, error))
        return None


def record_of(article: Article, known: dict[str, ArticleRecord], now: datetime) -> ArticleRecord:
    """The record of an article, under its title of today."""
    new = ArticleRecord(article.id, article.url, article.title, first_seen=now.isoformat())
    record = known.get(article.id, new)
    return replace(
        record,
        url=article.url,
        title=article.title or record.title,
        canonical=article.canonical or record.canonical,
    )


def member_of(task: EpisodeTask, digest_id: str, place: int) -> MemberRecord:
    """The record of an article in a digest."""
    article = task.article
    return MemberRecord(
        id=article.id,
        digest=digest_id,
        place=place,
        url=article.url,
        title=article.title,
        published=article.published.isoformat() if article.published else "",
        path=str(article.path),
        voice=article.source.speech.voice or "",
        canonical=article.canonical,
    )


def known_articles(state: ShowState) -> list[ArticleRecord]:
    """The records of all articles, of those in digests too."""
    members = (one for group in state.members().values() for one in group)
    in_digests = [
        ArticleRecord(one.id, one.url, one.title, canonical=one.canonical) for one in members
    ]
    return [*state.records().values(), *in_digests]


def _free_articles(planner: Planner, state: ShowState) -> None:
    """Forget digests that were not made yet and are too small by now, or not wanted any more."""
    choice, members = planner.show.digest, state.members()
    for record in state.records().values():
        is_unmade = record.id.startswith(PREFIX) and not record.episode
        n_members = len(members.get(record.id, ()))
        if is_unmade and (choice is None or n_members < choice.min_articles):
            state.remove_digest(record.id)


def _known_digests(
    listed: Mapping[str, Article],
    planner: Planner,
    state: ShowState,
    now: datetime,
    log: RunLog,
) -> Iterator[EpisodeTask]:
    """The digests of earlier runs that a source still lists an article of, or that are not made."""
    known = state.records() if planner.show.digest else {}
    for digest_id, members in state.members().items() if known else ():
        record = known[digest_id]
        if record.episode and not any(one.id in listed for one in members):
            continue
        articles = [_article_of(one, listed) for one in members]
        parts = [_part(one, known, planner, now) for one in articles]
        there = [one for one in parts if isinstance(one, EpisodeTask)]
        if len(there) == len(parts):
            yield planner.digest(record, there)
        elif not record.episode:
            failed = [
                log.record_failure(record_of(one, known, now), part)
                for one, part in zip(articles, parts, strict=True)
                if not isinstance(part, EpisodeTask)
            ]
            state.leave_out(failed)
            if there:
                yield planner.digest(record, there)


def _article_of(member: MemberRecord, listed: Mapping[str, Article]) -> Article:
    """The article as its source lists it, or else as it was when the digest was made."""
    article = listed.get(member.id)
    if article and not article.problem:
        return article
    return Article(
        id=member.id,
        url=member.url,
        source=SourceChoice(speech=SpeechChoice(voice=member.voice or None)),
        path=Path(member.path),
        title=member.title,
        published=datetime.fromisoformat(member.published) if member.published else None,
        canonical=member.canonical,
        problem=article.problem if article else "",
    )


def _part(
    article: Article, known: dict[str, ArticleRecord], planner: Planner, now: datetime
) -> EpisodeTask | UsageError | SourceError:
    """The task for an article of a digest, or why there is none."""
    try:
        return planner.episode(article, record_of(article, known, now))
    except OSError:
        return SourceMissing("Its page is not kept any more.")
    except UsageError as error:
        return error


def _new_digests(
    fresh: Sequence[EpisodeTask], planner: Planner, state: ShowState, now: datetime
) -> Iterator[EpisodeTask]:
    """New digests of articles that are in none, once they are remembered."""
    choice = planner.show.digest
    if choice is None:
        return
    by_id = {one.article.id: one for one in fresh}
    titles = {one.title for one in state.records().values() if one.id.startswith(PREFIX)}
    day = now.astimezone()  # a digest is of the day where it is made
    for digest_id, ids in new_digests([_candidate(one) for one in fresh], choice):
        parts = [by_id[one] for one in ids]
        title = free_title(filled_template(choice.title, planner.show, day, len(ids)), titles)
        titles.add(title)
        record = ArticleRecord(digest_id, "", title, first_seen=day.isoformat())
        members = [member_of(one, digest_id, place) for place, one in enumerate(parts)]
        state.save_digest(record, members)
        yield planner.digest(record, parts)


def _candidate(task: EpisodeTask) -> DigestCandidate:
    return DigestCandidate(task.article.id, _n_words(task), task.job.engine, task.job.speed)


def _n_words(task: EpisodeTask) -> int | None:
    """The words of an article; None if it fails, which is told when its own episode does."""
    try:
        book = read_manuscript(task.job).book
    except OF_ONE_ARTICLE:
        return None
    chapters = (chapter for chapter in book.chapters if not chapter.is_credits)
    return count_words(" ".join(block.text for chapter in chapters for block in chapter.blocks))


def _forget_failures(
    own: Iterable[EpisodeTask], digests: Iterable[EpisodeTask], planner: Planner, state: ShowState
) -> None:
    """Forget failures of articles that have an episode, and can be had again."""
    whole = [
        one
        for one in own
        if one.record.fingerprint == one.fingerprint and episode_there(one.record, planner.folder)
    ]
    parts = [part for one in digests if one.record.episode for part in one.parts]
    for one in (*whole, *parts):
        if one.record.failure and not one.article.problem:
            state.save(replace(one.record, failure="", attempts=0))


def kept_ids(
    articles: Iterable[Article], known: dict[str, ArticleRecord], show: ShowSettings, now: datetime
) -> frozenset[str]:
    """The ids of the newest episodes, as many as the show keeps: no others are made.

    `articles` are those that are in no digest.
    """
    is_unit = (one for one in known.values() if one.episode or one.id.startswith(PREFIX))
    dates = {one.id: date_of(one) for one in is_unit}
    for article in articles:
        record = record_of(article, known, now)
        published = published_of(article, datetime.fromisoformat(record.first_seen))
        dates[article.id] = published or dates.get(article.id) or date_of(record)
    newest = sorted(dates, key=lambda id_: (dates[id_], id_), reverse=True)
    return frozenset(newest[: show.episodes.keep])
