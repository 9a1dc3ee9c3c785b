"""The finished edition of a source that `audiomill inspect` tells of, and the command for more.

Which one: that of the options. Without an engine, a voice or a speed among them, and if the library
has no such edition, the last one that was used there.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

from audiomill.flows.errors import UsageError
from audiomill.flows.job import Job, name_of_source
from audiomill.flows.make_job import make_job
from audiomill.flows.options import InspectOptions, VoiceOptions, declared
from audiomill.flows.pipeline.further_formats import (
    FinishedBook,
    further_formats,
    recorded_edition,
)
from audiomill.flows.pipeline.planning.manuscript import read_manuscript
from audiomill.flows.pipeline.planning.plan import Plan, make_plan
from audiomill.flows.settings import load_settings
from audiomill.outputs.formats.registry import FORMATS, PLOT, READALONGS, TRANSCRIPTS
from audiomill.renderers.engine.errors import RenderError
from audiomill.renderers.engine.protocol import Renderer
from audiomill.renderers.engine.registry import open_renderer


def edition_of_source(
    job: Job, plan: Plan, renderer: Renderer, options: InspectOptions
) -> FinishedBook | None:
    """What the library has of the source, and could have without rendering; None: nothing.

    `job`, `plan` and `renderer` are those of the options.
    """
    try:
        found = further_formats(job, plan, renderer)
        if found is None and not job.address and not any(map(options.get, declared(VoiceOptions))):
            return _recorded(job, plan, options)
    except (OSError, RenderError, UsageError):  # its engine is gone, or nobody may read it
        return None
    return found and _with_command(found, job, options)


def _recorded(job: Job, plan: Plan, options: InspectOptions) -> FinishedBook | None:
    """The same for the edition that the library has. Raises OSError, RenderError, UsageError."""
    edition = recorded_edition(job, plan.book.source_id)
    if edition is None:
        return None
    voice = {"engine": edition.engine, "voice": edition.voice}
    speed = {} if edition.speed == job.speed else {"speed": edition.speed}
    options = cast("InspectOptions", {**options, **voice, **speed})
    job = make_job(load_settings(), job.source, **options)
    renderer = open_renderer(job.engine, job.options)
    plan = make_plan(read_manuscript(job), job, renderer)
    found = further_formats(job, plan, renderer)
    return found and _with_command(found, job, options)


def _with_command(found: FinishedBook, job: Job, options: InspectOptions) -> FinishedBook:
    """The same with the command. It names the formats that are there, so that none is added."""
    if not found.without_encoding:
        return found
    words = ["audiomill", "render", name_of_source(job), *_words(options)]
    if found.split is not job.split:
        words.append("--split" if found.split else "--no-split")
    for flag, formats in (("--format", (*FORMATS, *READALONGS)), ("--transcript", TRANSCRIPTS)):
        there = set(found.formats) & FORMATS.keys()
        wanted = [name for name in formats if name in there | {*found.without_encoding}]
        words += [flag, ",".join(wanted)] if wanted else []
    words += ["--plot"] if PLOT in found.without_encoding else []
    return replace(found, command=shlex.join(words))


def _words(options: InspectOptions) -> Iterator[str]:
    """The options as the command line takes them."""
    given = {name: value for name, value in options.items() if value not in (None, "", {})}
    for name, value in given.items():
        flag = declared(InspectOptions)[name].option.flag_of(name)
        if isinstance(value, bool):
            yield flag if value else flag.replace("--", "--no-", 1)
        elif isinstance(value, Mapping):
            for key, values in cast("Mapping[str, Any]", value).items():
                for one in (values,) if isinstance(values, str) else values:
                    yield from (flag, f"{key}={one}")
        else:
            yield from (flag, f"{value:g}" if isinstance(value, float) else str(value))
