"""Items go to the GPU that is free first and away from one that fails; none waits for ever."""

import threading

import pytest

from audiomill.renderers.engine.errors import EngineFailed, WeightsUnfit
from audiomill.renderers.kokoro.inference.gpu_queue import MAX_TRIES, GpuQueue, WorkItem
from support.process_data import TIMEOUT_S


def queue_of(n_gpus, n_items=0):
    queue = GpuQueue(f"cuda:{number}" for number in range(n_gpus))
    items = [WorkItem(number) for number in range(n_items)]
    queue.put(items)
    return queue, items


def test_items_are_taken_in_order_by_any_gpu():
    queue, items = queue_of(2, 3)
    assert [queue.take(0), queue.take(1), queue.take(0)] == items


def test_an_idle_gpu_waits_for_an_item():
    queue, _ = queue_of(1)
    taken = []
    gpu = threading.Thread(target=lambda: taken.append(queue.take(0)))
    gpu.start()
    item = WorkItem(1)
    queue.put([item])
    gpu.join(TIMEOUT_S)
    assert taken == [item]


def test_a_busy_gpu_takes_more_only_while_enough_is_pending_for_all():
    queue, items = queue_of(3, 7)
    assert queue.take_ahead(0) is items[0]
    assert queue.take_ahead(0) is items[1]
    assert queue.take_ahead(0) is None
    assert queue.take(1) is items[2]


def test_an_item_that_is_given_back_untried_is_the_next_for_any_gpu():
    queue, items = queue_of(2, 2)
    queue.give_back(queue.take(0))
    assert queue.take(1) is items[0]
    assert items[0].failed_on == []


def test_an_item_that_a_gpu_has_failed_at_goes_to_another():
    queue, items = queue_of(2, 2)
    queue.fail(0, queue.take(0), "CUDA error")
    assert queue.take(0) is items[1]
    assert queue.take(1) is items[0]


def test_the_only_gpu_tries_again_and_then_the_item_fails():
    queue, (item,) = queue_of(1, 1)
    for _ in range(MAX_TRIES):
        queue.fail(0, queue.take(0), "CUDA error: the driver is gone")
    with pytest.raises(EngineFailed, match="cuda:0: CUDA error: the driver is gone") as raised:
        item.future.result(0)
    assert "kokoro.device" in str(raised.value)
    assert queue.take_ahead(0) is None


def test_an_item_that_all_gpus_have_failed_at_is_tried_by_any():
    queue, (item,) = queue_of(2, 1)
    queue.fail(0, queue.take(0), "one")
    queue.fail(1, queue.take(1), "two")
    assert queue.take(0) is item


def test_a_gpu_that_is_given_up_leaves_its_items_to_the_others():
    """Even those that they have failed at themselves."""
    queue, (item,) = queue_of(2, 1)
    queue.fail(1, queue.take(1), "one")
    queue.give_up(0)
    assert queue.take(1) is item


def test_without_gpus_every_item_fails():
    queue, items = queue_of(2, 1)
    queue.give_up(0)
    assert not items[0].future.done()
    queue.give_up(1)
    late = WorkItem(2)
    queue.put([late])
    for item in (*items, late):
        with pytest.raises(EngineFailed):
            item.future.result(0)


def test_an_error_that_every_gpu_would_meet_fails_all_pending_items():
    queue, items = queue_of(2, 3)
    queue.refuse(WeightsUnfit("of another model"))
    for item in items:
        with pytest.raises(WeightsUnfit):
            item.future.result(0)


def test_closing_ends_every_wait():
    queue, items = queue_of(1, 1)
    queue.close()
    assert queue.take(0) is None
    with pytest.raises(EngineFailed):
        items[0].future.result(0)
