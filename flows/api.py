"""The Python interface: `audiomill.render` and `audiomill.inspect`.

Both do what the commands of the same names do, without Prefect. They return data instead of
printing, and raise errors instead of ending the program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from audiomill.flows.cluster.choice import chosen_cluster, place_of_windows
from audiomill.flows.execution.executor import ThreadExecutor
from audiomill.flows.execution.run_context import Progress, RunContext
from audiomill.flows.inspection import Inspection, inspect_source
from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline.pipeline import run_pipeline
from audiomill.flows.pipeline.reporting.report import Report
from audiomill.flows.settings import load_settings


def render(
    source: str | Path,
    *,
    out: str | Path | None = None,
    engine: str | None = None,
    voice: str | None = None,
    speed: float | None = None,
    profile: str | None = None,
    formats: str | Sequence[str] | None = None,
    transcripts: str | Sequence[str] | None = None,
    chapters: str = "",
    read: str | None = None,
    split: bool | None = None,
    store: str | None = None,
    credits: bool | None = None,  # noqa: A002  the option's name
    cast: str | Path | None = None,
    budget: float | None = None,
    plot: bool = False,
    check_speech: bool | None = None,
    metadata: Mapping[str, str | Sequence[str]] | None = None,
    progress: Progress | None = None,
) -> Report:
    """Render `source`, or as much of it as is not there yet, and return the report of the run.

    None means the setting of that name. `profile` is what the files are made for: "audiobookshelf",
    "acx", "podcast", "apple" or "archive"; it decides what neither options nor settings say.
    `chapters` is a range like "1-3,7", "" means all. `read` is a preset, "essential" or
    "everything". `split` writes one file per chapter. `transcripts` are "vtt" and "srt", written
    beside the audio. `plot` draws each recording, too. `check_speech` has all speech checked by
    recognition. `cast` is a casting file; None is the one beside the book, if there is one.
    `budget` is the most that a paid service may cost, in the currency of its price, for all renders
    of this process with that budget. `metadata` corrects what the source says, by the keys of
    `--set`; it wins over the file beside the book. `progress` is called from any thread. Ctrl-C
    raises KeyboardInterrupt after the batches in flight have ended; finished segments are kept.

    Raises UsageError, SourceError, RenderError, StoreError, OutputError; ExecutorError if the
    settings name a cluster that cannot be used.
    """
    settings = load_settings()
    job = make_job(
        settings,
        source,
        out=out,
        engine=engine,
        voice=voice,
        speed=speed,
        profile=profile,
        formats=formats,
        transcripts=transcripts,
        chapters=chapters,
        read=read,
        split=split,
        store=store,
        credits=credits,
        cast=cast,
        budget=budget,
        plot=plot,
        check_speech=check_speech,
        metadata=metadata,
    )
    with place_of_windows(chosen_cluster(settings)) as place, ThreadExecutor() as threads:
        return run_pipeline(job, place.executor(threads), RunContext(progress))


def inspect(
    source: str | Path,
    *,
    engine: str | None = None,
    voice: str | None = None,
    speed: float | None = None,
    chapters: str = "",
    credits: bool | None = None,  # noqa: A002  the option's name
    cast: str | Path | None = None,
    read: str | None = None,
    metadata: Mapping[str, str | Sequence[str]] | None = None,
) -> Inspection:
    """What `render` would speak and skip, with the expected length of each chapter.

    Renders and writes nothing. Raises UsageError, SourceError, RenderError.
    """
    settings = load_settings()
    job = make_job(
        settings,
        source,
        engine=engine,
        voice=voice,
        speed=speed,
        chapters=chapters,
        read=read,
        credits=credits,
        cast=cast,
        metadata=metadata,
    )
    return inspect_source(job)
