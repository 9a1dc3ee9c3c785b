"""What a retail sample is made of: the beginning of the text, up to a good place to end."""

import numpy as np
import pytest

from audiomill.flows.pipeline.planning.manuscript import read_manuscript
from audiomill.flows.pipeline.planning.plan import Plan, make_plan
from audiomill.flows.pipeline.retail_sample import sample_chapters
from audiomill.outputs.types import Cue, Loudness, MeasuredChapter
from audiomill.renderers.engine.registry import open_renderer
from support.book_data import book_job

RATE = 100
SEGMENT_S = 10.0  # of which the last second is the pause


def plan_of(tmp_path, text: str) -> Plan:
    job = book_job(tmp_path, text, engine="espeak")
    return make_plan(read_manuscript(job), job, open_renderer(job.engine, job.options))


def measured(plan: Plan) -> list[MeasuredChapter]:
    """The chapters of a plan, of which every segment has SEGMENT_S."""
    nothing = Loudness(np.zeros(0), 0)
    n_each = round(SEGMENT_S * RATE)
    return [
        MeasuredChapter(
            chapter.title,
            1,
            n_each * len(chapter.segments),
            RATE,
            nothing,
            tuple(
                Cue(one.segment_id, number * n_each, number * n_each + n_each - RATE)
                for number, one in enumerate(chapter.segments)
            ),
        )
        for chapter in plan.chapters
    ]


def chosen(plan: Plan, content_s: float) -> list[tuple[str, int]]:
    """(title, number of segments) of each chapter of the sample."""
    found = sample_chapters(plan, measured(plan), content_s)
    return [(one.title, len(one.segments)) for one, _ in found]


def paragraphs(number: int) -> str:
    return "\n\n".join(f"Kip rows to island {index}." for index in range(number))


def test_it_begins_with_the_first_chapter_that_is_long_enough(tmp_path) -> None:
    text = f"# Book\n\n## For Ann\n\nFor Ann.\n\n## Sea\n\n{paragraphs(8)}"
    plan = plan_of(tmp_path, text)
    (title, n_segments), *more = chosen(plan, 60.0)
    assert (title, n_segments, more) == ("Sea", 6, [])
    assert chosen(plan, 1000.0)[0][0] == "Sea"


def test_a_book_of_short_chapters_begins_with_the_first(tmp_path) -> None:
    text = "# Book\n\n" + "\n\n".join(f"## {n}\n\nKip rows. {n}" for n in ("One", "Two", "Six"))
    assert [title for title, _ in chosen(plan_of(tmp_path, text), 1000.0)] == ["One", "Two", "Six"]


def test_it_ends_with_a_chapter_rather_than_soon_after(tmp_path) -> None:
    text = f"# Book\n\n## Sea\n\n{paragraphs(8)}\n\n## Hill\n\n{paragraphs(9)}"
    plan = plan_of(tmp_path, text)
    n_sea = len(plan.chapters[0].segments)
    assert chosen(plan, n_sea * SEGMENT_S / 0.8) == [("Sea", n_sea)]
    assert chosen(plan, n_sea * SEGMENT_S / 0.5)[1][0] == "Hill"


def test_it_never_ends_with_a_heading(tmp_path) -> None:
    text = f"# Book\n\n## Sea\n\n{paragraphs(7)}\n\n### Shore\n\n{paragraphs(9)}"
    plan = plan_of(tmp_path, text)
    spoken = [one.request.spoken for one in plan.chapters[0].segments]
    at_heading = next(n for n, one in enumerate(spoken, 1) if one.startswith("Shore"))
    for content_s in (at_heading * SEGMENT_S, at_heading * SEGMENT_S + 5):
        assert chosen(plan, content_s) == [("Sea", at_heading - 1)]


@pytest.mark.parametrize("content_s", [0.0, 3.0])
def test_it_has_a_segment_however_short_it_should_be(tmp_path, content_s) -> None:
    plan = plan_of(tmp_path, f"# Book\n\n## Sea\n\n{paragraphs(4)}")
    ((title, n_segments),) = chosen(plan, content_s)
    assert title == "Sea"
    assert n_segments == 3  # two headings, which are no ends, and a paragraph
