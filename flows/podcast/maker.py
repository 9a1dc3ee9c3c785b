"""Makes episodes, one after the other, and remembers each at once; one that fails stops no other.

A digest that is new leaves out the articles that fail. They are told, and are free for a later one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from audiomill.flows.execution.executor import Executor
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.pipeline.pipeline import run_pipeline
from audiomill.flows.pipeline.report import Report
from audiomill.flows.podcast.digests import make_digest_episode
from audiomill.flows.podcast.due_episodes import OF_ONE_ARTICLE, OF_THE_ENGINE, member_of
from audiomill.flows.podcast.episode_task import EpisodeTask, Planner
from audiomill.flows.podcast.episodes import dumped, loaded, make_episode, place_files
from audiomill.flows.podcast.run_log import RunLog, one_episode
from audiomill.flows.podcast.shared_render import failure_of
from audiomill.flows.podcast.state import ArticleRecord, ShowState
from audiomill.outputs.podcast.show import Episode
from audiomill.renderers.engine.errors import EngineUnavailable, RenderError


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes the episodes of a show."""

    planner: Planner
    state: ShowState
    executor: Executor
    context: RunContext
    log: RunLog
    # The errors of engines that cannot speak now, each of which is waited for once.
    away: dict[str, RenderError] = field(default_factory=dict[str, RenderError])

    def make(self, task: EpisodeTask) -> list[Episode]:
        """Make an episode, and return it unless it sounds as before.

        What fails has none, and is remembered too. Raises StoreError, OutputError, Interrupted.
        """
        try:
            if error := self.away.get(task.job.engine):
                raise error
            return self._finished(task)
        except OF_THE_ENGINE as error:
            if isinstance(error, EngineUnavailable):  # a package may lack for one language only
                self.away[task.job.engine] = error
            self.state.save(self.log.record_failure(_record_of(task), error, is_temporary=True))
            return []
        except OF_ONE_ARTICLE as error:
            if task.parts:
                return self._without_failed(task, error)
            self.state.save(self.log.record_failure(_record_of(task), error))
            return []

    def _finished(self, task: EpisodeTask) -> list[Episode]:
        """Make the files of an episode, and remember it."""
        report = self._report_of(task)
        self.log.warn(f"“{report.title}”: {one}" for one in report.warnings)
        first_seen = datetime.fromisoformat(task.record.first_seen)
        articles = [one.article for one in task.parts]
        episode = (
            make_digest_episode(task.article, articles, report, first_seen)
            if articles
            else make_episode(task.article, report, first_seen)
        )
        before = loaded(task.record.episode)
        if before:  # what apps know it by stays
            episode = replace(episode, guid=before.guid)
        place_files(report, self.planner.folder, episode)
        record = replace(
            _record_of(task),
            title=episode.title,
            episode=dumped(episode),
            attempts=0,
            failure="",
        )
        if task.parts:
            members = [member_of(one, record.id, place) for place, one in enumerate(task.parts)]
            self.state.save_digest(record, members)
            self._forget_failures(task.parts)
        else:
            self.state.save(record)
        return [] if before and before.enclosure == episode.enclosure else [episode]

    def _report_of(self, task: EpisodeTask) -> Report:
        """Run the pipeline. What somebody has changed since an earlier run is made anew.

        Nobody keeps files in the library of a show. But a published file is the same file under
        another name, where both are on one disk.
        """
        executor = self.executor.of(task.article.title or task.job.source.name)
        with one_episode(self.context) as own:
            report = run_pipeline(task.job, executor, own)
            changed = [one.path for one in report.files if one.path.name in report.changed]
            if not changed:
                return report
            for path in changed:
                path.unlink(missing_ok=True)
            self.log.warn([f"“{report.title}”: its published file was changed; it is made anew."])
            return run_pipeline(task.job, executor, own)

    def _forget_failures(self, parts: Sequence[EpisodeTask]) -> None:
        for part in parts:
            if part.record.failure and not part.article.problem:
                self.state.save(replace(part.record, attempts=0, failure=""))

    def _without_failed(self, task: EpisodeTask, error: Exception) -> list[Episode]:
        """Make a new digest without the articles that fail; one that was made stays as it is."""
        reasons = [
            (part, reason)
            for part in task.parts
            if (reason := failure_of(part.job, self.executor, self.context))
        ]
        if task.record.episode or not reasons:
            failure = "; ".join(f"“{part.article.title}”: {reason}" for part, reason in reasons)
            failed = self.log.record_failure(_record_of(task), reasons[0][1] if reasons else error)
            self.state.save(replace(failed, failure=failure or failed.failure))
            return []
        failed_parts = [
            self.log.record_failure(_record_of(part), reason) for part, reason in reasons
        ]
        self.state.leave_out(failed_parts)
        left_out = {part.article.id for part, _ in reasons}
        return self._remade(task, [one for one in task.parts if one.article.id not in left_out])

    def _remade(self, task: EpisodeTask, parts: Sequence[EpisodeTask]) -> list[Episode]:
        """Make a digest of the parts that are left, or episodes if they are too few."""
        choice = self.planner.show.digest
        if choice and len(parts) >= choice.min_articles:
            return self.make(self.planner.digest(task.record, parts))
        self.state.remove_digest(task.record.id)
        return [episode for part in parts for episode in self.make(part)]


def _record_of(task: EpisodeTask) -> ArticleRecord:
    return replace(task.record, fingerprint=task.fingerprint)
