"""Each GPU kernel agrees with `kokoro_plain.py`: in Triton's interpreter, or on a GPU.

Rows are ragged. Memory that a kernel must not write or read is filled with values that would show.
"""

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

pytest.importorskip("triton", reason="Triton is not installed")

from torch import nn

from audiomill.renderers.kokoro.gpu import conv as convolving
from audiomill.renderers.kokoro.gpu import norm
from audiomill.renderers.kokoro.gpu.conv import (
    Filter,
    filter_of,
    filter_of_transposed,
    padded_width,
)
from audiomill.renderers.kokoro.gpu.layout import Layout, Margins
from audiomill.renderers.kokoro.gpu.prosody import FusedBiLSTM
from audiomill.renderers.kokoro.gpu.source import FusedSource, FusedWaveform, noise
from audiomill.renderers.kokoro.model.config import OFFICIAL, parse_config
from audiomill.renderers.kokoro.model.layers import BiLSTM
from audiomill.renderers.kokoro.model.padding import PaddingMask
from audiomill.renderers.kokoro.model.source import Source, normal_noise
from support import kokoro_plain as plain
from support.kokoro_tiny import DEVICE

CONFIG = parse_config(OFFICIAL).vocoder
EXACT = convolving.Arithmetic(torch.float32, "ieee")
# Tiles read beyond their rows; the interpreter warns of values that are never stored.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
few = settings(max_examples=5 if DEVICE.type == "cpu" else 8)
fewest = settings(max_examples=2)  # they take seconds in the interpreter
lengths_of_rows = st.lists(st.integers(1, 15), min_size=1, max_size=3)
short_rows = st.lists(st.integers(1, 3), min_size=1, max_size=2)
seeds = st.integers(0, 2**32)


def layout_of(lengths, gap=4, stride=1) -> Layout:
    return Layout(lengths, DEVICE, Margins(gap, stride))


def filled(layout, rate, tiles, channels, seed, dtype=torch.float32):
    """Rows of noise, zero in the gaps."""
    x = layout.empty(rate, channels, dtype).zero_()
    rng = np.random.default_rng(seed)
    for start, length in plain.rows_of(tiles):
        drawn = rng.standard_normal((length, channels)) * 2 + 1
        x[start : start + length] = torch.from_numpy(drawn).to(DEVICE, dtype)
    return x


def poisoned(layout, rate, channels, dtype=torch.float32):
    return layout.empty(rate, channels, dtype).fill_(777.0)


def on_the_cpu(tiles):
    return type(tiles)(tiles.table.cpu(), tiles.rows.cpu(), tiles.n)


def random_filter(taps, n_in, n_out, seed, dtype=torch.float32, **options) -> Filter:
    generator = torch.Generator().manual_seed(seed)
    weight = torch.randn(taps, n_out, n_in, generator=generator) / (taps * n_in) ** 0.5
    bias = torch.randn(n_out, generator=generator)
    return Filter(weight.to(DEVICE, dtype), bias.to(DEVICE), **options)


def moved(by: Filter, device: torch.device | str = "cpu") -> Filter:
    return Filter(by.weight.to(device), by.bias.to(device), by.dilation, by.stride, by.pad)


@few
@given(
    lengths_of_rows,
    st.sampled_from([1, 3, 7, 11]),
    st.sampled_from([1, 3, 5]),
    st.sampled_from([(16, 16), (32, 16), (16, 48)]),
    st.booleans(),
    seeds,
)
def test_a_convolution_with_residuals_and_moments(lengths, taps, dilation, widths, adds, seed):
    layout = layout_of(lengths)
    tiles, pad = layout.tiles(20), dilation * (taps - 1) // 2
    by = random_filter(taps, *widths, seed, dilation=dilation, pad=pad)
    x = filled(layout, 20, tiles, widths[0], seed)
    out = poisoned(layout, 20, widths[1])
    residual = filled(layout, 20, tiles, widths[1], seed + 1) if adds else None
    more = out.clone() if adds else None
    moments = torch.full((tiles.n, 2, widths[1]), float("nan"), device=DEVICE)
    wanted, wanted_moments = out.cpu().clone(), moments.cpu().clone()
    convolving.convolution(x, by, out, tiles, EXACT, residual=residual, more=more, moments=moments)
    plain.convolution(
        x.cpu(),
        moved(by),
        wanted,
        on_the_cpu(tiles),
        EXACT,
        residual=None if residual is None else residual.cpu(),
        more=None if more is None else more.cpu(),
        moments=wanted_moments,
    )
    # Gaps and the positions behind the last row are unchanged.
    assert torch.allclose(out.cpu(), wanted, atol=2e-5)
    assert torch.allclose(moments.cpu(), wanted_moments, rtol=1e-4, atol=1e-3, equal_nan=True)


