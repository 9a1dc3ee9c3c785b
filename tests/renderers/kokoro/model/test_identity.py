"""In float64 a batch equals upstream's results for its single rows, to the last digits."""

import numpy as np
import pytest
import torch

from support.examples import first_often
from support.kokoro_reference import (
    Line,
    distance,
    ours,
    packs,
    random_lines,
    spoken_by_upstream,
    spoken_together,
    tuned,
)

F64 = torch.float64
pytestmark = pytest.mark.longest


def check_identity(lines, size):
    """Durations are equal, curves and audio within 1e-8, and the padding is silent."""
    wanted = [spoken_by_upstream(line, size, F64) for line in lines]
    for model in (ours(size, F64), tuned(size, F64)):
        check_batch(lines, wanted, model)


def check_batch(lines, wanted, model):
    readings, (f0, energy), whole = spoken_together(lines, model, [one.noise for one in wanted])
    assert [one.durations for one in readings] == [one.durations for one in wanted]
    for row, one in enumerate(wanted):
        n_frames = sum(one.durations)
        assert distance(f0[row, : 2 * n_frames], one.f0) < 1e-8
        assert distance(energy[row, : 2 * n_frames], one.energy) < 1e-8
        n_samples = n_frames * model.config.samples_per_frame
        assert len(one.audio) == n_samples
        assert distance(whole[row, :n_samples], one.audio) < 1e-8
        assert not whole[row, n_samples:].any()


@pytest.mark.parametrize("seed", range(2))
def test_ragged_batches(seed):
    rng = np.random.default_rng(seed)
    check_identity(random_lines(rng, int(rng.integers(1, 9)), 120), "narrow")


def test_a_tiny_row_beside_the_longest():
    check_identity([line("h", 1.3), line("ə" * 510, 1.0)], "narrow")


@pytest.mark.parametrize("seed", first_often(range(1000, 1040), 10))
def test_many_ragged_batches(seed):
    rng = np.random.default_rng(seed)
    n_rows = int(np.exp(rng.uniform(0, np.log(33))))
    check_identity(random_lines(rng, n_rows, 510 if n_rows < 3 else 100), "narrow")


@pytest.mark.parametrize("seed", first_often(range(20), 5))
def test_batches_of_a_model_with_all_layers(seed):
    rng = np.random.default_rng(2000 + seed)
    check_identity(random_lines(rng, int(rng.integers(1, 9)), 50), "slim")


@pytest.mark.parametrize("seed", first_often(range(3), 1))
def test_batches_of_a_model_of_full_size(seed):
    rng = np.random.default_rng(3000 + seed)
    check_identity(random_lines(rng, 2 + seed, 16), "full")


def line(phonemes: str, speed: float) -> Line:
    return Line(phonemes, packs()[0], speed, 5)
