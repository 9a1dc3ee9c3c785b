"""The Python interface: `audiomill.render` and `audiomill.inspect`.

Both do what the commands of the same names do, without Prefect. They return data instead of
printing, and raise errors instead of ending the program.
"""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

from audiomill.flows.cluster.choice import chosen_cluster, place_of_windows
from audiomill.flows.execution.executor import ThreadExecutor
from audiomill.flows.execution.run_context import Progress, RunContext
from audiomill.flows.inspection import Inspection, inspect_source
from audiomill.flows.make_job import job_options, make_job
from audiomill.flows.options import RenderOptions, SourceOptions, require_declared
from audiomill.flows.pipeline.pipeline import run_pipeline
from audiomill.flows.pipeline.report import Report
from audiomill.flows.settings import load_settings


def render(
    source: str | Path, *, progress: Progress | None = None, **options: Unpack[RenderOptions]
) -> Report:
    """Render `source`, or as much of it as is not there yet, and return the report of the run.

    The options are those of `audiomill render`; docs/python.md has the table. One that is None or
    left out is as the settings say, or else the profile.
    `progress` is called from any thread. Ctrl-C raises KeyboardInterrupt after the batches in
    flight have ended; finished segments are kept.

    Raises UsageError, SourceError, RenderError, StoreError, OutputError; ExecutorError if the
    cluster cannot be used; TypeError for a name that is no option.
    """
    settings = load_settings()
    job = make_job(settings, source, **job_options(options))
    cluster = chosen_cluster(settings, options)
    with place_of_windows(cluster) as place, ThreadExecutor() as threads:
        return run_pipeline(job, place.executor(threads), RunContext(progress))


def inspect(source: str | Path, **options: Unpack[SourceOptions]) -> Inspection:
    """Tell what `render` would speak and skip, with the expected length of each chapter.

    The options are those of `audiomill inspect`. Renders and writes nothing. Raises UsageError,
    SourceError, RenderError; TypeError for a name that is no option.
    """
    require_declared(options, SourceOptions)
    return inspect_source(make_job(load_settings(), source, **options))
