"""What all stages of one book's run share."""

from __future__ import annotations

from dataclasses import dataclass

from audiomill.flows.execution.executor import Executor
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.job import Job
from audiomill.flows.pipeline.library.entry import LibraryEntry
from audiomill.flows.pipeline.planning.cut_keys import CutKeys
from audiomill.flows.pipeline.planning.fingerprints import ContentDigest
from audiomill.flows.pipeline.planning.plan import Plan
from audiomill.outputs.encoding.find_ffmpeg import Ffmpeg
from audiomill.renderers.host.process_pool import TaskPool
from audiomill.renderers.recognition.recogniser import Recogniser


@dataclass(frozen=True, slots=True)
class Run:
    """What all stages of one book's run share."""

    job: Job
    plan: Plan
    made_from: ContentDigest  # the digests of the plan
    executor: Executor
    context: RunContext
    pool: TaskPool
    library_entry: LibraryEntry
    cut_keys: CutKeys
    ffmpeg: Ffmpeg  # that writes all files
    recogniser: Recogniser | None = None  # that checks all speech
