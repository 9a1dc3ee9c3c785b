"""Progress of windows that begin again, in parts: it never goes back, and ends at what is done."""

from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows.cluster.progress_relay import MAX_WORKERS, ProgressRelay, part_of
from audiomill.flows.execution.progress import ProgressUpdate
from audiomill.flows.execution.run_context import RunContext, Step

ESTIMATED_S = 100.0
EVENTS = st.lists(st.tuples(st.integers(0, 3), st.floats(0.0, 150.0)), max_size=20)


class Heard:
    """What a flow hears of its progress."""

    def __init__(self):
        self.steps = []

    def begin(self, step, total):
        pass

    def advance(self, step, done):
        assert step is Step.RENDER
        self.steps.append(done)

    def extend(self, step, more):
        pass


def told(token, done_s, worker="gpu-1"):
    return {"token": token, "done_s": done_s, "more_s": done_s, "name": worker}


@given(EVENTS, st.booleans())
def test_progress_only_grows_and_ends_at_the_estimate(events, is_done):
    relay, heard = ProgressRelay(), Heard()
    relay.begin("a", ESTIMATED_S, RunContext(heard))
    for part, done_s in events:
        relay.handle(told(part_of("a", part), done_s))
        assert all(step >= 0 for step in heard.steps)
        assert sum(heard.steps) <= ESTIMATED_S + 1e-9
    relay.end("a", is_done=is_done)
    assert not is_done or abs(sum(heard.steps) - ESTIMATED_S) < 1e-9


def test_windows_of_two_books_are_not_mixed():
    relay, first, second = ProgressRelay(), Heard(), Heard()
    relay.begin("a", ESTIMATED_S, RunContext(first))
    relay.begin("b", ESTIMATED_S, RunContext(second))
    relay.handle(told("a", 10.0))
    relay.handle(told("b", 20.0))
    relay.handle(told("another run's", 5.0))
    relay.handle(told("a", 10.0))  # told twice
    assert (sum(first.steps), sum(second.steps)) == (10.0, 20.0)


def test_the_fastest_workers_are_named_first():
    relay = ProgressRelay()
    relay.begin("a", 1e6, RunContext())
    for number in range(MAX_WORKERS + 3):
        relay.handle(told(part_of("a", number), 1000.0 * (number + 1), f"gpu-{number}"))
    words = relay.workers().split(", ")
    assert [one.split()[0] for one in words] == [
        *(f"gpu-{number}" for number in range(8, 8 - MAX_WORKERS, -1)),
        "3",
    ]
    assert words[-1] == "3 more"
    assert all(one.endswith("x") for one in words[:-1])


def test_the_line_of_progress_names_book_and_workers():
    update = ProgressUpdate(Step.RENDER, 0.5, 1200.0, 30.0, "Middlemarch", "gpu-1 700x, gpu-2 500x")
    assert str(update) == (
        "Middlemarch: rendering 50%, 1,200x real time, about 30 s left (gpu-1 700x, gpu-2 500x)"
    )
