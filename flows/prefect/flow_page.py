"""The page of a flow run: its progress, its log, and a report of what was made.

A server that does not answer never stops a run, and makes none wait before its files are made.
"""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self, cast
from uuid import UUID

import httpx
from prefect.artifacts import (
    create_markdown_artifact,
    create_progress_artifact,
    update_progress_artifact,
)
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import (
    ArtifactFilter,
    ArtifactFilterFlowRunId,
    ArtifactFilterKey,
)
from prefect.logging import get_run_logger
from prefect.runtime import flow_run
from prefect.settings import (
    PREFECT_CLIENT_MAX_RETRIES,
    get_current_settings,
    temporary_settings,
)

from audiomill.flows.console import format_duration
from audiomill.flows.execution.progress import ProgressUpdate, ThrottledProgress, no_workers
from audiomill.flows.execution.run_context import SHORT_STEPS, Progress, Step
from audiomill.flows.pipeline.report import Report
from audiomill.flows.pipeline.suspects import Suspect, format_time
from audiomill.flows.prefect_server.access import answers
from audiomill.outputs.text import one_line
from audiomill.outputs.types import OutputFile

LOG = logging.getLogger("audiomill")
PROGRESS_KEY = "render-progress"
REPORT_KEY = "render-report"
# An update is a request to the server, of some 20 ms.
UPDATE_EVERY_S = 2.0
UPDATE_TAKES_S = 5.0  # at most, if the server is well
ASK_AGAIN_AFTER_S = 1.0
MAX_SUSPECTS = 20  # on the page


@dataclass(frozen=True, slots=True)
class PageResult:
    """The result of a run on its page: lines for its log, and its report in Markdown."""

    title: str
    made: Sequence[str]
    warnings: Sequence[str]
    markdown: str


def _share_done(steps: Sequence[Step], update: ProgressUpdate) -> float:
    """How much of all steps is done, 0 to 1."""
    weights = [0.1 if step in SHORT_STEPS else 1.0 for step in steps]
    at = steps.index(update.step)
    return (sum(weights[:at]) + weights[at] * update.fraction) / sum(weights)


class FlowPage:
    """The page of the current flow run, whose work has these steps.

    When all files are made, a server that is away gets `patience_s` to return.
    """

    def __init__(self, steps: Sequence[Step], patience_s: float = 0.0) -> None:
        self._steps = steps
        self._patience_s = patience_s
        self._artifact_id = _progress_artifact()
        self._percent = 0.0
        self._sender: threading.Thread | None = None  # of the last update
        self.workers: Callable[[], str] = no_workers  # who renders, if not this process

    def progress(self) -> Progress:
        """Receives the run's progress, and shows it on the page now and then."""
        return ThrottledProgress(self._show, UPDATE_EVERY_S)

    def finish(self, result: PageResult) -> None:
        """Show that everything is done, and what was made."""
        log = get_run_logger()
        for line in result.made:
            log.info("%s", line)
        for warning in result.warnings:
            log.warning("%s", warning)
        self._percent = 100.0

        title = one_line(result.title)

        def send() -> None:
            with get_client(sync_client=True) as client:
                client.update_flow_run(UUID(flow_run.id), name=title)
            self._send_last("done")
            create_markdown_artifact(result.markdown, key=REPORT_KEY, description=title)

        _try_to(send, "The flow run's page lacks the report", self._patience_s)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """After an error, show that the run has ended: a progress bar would seem to go on."""
        if kind is not None:
            _try_to(lambda: self._send_last("stopped"), "The flow run's page shows old progress")

    def _show(self, update: ProgressUpdate) -> None:
        """Send an update in a thread of its own, unless the last one is still on its way."""
        if self._sender is not None and self._sender.is_alive():
            return
        self._percent = 100 * _share_done(self._steps, update)
        words = str(replace(update, workers=self.workers()))
        # A daemon: a server that hangs answers after a minute or never, and no run waits for it.
        self._sender = threading.Thread(
            target=copy_context().run, args=(self._send_update, words), daemon=True
        )
        self._sender.start()

    def _send_update(self, description: str) -> None:
        """Try once: sent again after seconds, an update could undo a later one."""
        once = temporary_settings({PREFECT_CLIENT_MAX_RETRIES: 0})
        with once, suppress(httpx.HTTPError):
            self._send(description)

    def _send_last(self, description: str) -> None:
        """An update that is still on its way must not come after this one."""
        if self._sender is not None:
            self._sender.join(UPDATE_TAKES_S)
        self._send(description)

    def _send(self, description: str) -> None:
        if self._artifact_id is not None:
            update_progress_artifact(self._artifact_id, self._percent, description)


def page_result(report: Report) -> PageResult:
    """The result of a book's run, for its page."""
    verb = "Made" if report.result or report.retagged else "Already there"
    made = [f"{verb}: {_described(file)}" for file in report.files]
    return PageResult(report.title, made, report.warnings, report_markdown(report))