def test_what_float16_cannot_hold_becomes_its_largest_value():
    layout, half = layout_of([5]), convolving.Arithmetic(torch.float16, "tf32")
    tiles, largest = layout.tiles(20), torch.finfo(torch.float16).max
    by = Filter(
        torch.full((1, 16, 16), 200.0, dtype=torch.float16, device=DEVICE),
        torch.zeros(16, device=DEVICE),
    )
    x = layout.empty(20, 16, torch.float16).zero_()
    x[plain.rows_of(tiles)[0][0]] = 100.0
    out = convolving.convolution(x, by, torch.zeros_like(x), tiles, half)
    assert out.max() == largest
    louder = torch.full((1, 2, 16), 3.0, device=DEVICE)
    assert norm.activate(out, torch.zeros_like(x), tiles, by=louder, slope=0.1).max() == largest


def test_the_output_may_overwrite_its_residual():
    layout = layout_of([9, 4])
    tiles = layout.tiles(20)
    by = random_filter(3, 16, 16, 0, pad=1)
    x, out = filled(layout, 20, tiles, 16, 1), filled(layout, 20, tiles, 16, 2)
    apart = convolving.convolution(x, by, out.clone(), tiles, EXACT, residual=out)
    convolving.convolution(x, by, out, tiles, EXACT, residual=out)
    assert torch.equal(out, apart)


@few
@given(lengths_of_rows, st.sampled_from([(12, 6, 3), (4, 2, 1), (1, 1, 0)]), seeds)
def test_a_convolution_with_a_stride(lengths, kernel_stride_pad, seed):
    kernel, stride, pad = kernel_stride_pad
    layout = layout_of(lengths, stride=stride)
    slow, fast = layout.tiles(10), layout.tiles(10 * stride, extra=1)
    by = random_filter(kernel, 32, 16, seed, stride=stride, pad=pad)
    x, out = filled(layout, 10 * stride, fast, 32, seed), poisoned(layout, 10, 16)
    wanted = out.cpu().clone()
    convolving.convolution(x, by, out, slow, EXACT)
    plain.convolution(x.cpu(), moved(by), wanted, on_the_cpu(slow), EXACT)
    assert torch.allclose(out.cpu(), wanted, atol=2e-5)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_products_of_rounded_values_are_summed_in_float32(dtype):
    if DEVICE.type == "cpu" and dtype == torch.bfloat16:
        pytest.skip("Triton's interpreter multiplies no bfloat16")
    layout = layout_of([9, 4])
    tiles, arithmetic = layout.tiles(20), convolving.Arithmetic(dtype, "tf32")
    by = random_filter(11, 64, 64, 3, dtype, dilation=5, pad=25)
    x = filled(layout, 20, tiles, 64, 4, dtype)
    out, wanted = poisoned(layout, 20, 64, dtype), poisoned(layout, 20, 64, dtype).cpu()
    convolving.convolution(x, by, out, tiles, arithmetic)
    plain.convolution(x.cpu(), moved(by), wanted, on_the_cpu(tiles), arithmetic)
    steps = {torch.float16: 2**-10, torch.bfloat16: 2**-7}[dtype]
    assert torch.allclose(out.float().cpu(), wanted.float(), rtol=steps, atol=1e-3)


@pytest.mark.prove
@few
@given(lengths_of_rows, st.sampled_from([16, 32, 128]), seeds)
def test_affine_normalises_the_whole_row(lengths, channels, seed):
    layout = layout_of(lengths)
    tiles = layout.tiles(120, extra=1)
    x = filled(layout, 120, tiles, channels, seed)
    style = torch.randn(len(lengths), 2 * channels, generator=torch.Generator().manual_seed(seed))
    moments = norm.tile_moments(x, tiles)
    found = norm.affine(moments, style.to(DEVICE), tiles).cpu()
    for row, (start, length) in enumerate(plain.rows_of(tiles)):
        own = x[start : start + length].cpu().double()
        gain, offset = style[row].double().chunk(2)
        scale = (1 + gain) / torch.sqrt(own.var(0, correction=0) + 1e-5)
        assert torch.allclose(found[row, 0].double(), scale, rtol=1e-5)
        wanted = offset - own.mean(0) * scale
        assert torch.allclose(found[row, 1].double(), wanted, rtol=1e-4, atol=1e-4)


