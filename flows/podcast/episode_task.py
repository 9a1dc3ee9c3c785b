"""An episode to be made: its job, its fingerprint, and whether that is still to be done."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from audiomill.flows.job import Job
from audiomill.flows.podcast.article import Article
from audiomill.flows.podcast.digests import filled_template
from audiomill.flows.podcast.episodes import job_for, loaded, placed_names
from audiomill.flows.podcast.fingerprints import (
    choices_of,
    content_hash,
    counted_choices,
    episode_fingerprint,
)
from audiomill.flows.podcast.show_settings import DigestChoice, ShowSettings, SourceChoice
from audiomill.flows.podcast.state import ArticleRecord
from audiomill.flows.settings import Settings
from audiomill.inputs.articles.digest import DIGEST_SUFFIX, Digest, DigestArticle, dumped
from audiomill.inputs.casting.cast import Cast
from audiomill.inputs.metadata.credits import Credits
from audiomill.outputs.files import unwritable_errors, write_atomically
from audiomill.outputs.podcast.show import Episode
from audiomill.outputs.podcast.show_folder import ShowFolder


@dataclass(frozen=True, slots=True)
class EpisodeTask:
    """The episode of an article, or of a digest with its articles in `parts`."""

    article: Article  # of a digest: the file that lists its articles
    job: Job
    fingerprint: str
    record: ArticleRecord
    parts: tuple[EpisodeTask, ...] = ()


@dataclass(frozen=True, slots=True)
class Planner:
    """Plans the episodes of a show, whose finished audio is kept in `library`."""

    show: ShowSettings
    settings: Settings
    library: Path
    folder: ShowFolder  # where the show is published

    def episode(self, article: Article, record: ArticleRecord) -> EpisodeTask:
        """The task for an article. Raises OSError if its file is not there, UsageError."""
        job = job_for(article, self.show, self.settings, self.library)
        return _with_its_attempts(
            EpisodeTask(article, job, episode_fingerprint(article, job), record)
        )

    def digest(self, record: ArticleRecord, parts: Sequence[EpisodeTask]) -> EpisodeTask:
        """The task for a digest. Raises OSError, UsageError, OutputUnwritable.

        It is read by the engine of its first article, at the speed of that one.
        """
        digest = self._digest(record, parts)
        path = self.library / ".digests" / f"{record.id.rpartition(':')[2]}{DIGEST_SUFFIX}"
        _write_if_new(path, dumped(digest))
        article = Article(record.id, "", SourceChoice(), path, record.title)
        general = job_for(article, self.show, self.settings, self.library)
        first = parts[0].job
        job = replace(
            first,
            source=path,
            voice=general.voice if general.engine == first.engine else None,
            cast=Cast(),
            credits=Credits(enabled=False),
        )
        fingerprint = _digest_fingerprint(digest, parts, job)
        return _with_its_attempts(EpisodeTask(article, job, fingerprint, record, tuple(parts)))

    def _digest(self, record: ArticleRecord, parts: Sequence[EpisodeTask]) -> Digest:
        choice = self.show.digest or DigestChoice()
        day = datetime.fromisoformat(record.first_seen)
        first = parts[0].job
        return Digest(
            id=record.id,
            title=record.title,
            language=self.show.language,
            date=day.date().isoformat(),
            opening=filled_template(choice.intro, self.show, day, len(parts)),
            closing=filled_template(choice.outro, self.show, day, len(parts)),
            intro=self.show.episodes.intro,
            articles=tuple(_listed(part, first.engine) for part in parts),
        )


def is_due(task: EpisodeTask, planner: Planner) -> bool:
    """Whether the episode is new or changed, or failed before and may be tried again."""
    record = task.record
    if record.fingerprint != task.fingerprint:
        return True
    is_its_own = record.failure and not record.is_temporary
    is_hopeless = is_its_own and record.attempts >= planner.show.episodes.attempts
    return not is_hopeless and episode_there(record, planner.folder) is None


def episode_there(record: ArticleRecord, folder: ShowFolder) -> Episode | None:
    """The record's episode, if it has one and all its files are in the show's folder."""
    episode = loaded(record.episode)
    if episode is None:
        return None
    n_bytes, *others = (folder.size(name) for name in placed_names(episode))
    is_there = n_bytes == episode.enclosure.n_bytes and None not in others
    return episode if is_there else None


def _write_if_new(path: Path, content: bytes) -> None:
    with unwritable_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        is_new = not path.is_file() or path.read_bytes() != content
    if is_new:
        write_atomically(path, content)


def _with_its_attempts(task: EpisodeTask) -> EpisodeTask:
    """The task, whose record counts no attempts at anything else."""
    if task.record.fingerprint == task.fingerprint:
        return task
    return replace(task, record=replace(task.record, attempts=0))


def _listed(part: EpisodeTask, engine: str) -> DigestArticle:
    cast = Path(part.job.cast.where) if part.job.cast.where else None
    # Since the digest was begun, another engine may have been chosen for the article.
    voice = part.job.voice if part.job.engine == engine else None
    return DigestArticle(part.article.path, part.article.title, voice, cast)


def _digest_fingerprint(digest: Digest, parts: Sequence[EpisodeTask], job: Job) -> str:
    """The fingerprint of a digest's episode, wherever its files lie. Raises OSError."""
    moved = replace(
        digest, articles=tuple(replace(one, path=Path(), cast=None) for one in digest.articles)
    )
    contents = [
        [content_hash(one.article), str(one.article.published), repr(counted_choices(one.job.cast))]
        for one in parts
    ]
    content = [dumped(moved).decode(), contents, choices_of(job)]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()
