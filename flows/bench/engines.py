"""Engines of a benchmark, each in a child process that one or more variants share.

    variant ─▶ EnginePool ─▶ child process: *_run(…) ─▶ warm_up, run, cancel, facts

The functions `*_run` are called in the child process. They load what they need there, so that the
process of the benchmark itself does not need the full installation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from audiomill.flows.bench.any_engine import TextEngine
from audiomill.flows.bench.corpus import BenchText
from audiomill.flows.bench.measure import ReportProgress, SynthesisRun
from audiomill.flows.bench.options import BenchOptions, WrongOptions
from audiomill.flows.bench.statistics import Stages
from audiomill.flows.bench.texts import write_source
from audiomill.flows.bench.variants import Mode, Variant
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.host.child_object import ChildObject, ChildObjectError

if TYPE_CHECKING:
    from audiomill.flows.bench.pipeline_run import PipelineRun

# A function to call in a child process, and its arguments without the last, a `ReportProgress`.
Opener = tuple[Callable[..., Any], tuple[Any, ...]]


class EnginePool:
    """The child processes of one benchmark, each started when it is first needed."""

    def __init__(self, opener_of: Callable[[Variant], Opener]) -> None:
        """`opener_of` may raise ChildObjectError, SourceError, WrongOptions."""
        self._opener_of = opener_of
        self._open: dict[tuple[str, ...], ChildObject | OpenFailure] = {}

    def is_open(self, variant: Variant) -> bool:
        """True if the engine of a variant is loaded, or has failed to load."""
        return variant.process_key in self._open

    def open(self, variant: Variant) -> None:
        """Load the engine of a variant. Raises ChildObjectError."""
        self._remote(variant)

    def call(
        self, variant: Variant, method: str, *arguments: Any, report: ReportProgress | None = None
    ) -> Any:
        """The result of a method of a variant's engine.

        Raises ChildObjectError, and again on each call if the engine cannot be opened. An engine
        whose method fails is closed. It is opened again and warmed up if another variant needs it:
        the reason for the failure may concern only this variant.
        """
        is_open = self.is_open(variant)
        remote = self._remote(variant)
        try:
            if method == "run" and not is_open:
                remote.call("warm_up", variant.chunking, variant.batch_frames)
            return remote.call(
                method, variant.chunking, variant.batch_frames, *arguments, on_progress=report
            )
        except ChildObjectError:
            self.close(variant)
            raise

    def facts(self, variant: Variant) -> Mapping[str, object]:
        """The facts of a variant's engine, see `BenchEngine`. Raises ChildObjectError."""
        return self._remote(variant).call("facts")

    def stages(self, variant: Variant) -> Stages:
        """The stages of an end-to-end variant that has run. Raises ChildObjectError."""
        return self._remote(variant).call("stages")

    def close(self, variant: Variant) -> None:
        """End the process of a variant. The next call starts it again."""
        remote = self._open.pop(variant.process_key, None)
        if isinstance(remote, ChildObject):
            remote.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for remote in self._open.values():
            if isinstance(remote, ChildObject):
                remote.close()

    def _remote(self, variant: Variant) -> ChildObject:
        """The process of a variant, started if necessary. Raises ChildObjectError."""
        remote = self._open.get(variant.process_key) or self._start(variant)
        if isinstance(remote, OpenFailure):
            raise ChildObjectError(remote.reason)
        return remote

    def _start(self, variant: Variant) -> ChildObject | OpenFailure:
        try:
            make, arguments = self._opener_of(variant)
            remote: ChildObject | OpenFailure = ChildObject(make, *arguments)
        except (ChildObjectError, WrongOptions) as error:
            remote = OpenFailure(str(error))
        self._open[variant.process_key] = remote
        return remote


@dataclass(frozen=True, slots=True)
class OpenFailure:
    """The reason why an engine could not be opened."""

    reason: str


class EndToEndFiles:
    """The text of end-to-end runs as a file, and a new folder for each run."""

    def __init__(self, options: BenchOptions, text: BenchText, folder: Path) -> None:
        self._options = options
        self._text = text
        self._folder = folder
        self._n_folders = 0

    @cached_property
    def source(self) -> Path:
        """The file, written when it is first needed. Raises SourceError, WrongOptions."""
        return write_source(self._options, self._text, self._folder)

    def new_folder(self) -> Path:
        """A new folder for the store and the library of a run."""
        self._n_folders += 1
        folder = self._folder / f"end-to-end-{self._n_folders}"
        folder.mkdir()
        return folder


class TextOpener:
    """Opens engines that are measured from the text, each as the settings have it."""

    def __init__(
        self, options: BenchOptions, texts: Mapping[str, BenchText], files: EndToEndFiles
    ) -> None:
        """`texts`: by engine, each cut in its own way."""
        self._options = options.engine_options
        self._texts = texts
        self._files = files

    def __call__(self, variant: Variant) -> Opener:
        """Raises SourceError, WrongOptions."""
        engine = variant.engine
        if variant.mode is Mode.END_TO_END:
            source = self._files.source
            return pipeline_run, (engine, self._options, source, self._files.new_folder())
        return text_run, (engine, self._options, self._texts[engine])


def text_run(
    engine: str, options: EngineOptions, text: BenchText, report: ReportProgress
) -> SynthesisRun:
    """Any engine, from the text. Raises EngineMissing."""
    opened = TextEngine(engine, options, text.voice)
    return SynthesisRun(opened, text, report, has_memory=opened.is_ours)


def pipeline_run(
    engine: str, options: EngineOptions, source: Path, folder: Path, report: ReportProgress
) -> PipelineRun:
    """Our whole pipeline. Raises EngineMissing."""
    from audiomill.flows.bench.pipeline_run import PipelineRun

    return PipelineRun(engine, options, source, folder, report)