def test_a_constant_row_far_from_zero_keeps_its_variance():
    layout = layout_of([12])
    tiles = layout.tiles(120)
    x = filled(layout, 120, tiles, 16, 0)
    start, length = plain.rows_of(tiles)[0]
    x[start : start + length] = 3000 + 0.01 * x[start : start + length]
    scale = norm.affine(norm.tile_moments(x, tiles), torch.zeros(1, 32, device=DEVICE), tiles)[0, 0]
    own = x[start : start + length].double()
    wanted = 1 / torch.sqrt(own.var(0, correction=0) + 1e-5)
    assert torch.allclose(scale.double(), wanted, rtol=1e-2)


@few
@given(lengths_of_rows, st.sampled_from([16, 128]), st.booleans(), st.booleans(), seeds)
def test_activations_are_zero_after_their_row(lengths, channels, snakes, styled, seed):
    layout = layout_of(lengths)
    tiles = layout.tiles(20)
    generator = torch.Generator().manual_seed(seed)
    x = filled(layout, 20, tiles, channels, seed)
    by = torch.randn(len(lengths), 2, channels, generator=generator) * 3 if styled else None
    alphas = 1 + torch.rand(1, channels, 1, generator=generator)
    alpha = norm.snake_params(alphas) if snakes else None
    out = poisoned(layout, 20, channels)
    wanted = plain.activate(
        x.cpu(), out.cpu().clone(), on_the_cpu(tiles), by=by, alpha=alpha, slope=0.2
    )
    norm.activate(
        x,
        out,
        tiles,
        by=None if by is None else by.to(DEVICE),
        alpha=None if alpha is None else alpha.to(DEVICE),
        slope=0.2,
    )
    assert torch.allclose(out.cpu(), wanted, atol=3e-5)


def test_padded_channels_stay_zero():
    layout = layout_of([5])
    tiles = layout.tiles(1)
    conv = nn.Conv1d(22, 5, 3, padding=1)
    by = filter_of(conv, torch.float32)
    assert (by.weight.shape, padded_width(514), padded_width(1090)) == ((3, 16, 32), 576, 1152)
    x = filled(layout, 1, tiles, 32, 0).cpu()
    x[:, 22:] = 0
    out = poisoned(layout, 1, 16)
    convolving.convolution(x.to(DEVICE), moved(by, DEVICE), out, tiles, EXACT)
    (start, length), out = plain.rows_of(tiles)[0], out.cpu()
    wanted = conv(x[start : start + length, :22].t())
    assert torch.allclose(out[start : start + length, :5].t(), wanted, atol=1e-5)
    assert (out[start : start + length, 5:] == 0).all()


@pytest.mark.parametrize(("kernel", "stride"), [(20, 10), (12, 6), (4, 2), (8, 4), (3, 1)])
def test_a_transposed_convolution_is_one_with_more_channels(kernel, stride):
    conv = nn.ConvTranspose1d(16, 6, kernel, stride, (kernel - stride) // 2)
    layout = layout_of([7, 3])
    tiles = layout.tiles(2)
    x = filled(layout, 2, tiles, 16, 0)
    by = moved(filter_of_transposed(conv, torch.float32), DEVICE)
    out = poisoned(layout, 2, by.n_out)
    convolving.convolution(x, by, out, tiles, EXACT)
    for start, length in plain.rows_of(tiles):
        wanted = conv(x[start : start + length].cpu().t())
        found = out[start : start + length].cpu().view(length * stride, -1)[:, :6].t()
        assert torch.allclose(found, wanted, atol=1e-5)


@few
@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=3), st.integers(1, 9000))
def test_noise_agrees_with_normal_noise(keys, n_samples):
    found = noise(keys, n_samples, DEVICE).cpu()
    wanted = normal_noise(keys, n_samples, torch.device("cpu"), torch.float32)
    assert torch.allclose(found, wanted, atol=1e-6)


def random_source() -> Source:
    source = Source(CONFIG)
    with torch.no_grad():
        source.l_linear.weight.copy_(torch.linspace(-1, 1.5, 9).unsqueeze(0))
        source.l_linear.bias.fill_(0.1)
    return source


def curve(n_values, seed) -> torch.Tensor:
    """An F0 curve with voiced and unvoiced values."""
    drawn = torch.rand(n_values, generator=torch.Generator().manual_seed(seed))
    return torch.where(drawn > 0.3, 400 * drawn, 0.0)


