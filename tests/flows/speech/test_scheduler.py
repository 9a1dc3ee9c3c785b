"""Segments of many texts: rendered once, in shared batches, kept, and told to all who wait."""

import numpy as np
import pytest

from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.shard_source import ShardSource
from audiomill.flows.speech.scheduler import SpeechScheduler
from audiomill.renderers.engine.planning import make_request
from audiomill.renderers.engine.protocol import Batch
from audiomill.renderers.store.store import open_store
from audiomill.renderers.tone.renderer import ToneRenderer
from support.process_data import TIMEOUT_S


@pytest.fixture
def store(tmp_path):
    return open_store(str(tmp_path / "store"))


@pytest.fixture
def scheduler(renderer, store):
    with SpeechScheduler(ShardSource(renderer, store, RunContext())) as running:
        yield running
        renderer.go.set()


def requests(*texts):
    return [make_request(text, "sine", ToneRenderer(), 1.0) for text in texts]


def results(ticket):
    """For each segment None, or its error."""
    return [one.exception(TIMEOUT_S) for one in ticket.stored]


def test_a_text_is_in_the_store_once_its_futures_are_done(scheduler, renderer, store):
    renderer.go.set()
    wanted = requests("one", "two", "three")
    assert results(scheduler.submit(wanted, "ann")) == [None] * 3
    for request in wanted:
        (alone,) = ToneRenderer().render(Batch((request,)))
        stored = store.get(request.key).samples
        assert np.abs(stored - alone.samples).max() <= 2**-16


def test_what_is_stored_is_not_rendered_again(scheduler, renderer):
    renderer.go.set()
    results(scheduler.submit(requests("one", "two"), "ann"))
    assert results(scheduler.submit(requests("two", "one", "new"), "bob")) == [None] * 3
    assert sorted(renderer.rendered) == ["new", "one", "two"]


def test_texts_that_come_meanwhile_share_a_batch(scheduler, renderer):
    first = scheduler.submit(requests("held first"), "ann")
    assert renderer.begun.wait(TIMEOUT_S)
    others = [scheduler.submit(requests(f"text {n}"), f"client {n}") for n in range(9)]
    renderer.go.set()
    for ticket in (first, *others):
        assert results(ticket) == [None]
    assert [len(batch) for batch in renderer.batches] == [1, 9]


def test_a_segment_that_cannot_be_said_spoils_no_other(scheduler, renderer):
    scheduler.submit(requests("held first"), "ann")
    assert renderer.begun.wait(TIMEOUT_S)
    bad, good = scheduler.submit(requests("broken"), "bob"), scheduler.submit(requests("x"), "cyd")
    renderer.go.set()
    assert [str(error) for error in results(bad)] == ["This cannot be said."]
    assert results(good) == [None]


def test_a_fault_of_the_engine_is_told_and_others_are_still_rendered(scheduler, renderer, caplog):
    renderer.go.set()
    (error,) = results(scheduler.submit(requests("fault"), "ann"))
    assert "a fault of the engine" in str(error)
    assert "ZeroDivisionError" in caplog.text
    assert results(scheduler.submit(requests("x"), "ann")) == [None]


def test_a_text_that_is_dropped_costs_nothing_more(scheduler, renderer):
    first = scheduler.submit(requests("held first"), "ann")
    assert renderer.begun.wait(TIMEOUT_S)
    dropped = scheduler.submit(requests("never", "said"), "bob")
    dropped.drop()
    renderer.go.set()
    assert results(first) == [None]
    assert results(scheduler.submit(requests("last"), "ann")) == [None]
    assert renderer.rendered == ["held first", "last"]
    assert scheduler.n_waiting == 0


def test_what_was_begun_is_kept_though_its_client_has_gone(scheduler, renderer, store):
    ticket = scheduler.submit(requests("held first"), "ann")
    assert renderer.begun.wait(TIMEOUT_S)
    ticket.drop()
    renderer.go.set()
    assert results(scheduler.submit(requests("held first"), "bob")) == [None]
    assert renderer.rendered == ["held first"]


def test_leaving_it_drops_what_has_not_begun(renderer, store):
    with SpeechScheduler(ShardSource(renderer, store, RunContext())) as scheduler:
        begun = scheduler.submit(requests("held first"), "ann")
        assert renderer.begun.wait(TIMEOUT_S)
        waiting = scheduler.submit(requests("second"), "ann")
        renderer.go.set()
    assert begun.stored[0].done()
    assert waiting.stored[0].cancelled() or waiting.stored[0].result() is None
    late = scheduler.submit(requests("third"), "ann")
    assert late.stored[0].cancelled()
