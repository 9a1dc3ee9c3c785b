"""The lines of progress tell what goes on now, and how fast this run is."""

from __future__ import annotations

from audiomill.flows.execution.run_context import Step
from audiomill.flows.progress import ProgressUpdate, ThrottledProgress


def shown_by(*events: tuple[str, Step, float]) -> list[ProgressUpdate]:
    """What is shown of events: the names of methods, and their arguments."""
    shown: list[ProgressUpdate] = []
    progress = ThrottledProgress(shown.append, 0.0)
    for name, step, amount in events:
        getattr(progress, name)(step, amount)
    return shown


def test_what_is_left_after_rendering_and_encoding_is_named() -> None:
    shown = shown_by(
        ("begin", Step.RENDER, 100.0),
        ("begin", Step.MEASURE, 2),
        ("advance", Step.RENDER, 60.0),
        ("advance", Step.MEASURE, 1),
        ("advance", Step.RENDER, 40.0),
        ("advance", Step.MEASURE, 1),
        ("begin", Step.ENCODE, 100.0),
        ("begin", Step.WRITE, 1),
        ("advance", Step.ENCODE, 100.0),
        ("advance", Step.WRITE, 1),
    )
    steps = [(one.step, one.fraction) for one in shown]
    assert steps == [
        (Step.RENDER, 0.6),
        (Step.RENDER, 0.6),
        (Step.MEASURE, 0.5),
        (Step.MEASURE, 1.0),
        (Step.WRITE, 0.0),
        (Step.WRITE, 1.0),
    ]
    assert str(shown[4]) == "writing files 0%"


def test_what_was_there_before_counts_neither_as_done_nor_for_the_pace() -> None:
    (shown,) = shown_by(
        ("begin", Step.RENDER, 72_000.0),
        ("extend", Step.RENDER, -71_900.0),
        ("advance", Step.RENDER, 50.0),
    )
    assert shown.fraction == 0.5
    (nothing,) = shown_by(
        ("begin", Step.RENDER, 100.0), ("extend", Step.RENDER, -100.0), ("advance", Step.RENDER, 0)
    )
    assert str(nothing) == "rendering 100%"


def test_what_is_encoded_once_more_is_still_to_be_done() -> None:
    *_, shown = shown_by(
        ("begin", Step.ENCODE, 100.0),
        ("begin", Step.WRITE, 1),
        ("advance", Step.ENCODE, 100.0),
        ("extend", Step.ENCODE, 100.0),
        ("advance", Step.ENCODE, 50.0),
    )
    assert (shown.step, shown.fraction) == (Step.ENCODE, 0.75)
