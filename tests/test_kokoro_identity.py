"""In float64 a batch is what upstream makes of its rows one by one, to the last digits."""

import numpy as np
import pytest
import torch
from kokoro_reference import distance, ours, padded, random_lines, spoken_by_upstream, utterance

F64 = torch.float64


def check_identity(lines, size):
    """Durations equal, curves and audio within 1e-6, and nothing after a row's end."""
    references = [spoken_by_upstream(line, size, F64) for line in lines]
    model = ours(size, F64)
    readings = model.read([utterance(line, model) for line in lines])
    assert [one.durations for one in readings] == [durations for _, durations, _, _ in references]
    noise = padded([noise for *_, noise in references], F64)
    whole = model.speak_padded(readings, noise)
    for row, reading, (audio, _, _, _) in zip(whole, readings, references, strict=True):
        n_samples = reading.n_frames * model.config.samples_per_frame
        assert len(audio) == n_samples
        assert distance(row[:n_samples], audio) < 1e-6
        assert not row[n_samples:].any()


@pytest.mark.parametrize("seed", range(8))
def test_ragged_batches(seed):
    rng = np.random.default_rng(seed)
    check_identity(random_lines(rng, int(rng.integers(1, 9)), 120), "reduced")


def test_a_tiny_row_beside_the_longest():
    rng = np.random.default_rng(100)
    (long,) = random_lines(rng, 1, 3)
    lines = [*random_lines(rng, 1, 3), long.__class__("a" * 510, long.pack, 1.0, 5)]
    check_identity(lines, "reduced")


def test_full_size():
    check_identity(random_lines(np.random.default_rng(7), 3, 30), "full")


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_two_hundred_ragged_batches(seed):
    rng = np.random.default_rng(seed)
    n_rows = int(np.exp(rng.uniform(0, np.log(33))))
    check_identity(random_lines(rng, n_rows, 510 if n_rows < 6 else 200), "reduced")


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(20))
def test_twenty_full_size_batches(seed):
    rng = np.random.default_rng(2000 + seed)
    check_identity(random_lines(rng, int(rng.integers(1, 5)), 50), "full")
