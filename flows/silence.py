"""What a voice was given and said nothing of."""

from __future__ import annotations

from collections.abc import Sequence

from flows.plan import Plan
from inputs.book import Skipped, SkipReason
from outputs.chapter import MasteredChapter
from renderers.shard import EngineFailed


def refuse_silence(plan: Plan, silent: Sequence[Skipped]) -> None:
    """Raise EngineFailed if a voice has said nothing of all it was given."""
    if len(silent) == len(plan.segments):
        voices = ", ".join(dict.fromkeys(segment.voice for segment in plan.segments))
        raise EngineFailed(
            f"The voice {voices} says nothing of this book."
            " Choose one that knows its script with --voice (audiomill voices lists them)."
        )


def silent_segments(plan: Plan, chapters: Sequence[MasteredChapter]) -> tuple[Skipped, ...]:
    """The segments for which the engine returned silence, which joining trims to nothing."""
    heard = {cue.segment_id for one in chapters for cue in one.cues if cue.end > cue.start}
    return tuple(
        Skipped(
            SkipReason.NOT_SPEAKABLE,
            segment.text,
            plan.book.chapters[segment.span.chapter].blocks[segment.span.block].where,
        )
        for segment in plan.segments
        if segment.id not in heard
    )
