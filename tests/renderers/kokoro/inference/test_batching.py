"""Rows of like length are batched: each once, within the budget, at the least cost there is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.kokoro.inference.batching import batches, computed

LENGTHS = st.lists(st.integers(1, 600), max_size=200)
BUDGETS = st.integers(0, 20_000)
OVERHEADS = st.integers(1, 2_000)


@given(LENGTHS, BUDGETS, OVERHEADS)
def test_every_row_is_in_one_batch_and_no_batch_is_over_the_budget(lengths, budget, overhead):
    made = list(batches(lengths, budget, overhead))
    assert sorted(index for batch in made for index in batch) == list(range(len(lengths)))
    for batch in made:
        longest = max(lengths[index] for index in batch)
        assert len(batch) == 1 or len(batch) * longest <= budget


@given(LENGTHS, BUDGETS)
def test_batches_come_longest_first(lengths, budget):
    order = [lengths[index] for batch in batches(lengths, budget) for index in batch]
    assert order == sorted(lengths, reverse=True)


@given(LENGTHS, BUDGETS)
def test_what_is_computed_is_what_the_batches_pad_to(lengths, budget):
    total = computed(lengths, budget)
    assert total >= sum(lengths)
    if budget == 0:
        assert total == sum(lengths)  # each row by itself: nothing is padding


def partitions(rows):
    """All ways to put `rows` into batches."""
    if not rows:
        yield []
        return
    first, *others = rows
    for ways in partitions(others):
        yield [[first], *ways]
        for place, batch in enumerate(ways):
            yield [*ways[:place], [first, *batch], *ways[place + 1 :]]


@given(st.lists(st.integers(1, 40), max_size=6), st.integers(0, 200), st.integers(1, 100))
def test_no_other_way_to_batch_costs_less(lengths, budget, overhead):
    def cost(ways):
        return sum(len(batch) * max(batch) + overhead for batch in ways)

    def fits(ways):
        return all(len(batch) == 1 or len(batch) * max(batch) <= budget for batch in ways)

    made = [[lengths[index] for index in batch] for batch in batches(lengths, budget, overhead)]
    assert cost(made) == min(cost(ways) for ways in partitions(lengths) if fits(ways))


def test_the_example_that_is_drawn():
    lengths = [9, 4, 8, 3, 9]
    found = [[lengths[index] for index in batch] for batch in batches(lengths, 30, 2)]
    assert found == [[9, 9, 8], [4, 3]]


@pytest.mark.parametrize("budget", [4_096, 16_384, 78_000])
def test_of_many_rows_nearly_all_that_is_computed_is_real(budget):
    """More room does not mean more padding."""
    lengths = np.random.default_rng(0).triangular(30, 400, 700, 256).round().astype(int).tolist()
    assert sum(lengths) / computed(lengths, budget) > 0.95
