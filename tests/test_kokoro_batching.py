"""Rows of like length are batched: each once, within the budget, with little padding."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from renderers.kokoro.batching import batches, computed

LENGTHS = st.lists(st.integers(1, 600), max_size=200)
BUDGETS = st.integers(0, 20_000)


@given(LENGTHS, BUDGETS)
def test_every_row_is_in_one_batch_and_no_batch_is_over_the_budget(lengths, budget):
    made = list(batches(lengths, budget))
    assert sorted(index for batch in made for index in batch) == list(range(len(lengths)))
    for batch in made:
        longest = max(lengths[index] for index in batch)
        assert len(batch) == 1 or len(batch) * longest <= budget


@given(LENGTHS, BUDGETS)
def test_what_is_computed_is_what_the_batches_pad_to(lengths, budget):
    total = computed(lengths, budget)
    assert total >= sum(lengths)
    if budget == 0:
        assert total == sum(lengths)  # each row by itself: nothing is padding


def test_of_many_rows_nearly_all_that_is_computed_is_real():
    lengths = np.random.default_rng(0).triangular(30, 400, 700, 256).round().astype(int).tolist()
    assert sum(lengths) / computed(lengths, 4096) > 0.95