def leave_lost_prefect() -> None:
    """If the server no longer answers, do not try again what still is to be told to it."""
    if _is_server_lost():
        get_current_settings().client.max_retries = 0


def _try_to(send: Callable[[], None], consequence: str, patience_s: float = 0.0) -> None:
    """Send something to the server. If that does not answer for so long, say so."""
    deadline = time.monotonic() + patience_s
    while _is_server_lost():
        if time.monotonic() >= deadline:
            LOG.warning("Prefect's server does not answer. %s.", consequence)
            return
        time.sleep(ASK_AGAIN_AFTER_S)
    try:
        send()
    except httpx.HTTPError as error:
        LOG.warning("Prefect's server failed (%s). %s.", error, consequence)


def _is_server_lost() -> bool:
    """True if a server is configured, and does not answer."""
    url = get_current_settings().api.url
    return url is not None and not answers(url)


def _progress_artifact() -> UUID | None:
    """The progress of this flow run, at its start. None if the server does not answer.

    That of an earlier attempt is used again: it would stay where that attempt died.
    """
    key = ArtifactFilterKey(any_=[PROGRESS_KEY])
    run = ArtifactFilterFlowRunId(any_=[UUID(flow_run.id)])
    try:
        with get_client(sync_client=True) as client:
            found = client.read_artifacts(artifact_filter=ArtifactFilter(key=key, flow_run_id=run))
        if found:
            update_progress_artifact(found[0].id, 0.0, "reading")
            return found[0].id
        # Typed for synchronous and asynchronous flows; in a synchronous one it returns the id.
        return cast("UUID", create_progress_artifact(0.0, PROGRESS_KEY, "reading"))
    except httpx.HTTPError as error:
        LOG.warning("Prefect's server failed (%s). Its page shows no progress.", error)
        return None


def _work_line(report: Report) -> str:
    """The numbers of segments by what was done with them."""
    if report.result:
        return (
            f"{report.rendered} rendered, {report.cached} from the store,"
            f" {report.repeated} repeated"
        )
    if report.retagged:
        return f"{len(report.retagged)} files got other tags, titles or covers"
    return "nothing had changed"


def report_markdown(report: Report) -> str:
    """The report for people: the files, what was rendered, and where to read what was left out."""
    lines = [
        f"# {escaped_markdown(report.title)}",
        f"{format_duration(report.audio_s)} of audio in {report.wall_s:.1f} s."
        f" {report.segments} segments: {_work_line(report)}.",
        "| file | format | length | chapters |\n|---|---|---|---|\n"
        + "\n".join(_table_row(file) for file in report.files),
        f"{len(report.skipped)} texts were not spoken. The report lists them, and where the time"
        f" went: {_code(report.path.absolute())}",
    ]
    if report.result and report.result.suspects:
        lines += ["## Suspects", _suspects_table(report.result.suspects)]
    if report.warnings:
        lines += [
            "## Warnings",
            "\n".join(f"- {escaped_markdown(words)}" for words in report.warnings),
        ]
    return "\n\n".join(lines) + "\n"


def _suspects_table(suspects: Sequence[Suspect]) -> str:
    """The first suspects as a Markdown table. The report file lists all."""
    rows = [
        f"| {format_time(one.at_s)} | {escaped_markdown(one.chapter)} | {one.fault}:"
        f" {escaped_markdown(one.words)} | {escaped_markdown(one.text)} |"
        for one in suspects[:MAX_SUSPECTS]
    ]
    more = len(suspects) - MAX_SUSPECTS
    left_out = f"\n\n{more} more: see “suspects” in the report." if more > 0 else ""
    return "| at | chapter | fault | text |\n|---|---|---|---|\n" + "\n".join(rows) + left_out


def _described(file: OutputFile) -> str:
    return f"{file.path.absolute()} ({format_duration(file.duration_s)}, {file.chapters} chapters)"


def _table_row(file: OutputFile) -> str:
    # No link: no browser follows one from a server's page to a file, and Prefect's pages drop it.
    path = _code(file.path.absolute()).replace("|", r"\|")
    return f"| {path} | {file.format} | {format_duration(file.duration_s)} | {file.chapters} |"


def _code(path: Path) -> str:
    """A path as Markdown's code, between more backticks than it holds in a row."""
    words = " ".join(str(path).split("\n"))
    fence = "`" * (1 + max(map(len, re.findall("`+", words)), default=0))
    space = " " if "`" in words else ""
    return f"{fence}{space}{words}{space}{fence}"


def escaped_markdown(text: str) -> str:
    """`text` as Markdown shows it: unchanged, on one line, in a table too."""
    words = " ".join(text.split())
    return "".join(f"\\{char}" if char in r"\`*_[]<>|#&~$" else char for char in words)
