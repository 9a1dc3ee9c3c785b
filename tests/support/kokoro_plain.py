"""What each GPU kernel must compute, in plain PyTorch, with the same rounding.

The functions take the same arguments as those in `renderers/kokoro/gpu/`. Tests compare the kernels
with them in Triton's interpreter. In place of the kernels they let the whole decoder run on a CPU
at full size, which the interpreter is too slow for.
"""

from contextlib import ExitStack, contextmanager
from unittest import mock

import torch
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence

from audiomill.renderers.kokoro.gpu.conv import padded_width
from audiomill.renderers.kokoro.gpu.layout import TILE
from audiomill.renderers.kokoro.model.decoder import waveform
from audiomill.renderers.kokoro.model.padding import PaddingMask
from audiomill.renderers.kokoro.model.source import normal_noise, spectrum

GPU = "audiomill.renderers.kokoro.gpu"


def rows_of(tiles):
    """(first position, length) of each row."""
    return [(start, length) for _, start, length in tiles.rows.tolist()]


def convolution(x, by, out, tiles, arithmetic, *, residual=None, more=None, moments=None):
    taps = by.weight.shape[0]
    weight = by.weight.to(torch.float32)
    for start, length in rows_of(tiles):
        # From the first position that the kernel reads to the last; zero outside the row.
        reach = (taps - 1) * by.dilation
        first = start * by.stride - by.pad
        read = x[first : first + (length - 1) * by.stride + reach + 1].to(torch.float32)
        result = F.conv1d(
            _rounded(read, arithmetic).t().unsqueeze(0),
            _rounded(weight, arithmetic).permute(1, 2, 0),
            by.bias,
            stride=by.stride,
            dilation=by.dilation,
        )[0].t()
        at = slice(start, start + length)
        for added in (residual, more):
            if added is not None:
                result = result + added[at].float()
        out[at] = saturated(result, out.dtype)
    if moments is not None:
        moments.copy_(tile_moments(out, tiles))
    return out


def _rounded(x, arithmetic):
    """`x` as tensor cores read it in TF32: ten bits of mantissa."""
    if x.dtype != torch.float32 or arithmetic.dot_precision != "tf32":
        return x
    return ((x.view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32)


def saturated(x, dtype):
    """`x` in `dtype`, in which nothing becomes infinite."""
    most = torch.finfo(dtype).max
    return x.clamp(-most, most).to(dtype)


def tile_moments(x, tiles):
    moments = torch.full((tiles.n, 2, x.shape[1]), float("nan"))
    for tile, (start, n_own, _, _) in enumerate(tiles.table.tolist()):
        if n_own:
            own = x[start : start + n_own].float()
            moments[tile, 0] = own.mean(0)
            moments[tile, 1] = ((own - own.mean(0)) ** 2).sum(0)
    return moments


def affine(moments, style, tiles):
    result = []
    for row, (first, _, length) in enumerate(tiles.rows.tolist()):
        n_tiles = -(-length // TILE)
        counts = torch.tensor([min(TILE, length - n * TILE) for n in range(n_tiles)]).unsqueeze(1)
        means, squares = moments[first : first + n_tiles].double().unbind(1)
        mean = (means * counts).sum(0) / length
        variance = (squares + counts * (means - mean) ** 2).sum(0) / length
        gain, offset = style[row].double().chunk(2)
        scale = (1 + gain) / torch.sqrt(variance + 1e-5)
        result.append(torch.stack((scale, offset - mean * scale)))
    return torch.stack(result).float()


def activate(x, out, tiles, *, by=None, alpha=None, slope=0.0):
    for start, n_own, n_slot, row in tiles.table.tolist():
        y = x[start : start + n_own].float()
        if by is not None:
            y = y * by[row, 0] + by[row, 1]
        if alpha is None:
            y = F.leaky_relu(y, slope)
        else:
            y = y + torch.sin(torch.pi * alpha[0] * y) ** 2 * alpha[1]
        out[start : start + n_own] = saturated(y, out.dtype)
        out[start + n_own : start + n_slot] = 0
    return out


def noise(seeds, n_samples, device):
    return normal_noise(seeds, n_samples, device, torch.float32)


class PlainSource:
    """Replaces `FusedSource`."""

    def __init__(self, source, config):
        self._source, self._config = source, config

    def waveform(self, f0, noise, mask):
        waveform = self._source(f0, noise, mask).unsqueeze(1)
        return mask.scaled(self._config.samples_per_f0).apply(waveform).squeeze(1)

    def spectrum(self, samples, layout, rate, tiles):
        lengths = [(length - 1) * self._config.hop for _, length in rows_of(tiles)]
        bins = spectrum(samples, PaddingMask(lengths, samples.device), self._config)
        out = layout.empty(rate, padded_width(bins.shape[1]), torch.float32)
        for start, _, n_slot, _ in tiles.table.tolist():
            out[start : start + n_slot] = 0
        for row, (start, length) in enumerate(rows_of(tiles)):
            out[start : start + length, : bins.shape[1]] = bins[row, :, :length].t()
        return out


class PlainWaveform:
    """Replaces `FusedWaveform`."""

    def __init__(self, config, _like):
        self._config = config

    def __call__(self, bins, tiles, n_samples):
        lengths = [length for _, length in rows_of(tiles)]
        n_channels = self._config.n_fft + 2
        padded_rows = pad_sequence(
            [bins[start : start + length, :n_channels] for start, length in rows_of(tiles)], True
        ).transpose(1, 2)
        audio = waveform(padded_rows, PaddingMask(lengths, bins.device), self._config)
        mask = PaddingMask([(length - 1) * self._config.hop for length in lengths], bins.device)
        return mask.apply(audio.unsqueeze(1)).squeeze(1)[:, :n_samples]


@contextmanager
def plain_kernels():
    """Within the context, the fused decoder computes in plain PyTorch."""
    replaced = {
        "blocks": ("convolution", "tile_moments", "affine", "activate"),
        "decoder": ("convolution", "activate"),
    }
    with ExitStack() as stack:
        for module, names in replaced.items():
            for name in names:
                stack.enter_context(mock.patch(f"{GPU}.{module}.{name}", globals()[name]))
        stack.enter_context(mock.patch(f"{GPU}.decoder.FusedSource", PlainSource))
        stack.enter_context(mock.patch(f"{GPU}.decoder.FusedWaveform", PlainWaveform))
        yield
