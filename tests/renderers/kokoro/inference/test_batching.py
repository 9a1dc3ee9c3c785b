"""Rows of similar length share batches: each row once, within the budget, at the least cost."""

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
    planned = list(batches(lengths, budget, overhead))
    assert sorted(index for batch in planned for index in batch) == list(range(len(lengths)))
    for batch in planned:
        longest = max(lengths[index] for index in batch)
        assert len(batch) == 1 or len(batch) * longest <= budget


@given(LENGTHS, BUDGETS)
def test_batches_come_longest_first(lengths, budget):
    order = [lengths[index] for batch in batches(lengths, budget) for index in batch]
    assert order == sorted(lengths, reverse=True)


@given(LENGTHS, BUDGETS)
def test_the_computed_places_are_those_of_the_padded_batches(lengths, budget):
    total = computed(lengths, budget)
    assert total >= sum(lengths)
    if budget == 0:
        assert total == sum(lengths)  # each row by itself, without padding


def partitions(rows):
    """All ways to group `rows` into batches."""
    if not rows:
        yield []
        return
    first, *others = rows
    for ways in partitions(others):
        yield [[first], *ways]
        for place, batch in enumerate(ways):
            yield [*ways[:place], [first, *batch], *ways[place + 1 :]]


@given(st.lists(st.integers(1, 40), max_size=6), st.integers(0, 200), st.integers(1, 100))
def test_no_other_grouping_costs_less(lengths, budget, overhead):
    def cost(ways):
        return sum(len(batch) * max(batch) + overhead for batch in ways)

    def fits(ways):
        return all(len(batch) == 1 or len(batch) * max(batch) <= budget for batch in ways)

    planned = [[lengths[index] for index in batch] for batch in batches(lengths, budget, overhead)]
    assert cost(planned) == min(cost(ways) for ways in partitions(lengths) if fits(ways))


def test_the_example_of_the_docstring():
    lengths = [9, 4, 8, 3, 9]
    planned = [[lengths[index] for index in batch] for batch in batches(lengths, 30, 2)]
    assert planned == [[9, 9, 8], [4, 3]]


@pytest.mark.parametrize("budget", [4_096, 16_384, 78_000])
def test_many_rows_need_hardly_any_padding(budget):
    """A larger budget does not mean more padding."""
    lengths = np.random.default_rng(0).triangular(30, 400, 700, 256).round().astype(int).tolist()
    assert sum(lengths) / computed(lengths, budget) > 0.95
