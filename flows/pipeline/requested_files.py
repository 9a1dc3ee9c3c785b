"""The files that a run is asked for, and those of them that the library has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audiomill.flows.pipeline.planning.output_specs import (
    OutputSpec,
    list_specs,
    output_specs,
    readalong_specs,
    sample_specs,
)
from audiomill.flows.pipeline.run_state import Run
from audiomill.outputs.formats.registry import CUE_SHEET, READALONG_PAGE
from audiomill.outputs.readalong.web.assets import has_assets
from audiomill.outputs.types import OutputFile


@dataclass(frozen=True, slots=True)
class RequestedFiles:
    """The files that a run is asked for, and those of them that are finished already."""

    specs: tuple[OutputSpec, ...]
    samples: tuple[OutputSpec, ...]  # the retail sample
    lists: tuple[OutputSpec, ...]  # playlists and cue sheets
    readalongs: tuple[OutputSpec, ...]  # books with their sound
    finished: Mapping[OutputSpec, OutputFile]

    @property
    def all_specs(self) -> tuple[OutputSpec, ...]:
        """Every file that the run is asked for."""
        return (*self.specs, *self.samples, *self.lists, *self.readalongs)

    @property
    def missing(self) -> list[OutputSpec]:
        """Files of the book, and of its retail sample, that are not finished."""
        return [spec for spec in (*self.specs, *self.samples) if spec not in self.finished]

    @property
    def missing_readalongs(self) -> list[OutputSpec]:
        """Books with their sound that are not finished."""
        return [spec for spec in self.readalongs if spec not in self.finished]

    @property
    def missing_lists(self) -> list[OutputSpec]:
        """Playlists and cue sheets that are not finished."""
        return [spec for spec in self.lists if spec not in self.finished]


def requested_files(run: Run) -> RequestedFiles:
    """The files that the run is asked for. Raises OSError, OutputUnwritable."""
    entry = run.library_entry
    of_plan = (run.plan, run.job, run.digests, entry.ending)
    specs, samples = output_specs(*of_plan), sample_specs(*of_plan)
    lists = list_specs(run.plan, run.job, specs, entry.ending)
    readalongs = readalong_specs(run.plan, run.job, run.digests, specs, entry.ending)
    finished = entry.find_finished(specs)
    if any(one.format == CUE_SHEET for one in lists):  # it needs what old records lack
        finished = {
            spec: file
            for spec, file in finished.items()
            if not spec.is_audio or entry.lengths_of(spec)
        }
    finished |= entry.find_finished((*samples, *lists, *readalongs))
    return RequestedFiles(
        specs,
        samples,
        lists,
        readalongs,
        {
            spec: file
            for spec, file in finished.items()
            if spec.format != READALONG_PAGE or has_assets(file.path)
        },
    )
