"""Which worker measures a variant: one for each engine, device and precision. Opens and ends them.

Synthesis keeps its workers through the whole run, and they take turns: what disturbs the machine
for a while then disturbs all. An end-to-end pass has a worker of its own, because what one pass
has pronounced the next would remember.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from flows.bench import sources, stand
from flows.bench.figures import Stages
from flows.bench.making import Maker
from flows.bench.options import Order, WrongOrder
from flows.bench.subject import Subject
from flows.bench.variants import Mode, Variant
from flows.bench.worker import Worker, WorkFailed
from renderers.options import EngineOptions, KokoroOptions

Opening = tuple[Callable[..., Any], tuple[Any, ...]]  # what to make, and with what


@dataclass(frozen=True, slots=True)
class Failure:
    """A worker that could not be opened."""

    reason: str


class Stands:
    """The workers of one run, in order of need."""

    def __init__(
        self, order: Order, options: KokoroOptions, subject: Subject, folder: Path
    ) -> None:
        self._order = order
        self._options = options
        self._subject = subject
        self._folder = folder
        self._open: dict[tuple[str, ...], Worker | Failure] = {}
        self._n_folders = 0

    def is_open(self, variant: Variant) -> bool:
        """Whether a variant's stand is loaded, or could not be."""
        return variant.stand in self._open

    def open(self, variant: Variant) -> None:
        """Have a variant's stand loaded. Raises WorkFailed."""
        self._standing(variant)

    def ask(
        self, variant: Variant, what: str, *given: Any, heard: Callable[[float], None] | None = None
    ) -> Any:
        """What a variant's stand answers. Raises WorkFailed, each time again if it cannot open.

        One that fails at what it is asked is opened anew, and warmed up, when another variant needs
        it: what has failed may be that variant's own.
        """
        is_open = self.is_open(variant)
        worker = self._standing(variant)
        try:
            if what == "run" and not is_open:
                worker.ask("warm_up", variant.chunking, variant.batch_frames)
            return worker.ask(what, variant.chunking, variant.batch_frames, *given, heard=heard)
        except WorkFailed:
            self.drop(variant)
            raise

    def facts(self, variant: Variant) -> Mapping[str, object]:
        """See `Trial`. Of a stand that has been asked before. Raises WorkFailed."""
        return self._standing(variant).ask("facts")

    def stages(self, variant: Variant) -> Stages:
        """See `MillStand`. Of a stand that has been run before. Raises WorkFailed."""
        return self._standing(variant).ask("stages")

    def drop(self, variant: Variant) -> None:
        """End a variant's worker; it is opened anew when it is asked again."""
        worker = self._open.pop(variant.stand, None)
        if isinstance(worker, Worker):
            worker.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for worker in self._open.values():
            if isinstance(worker, Worker):
                worker.close()

    def _standing(self, variant: Variant) -> Worker:
        worker = self._open.get(variant.stand) or self._opened(variant)
        if isinstance(worker, Failure):
            raise WorkFailed(worker.reason)
        return worker

    def _opened(self, variant: Variant) -> Worker | Failure:
        try:
            make, given = self._opening(variant)
            worker: Worker | Failure = Worker(make, *given)
        except (WorkFailed, WrongOrder) as error:
            worker = Failure(str(error))
        self._open[variant.stand] = worker
        return worker

    def _opening(self, variant: Variant) -> Opening:
        """Raises WorkFailed, SourceError, WrongOrder."""
        if variant.engine == "onnx":
            model = self._onnx_models[variant.precision]
            return stand.onnx_stand, (self._options, self._subject, model)
        options = replace(self._options, device=variant.device, precision=variant.precision)
        if variant.mode is Mode.END_TO_END:
            return self._end_to_end(variant, options)
        models = {"kokoro": stand.kokoro_stand, "upstream": stand.upstream_stand}
        if make := models.get(variant.engine):
            return make, (options, self._subject)
        return stand.text_stand, (variant.engine, self._subject)

    def _end_to_end(self, variant: Variant, options: KokoroOptions) -> Opening:
        if variant.engine == "upstream":
            return stand.pipeline_stand, (options, sources.as_text(self._order, self._subject))
        engine_options = EngineOptions(replace(options, batch_frames=variant.batch_frames))
        self._n_folders += 1
        folder = self._folder / f"end-to-end-{self._n_folders}"
        folder.mkdir()
        return stand.mill_stand, (variant.engine, engine_options, self._source, folder)

    @cached_property
    def _source(self) -> Path:
        return sources.write_source(self._order, self._subject, self._folder)

    @cached_property
    def _onnx_models(self) -> dict[str, Path]:
        with Worker(Maker, self._folder) as maker:
            return maker.ask("onnx_models", replace(self._options, device="cpu"))