@pytest.mark.prove
@few
@given(lengths_of_rows, seeds)
def test_the_source_agrees_with_the_plain_one(lengths, seed):
    source = random_source()
    rows = PaddingMask([2 * length for length in lengths], torch.device("cpu"))
    # On the same device: a GPU divides by a number by multiplying with its inverse.
    there = PaddingMask(rows.lengths, DEVICE)
    f0 = rows.apply(torch.stack([curve(rows.size, seed + n) for n in range(len(lengths))])[:, None])
    drawn = normal_noise(range(len(lengths)), rows.size * 300, torch.device("cpu"), torch.float32)
    with torch.inference_mode():
        given = (f0[:, 0].to(DEVICE), drawn.to(DEVICE), there)
        wanted = source.to(DEVICE)(*given).cpu()
        found = FusedSource(source, CONFIG).waveform(*given)
    for row, n_values in enumerate(rows.lengths):
        own = slice(0, n_values * 300)
        assert torch.allclose(found[row, own].cpu(), wanted[row, own], atol=2e-5)


@pytest.mark.prove
@fewest
@example([3, 1], 0)
@given(short_rows, seeds)
def test_spectra_agree_for_each_row(lengths, seed):
    layout = layout_of(lengths, stride=6)
    tiles = layout.tiles(120, extra=1)
    source = FusedSource(random_source().to(DEVICE), CONFIG)
    n_samples = max(lengths) * 600
    samples = normal_noise(
        [seed + n for n in range(len(lengths))], n_samples, DEVICE, torch.float32
    )
    found = source.spectrum(samples, layout, 120, tiles).cpu()
    wanted = plain.PlainSource(None, CONFIG).spectrum(
        samples.cpu(), layout_on_the_cpu(lengths), 120, on_the_cpu(tiles)
    )
    for start, n_own, n_slot, _ in tiles.table.tolist():
        own, gap = slice(start, start + n_own), slice(start + n_own, start + n_slot)
        assert (found[gap] == 0).all()
        assert (found[own, 22:] == 0).all()
        assert torch.allclose(on_circle(found[own]), on_circle(wanted[own]), atol=1e-5)
        assert torch.allclose(found[own, :11], wanted[own, :11], atol=1e-5)


def layout_on_the_cpu(lengths) -> Layout:
    return Layout(lengths, torch.device("cpu"), Margins(4, 6))


def on_circle(frames) -> torch.Tensor:
    """Magnitudes and phases as points in the plane, where pi and -pi are the same."""
    points = torch.polar(frames[:, :11].contiguous(), frames[:, 11:22].contiguous())
    return torch.view_as_real(points)


@fewest
@example([3, 1], 0)
@given(short_rows, seeds)
def test_the_inverse_transform_agrees_with_the_plain_one(lengths, seed):
    layout = layout_of(lengths)
    tiles = layout.tiles(120, extra=1)
    drawn = filled(layout, 120, tiles, 32, seed)
    for start, n_own, n_slot, _ in tiles.table.tolist():  # must not be read
        drawn[start + n_own : start + n_slot] = float("nan")
    n_samples = max(lengths) * 600
    like = torch.empty(0, device=DEVICE)
    found = FusedWaveform(CONFIG, like)(drawn.clone(), tiles, n_samples).cpu()
    wanted = plain.PlainWaveform(CONFIG, like)(drawn.cpu(), on_the_cpu(tiles), n_samples)
    assert torch.allclose(found, wanted, rtol=1e-4, atol=1e-3)


@fewest
@given(st.lists(st.integers(1, 9), min_size=1, max_size=18), seeds)
def test_an_lstm_agrees_with_the_plain_one_in_rows_of_any_length(lengths, seed):
    """Within the rounding of states and weights to float16: ten bits of mantissa."""
    torch.manual_seed(seed % 2**32)
    plain_lstm, mask = BiLSTM(24, 64).to(DEVICE), PaddingMask(lengths, DEVICE)
    x = torch.randn(len(lengths), max(lengths), 24).to(DEVICE)
    x[~mask._is_real.squeeze(1)] = 1e6  # must not be read before a real frame
    with torch.inference_mode():
        wanted, found = plain_lstm(x, mask), FusedBiLSTM(plain_lstm)(x, mask)
    for row, length in enumerate(lengths):
        assert torch.allclose(found[row, :length], wanted[row, :length], atol=2e-3)
    assert found.isfinite().all()
