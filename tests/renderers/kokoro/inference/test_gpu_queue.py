"""Work goes to whichever card is free, away from one that fails, and never waits for nobody."""

import threading

import pytest

from audiomill.renderers.base import EngineFailed, WeightsUnfit
from audiomill.renderers.kokoro.inference.gpu_queue import MOST_TRIES, GpuQueue, WorkItem


def queue_of(n_cards, n_shares=0):
    queue = GpuQueue(f"cuda:{number}" for number in range(n_cards))
    works = [WorkItem(number) for number in range(n_shares)]
    queue.put(works)
    return queue, works


def test_shares_are_taken_in_order_by_whoever_asks():
    queue, works = queue_of(2, 3)
    assert [queue.take(0), queue.take(1), queue.take(0)] == works


def test_a_card_that_has_nothing_waits():
    queue, _ = queue_of(1)
    taken = []
    card = threading.Thread(target=lambda: taken.append(queue.take(0)))
    card.start()
    work = WorkItem(1)
    queue.put([work])
    card.join(60)
    assert taken == [work]


def test_a_card_at_work_takes_more_only_where_there_is_plenty():
    queue, works = queue_of(3, 7)
    assert queue.take_ahead(0) is works[0]
    assert queue.take_ahead(0) is works[1]
    assert queue.take_ahead(0) is None
    assert queue.take(1) is works[2]


def test_what_a_card_has_not_begun_is_the_next_for_any():
    queue, works = queue_of(2, 2)
    queue.give_back(queue.take(0))
    assert queue.take(1) is works[0]
    assert works[0].failed_on == []


def test_what_a_card_has_failed_at_goes_to_another():
    queue, works = queue_of(2, 2)
    queue.fail(0, queue.take(0), "CUDA error")
    assert queue.take(0) is works[1]
    assert queue.take(1) is works[0]


def test_the_only_card_tries_again_and_then_it_is_told():
    queue, (work,) = queue_of(1, 1)
    for _ in range(MOST_TRIES):
        queue.fail(0, queue.take(0), "CUDA error: the driver is gone")
    with pytest.raises(EngineFailed, match="cuda:0: CUDA error: the driver is gone") as told:
        work.done.result(0)
    assert "kokoro.device" in str(told.value)
    assert queue.take_ahead(0) is None


def test_what_all_cards_have_failed_at_is_tried_by_any():
    queue, (work,) = queue_of(2, 1)
    queue.fail(0, queue.take(0), "one")
    queue.fail(1, queue.take(1), "two")
    assert queue.take(0) is work


def test_a_card_that_is_given_up_leaves_its_work_to_the_others():
    """Even what they have failed at themselves."""
    queue, (work,) = queue_of(2, 1)
    queue.fail(1, queue.take(1), "one")
    queue.give_up(0)
    assert queue.take(1) is work


def test_without_cards_nothing_waits():
    queue, works = queue_of(2, 1)
    queue.give_up(0)
    assert not works[0].done.done()
    queue.give_up(1)
    late = WorkItem(2)
    queue.put([late])
    for work in (*works, late):
        with pytest.raises(EngineFailed):
            work.done.result(0)


def test_what_any_card_would_fail_at_is_told_to_all():
    queue, works = queue_of(2, 3)
    queue.refuse(WeightsUnfit("of another model"))
    for work in works:
        with pytest.raises(WeightsUnfit):
            work.done.result(0)


def test_a_closed_queue_ends_who_waits_for_it():
    queue, works = queue_of(1, 1)
    queue.close()
    assert queue.take(0) is None
    with pytest.raises(EngineFailed):
        works[0].done.result(0)
