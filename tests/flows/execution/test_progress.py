"""The lines of progress tell what goes on now, and how fast this run is."""

from audiomill.flows.execution.progress import ProgressUpdate, ThrottledProgress
from audiomill.flows.execution.run_context import Step


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
    looked, shown = shown_by(
        ("begin", Step.RENDER, 72_000.0),
        ("extend", Step.RENDER, -54_000.0),
        ("advance", Step.RENDER, 9000.0),
    )
    assert str(looked) == "rendering 0%, 75% done before"
    assert shown.fraction == 0.5
    assert str(shown).endswith(" s left, 75% done before")


def test_a_step_that_was_done_before_hides_no_other() -> None:
    """The sum of many parts is not quite the whole."""
    parts = [0.1] * 3466
    shown = shown_by(
        ("begin", Step.RENDER, 346.6),
        ("begin", Step.MEASURE, 2),
        *(("extend", Step.RENDER, -part) for part in parts),
        ("advance", Step.MEASURE, 1),
        ("advance", Step.MEASURE, 1),
    )
    assert sum(parts) != 346.6
    steps = [(one.step, one.fraction) for one in shown[-3:]]
    assert steps == [(Step.MEASURE, 0.0), (Step.MEASURE, 0.5), (Step.MEASURE, 1.0)]


def test_what_is_encoded_once_more_is_still_to_be_done() -> None:
    *_, shown = shown_by(
        ("begin", Step.ENCODE, 100.0),
        ("begin", Step.WRITE, 1),
        ("advance", Step.ENCODE, 100.0),
        ("extend", Step.ENCODE, 100.0),
        ("advance", Step.ENCODE, 50.0),
    )
    assert (shown.step, shown.fraction) == (Step.ENCODE, 0.75)
