"""The layers of the network beside those that PyTorch has."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.kokoro.model.config import OFFICIAL, parse_config
from audiomill.renderers.kokoro.model.layers import BiLSTM, Doubling
from audiomill.renderers.kokoro.model.padding import PaddingMask
from audiomill.renderers.kokoro.model.source import spectrum


def test_doubling_by_its_formula_is_the_transposed_convolution():
    torch.manual_seed(0)
    pool = Doubling(5).double()
    for size in (1, 2, 7):
        x = torch.randn(3, 5, size, dtype=torch.float64)
        assert torch.allclose(pool.by_formula(x), pool(x), atol=1e-12)


def test_each_direction_has_a_buffer_of_its_own(monkeypatch):
    flattened = []

    def flatten(*positional, **named):
        flattened.append((positional, named))

    monkeypatch.setattr(torch.backends.cudnn, "is_acceptable", lambda _: True)
    monkeypatch.setattr(torch, "_use_cudnn_rnn_flatten_weight", lambda: True)
    monkeypatch.setattr(torch, "_cudnn_rnn_flatten_weight", flatten)
    lstm = BiLSTM(3, 8)
    names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    for (positional, named), direction in zip(flattened, ("", "_reverse"), strict=True):
        weights, *sizes = positional
        wanted = [getattr(lstm, f"{name}_l0{direction}") for name in names]
        assert all(one is other for one, other in zip(weights, wanted, strict=True))
        schema = torch.ops.aten._cudnn_rnn_flatten_weight.default._schema.arguments
        arguments = dict(zip([one.name for one in schema][1:], sizes, strict=False)) | named
        assert arguments == {
            "weight_stride0": 4,
            "input_size": 3,
            "mode": 2,
            "hidden_size": 4,
            "proj_size": 0,
            "num_layers": 1,
            "batch_first": True,
            "bidirectional": False,
        }


def test_on_a_cpu_weights_are_not_moved():
    lstm = BiLSTM(3, 8)
    before = [one.data_ptr() for one in lstm.parameters()]
    lstm.flatten_parameters()
    assert [one.data_ptr() for one in lstm.parameters()] == before


CONFIG = parse_config(OFFICIAL).vocoder
N_BINS = CONFIG.n_fft // 2 + 1


def bins_of(x: torch.Tensor) -> torch.Tensor:
    """The spectrum of one row (T) by upstream's method, (n_bins, T / hop + 1)."""
    window = torch.hann_window(CONFIG.n_fft, dtype=x.dtype)
    return torch.stft(x, CONFIG.n_fft, CONFIG.hop, window=window, return_complex=True)


@given(st.lists(st.integers(2, 60), min_size=1, max_size=3), st.integers(0, 2**32))
def test_each_row_is_transformed_by_itself(lengths, seed):
    spoken = [CONFIG.samples_per_f0 // 10 * length for length in lengths]
    noise = np.random.default_rng(seed).standard_normal((len(spoken), max(spoken)))
    rows = PaddingMask(spoken, torch.device("cpu"))
    found = spectrum(rows.apply(torch.from_numpy(noise).unsqueeze(1)).squeeze(1), rows, CONFIG)
    for row, n_samples in enumerate(spoken):
        bins = bins_of(torch.from_numpy(noise[row, :n_samples]))
        magnitude, phase = found[row, :, : bins.shape[1]].chunk(2)
        assert torch.allclose(magnitude, bins.abs(), atol=1e-12)
        # The phase of a real bin may be pi or -pi; both are the same point on the circle.
        assert torch.allclose(torch.polar(magnitude, phase), bins, atol=1e-12)


def test_only_the_first_frame_is_real():
    bins = bins_of(torch.from_numpy(np.random.default_rng(0).standard_normal(600)))
    real = [frame.imag.abs().max() < 1e-12 for frame in bins.t()]
    assert real == [True] + [False] * 120


@pytest.mark.parametrize("level", [1.0, -1.0])
def test_the_first_frame_s_phase_is_never_minus_pi(level):
    rows = PaddingMask([300], torch.device("cpu"))
    x = level * torch.cos(torch.linspace(0, 40, 300, dtype=torch.float64)).unsqueeze(0)
    phase = spectrum(x, rows, CONFIG)[0, N_BINS:, 0]
    assert set(phase.abs().tolist()) <= {0.0, np.pi}
    assert (phase >= 0).all()
