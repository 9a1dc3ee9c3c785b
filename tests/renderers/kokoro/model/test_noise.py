"""Noise from seeds: known answers, independent of the other rows of a batch, and normal."""

from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.kokoro.inference.rows import seed_of
from audiomill.renderers.kokoro.model.source import normal_noise, philox
from support.case_files import rows_of
from support.kokoro_tiny import DEVICE

F32, F64 = torch.float32, torch.float64
SEEDS = st.integers(0, 2**64 - 1)
KNOWN = rows_of(
    Path(__file__).parent / "cases" / "noise.txt", "philox4x32 with 10 rounds: counter, key, answer"
)


def words(text: str) -> tuple[torch.Tensor, ...]:
    return tuple(torch.tensor([int(word, 16)], device=DEVICE) for word in text.split())


def noise(*seeds: int, n_samples: int, dtype: torch.dtype = F64) -> torch.Tensor:
    return normal_noise(seeds, n_samples, DEVICE, dtype).cpu()


def test_known_answers_in_one_batch():
    counters, keys, answers = (
        tuple(torch.cat(column) for column in zip(*map(words, texts), strict=True))
        for texts in zip(*KNOWN, strict=True)
    )
    found = philox(counters, keys)
    assert all(one.equal(wanted) for one, wanted in zip(found, answers, strict=True))


@given(SEEDS, st.integers(1, 40), st.integers(0, 40))
def test_a_shorter_row_begins_a_longer_one(seed, n_samples, n_more):
    longer = noise(seed, n_samples=n_samples + n_more)
    assert noise(seed, n_samples=n_samples).equal(longer[:, :n_samples])


@given(st.lists(SEEDS, min_size=1, max_size=5), st.integers(1, 30))
def test_other_rows_of_a_batch_change_nothing(seeds, n_samples):
    together = noise(*seeds, n_samples=n_samples)
    assert together.shape == (len(seeds), n_samples)
    for row, seed in zip(together, seeds, strict=True):
        assert row.equal(noise(seed, n_samples=n_samples)[0])


@given(st.lists(SEEDS, min_size=1, max_size=50), st.sampled_from([F32, F64]))
def test_noise_is_always_finite(seeds, dtype):
    drawn = noise(*seeds, n_samples=200, dtype=dtype)
    assert drawn.dtype == dtype
    # The smallest uniform value of a word is half of 2**-32.
    assert drawn.abs().max() <= (2 * 33 * torch.log(torch.tensor(2.0))) ** 0.5


@pytest.mark.parametrize("low", [0, 0xFFFF_FFFF])
@pytest.mark.parametrize("high", [0, 0xFFFF_FFFF])
def test_the_least_and_the_greatest_words(monkeypatch, low, high):
    def extreme(counter, key):
        return tuple(torch.full_like(counter[0], word) for word in (low, high, high, low))

    monkeypatch.setattr("audiomill.renderers.kokoro.model.source.philox", extreme)
    assert noise(1, n_samples=4).isfinite().all()


def test_it_is_normal_and_white_and_rows_of_different_seeds_are_uncorrelated():
    n = 1_000_000
    one_bit_apart = [1234 ^ 1 << bit for bit in (0, 31, 32, 63)]
    drawn, *others = noise(1234, *one_bit_apart, n_samples=n)
    four_sigma = 4 / n**0.5
    for other in others:
        assert abs((drawn * other).mean()) < four_sigma
    for one in (drawn, drawn**2 - 1):
        for shift in (1, 2, 3, 4, 5, 8):
            assert abs((one[shift:] * one[:-shift]).mean() / one.var()) < four_sigma
    assert abs(drawn.mean()) < four_sigma
    assert abs(drawn.var() - 1) < four_sigma * 2**0.5
    assert abs((drawn**3).mean()) < four_sigma * 15**0.5
    assert abs((drawn**4).mean() - 3) < four_sigma * 96**0.5
    # The shares of samples beyond 1, 2, 3 and 4 are those of the normal distribution.
    for bound in (1, 2, 3, 4):
        share = 1 - torch.erf(torch.tensor(bound / 2**0.5, dtype=F64))
        assert abs((drawn.abs() > bound).double().mean() - share) < four_sigma * share**0.5


def test_every_part_of_every_segment_has_its_own_64_bits():
    seeds = {seed_of(key, part) for key in ("5f1d", "5f1e") for part in range(500)}
    assert len(seeds) == 1000
    assert min(seeds) < 2**62
    assert 2**63 < max(seeds) < 2**64


def test_noise_never_changes_between_versions():
    """Stored shards contain this noise. If it must change, raise SOUND_VERSION in renderer.py."""
    assert seed_of("5f1d", 3) == 11510665069756395176
    found = noise(seed_of("5f1d", 3), n_samples=5)[0]
    wanted = [-0.68940690351623, 1.57227746009787, -0.46084268077744, -0.85336510646143]
    assert found.tolist() == pytest.approx([*wanted, 2.52497502009630], abs=1e-12)
