"""What each GPU kernel must compute, in plain PyTorch, with the rounding that it has.

The functions take what those in `renderers/kokoro/gpu/` take. The tests hold the kernels to them,
in Triton's interpreter; in their place they let the whole decoder run on a CPU at full size.
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
    """(first place, length) of each row."""
    return [(start, length) for _, start, length in tiles.rows.tolist()]


def convolution(x, by, out, tiles, arithmetic, *, residual=None, more=None, moments=None):
    taps = by.weight.shape[0]
    weight = by.weight.to(torch.float32)
    for start, length in rows_of(tiles):
        # From the first place that is read to the last; what lies outside the row is zero.
        reach = (taps - 1) * by.dilation
        first = start * by.stride - by.pad
        read = x[first : first + (length - 1) * by.stride + reach + 1].to(torch.float32)
        made = F.conv1d(
            _rounded(read, arithmetic).t().unsqueeze(0),
            _rounded(weight, arithmetic).permute(2, 1, 0),
            by.bias,
            stride=by.stride,
            dilation=by.dilation,
        )[0].t()
        at = slice(start, start + length)
        for added in (residual, more):
            if added is not None:
                made = made + added[at].float()
        out[at] = made.to(out.dtype)
    if moments is not None:
        moments.copy_(measured(out, tiles))
    return out


def _rounded(x, arithmetic):
    """As tensor cores read float32 where they are asked for TF32: ten bits of mantissa."""
    if x.dtype != torch.float32 or arithmetic.float32 != "tf32":
        return x
    return ((x.view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32)


def measured(x, tiles):
    moments = torch.full((tiles.n, 2, x.shape[1]), float("nan"))
    for tile, (start, n_own, _, _) in enumerate(tiles.table.tolist()):
        if n_own:
            own = x[start : start + n_own].float()
            moments[tile, 0] = own.mean(0)
            moments[tile, 1] = ((own - own.mean(0)) ** 2).sum(0)
    return moments


def affine(moments, style, tiles):
    made = []
    for row, (first, _, length) in enumerate(tiles.rows.tolist()):
        n_tiles = -(-length // TILE)
        counts = torch.tensor([min(TILE, length - n * TILE) for n in range(n_tiles)]).unsqueeze(1)
        means, squares = moments[first : first + n_tiles].double().unbind(1)
        mean = (means * counts).sum(0) / length
        variance = (squares + counts * (means - mean) ** 2).sum(0) / length
        gain, offset = style[row].double().chunk(2)
        scale = (1 + gain) / torch.sqrt(variance + 1e-5)
        made.append(torch.stack((scale, offset - mean * scale)))
    return torch.stack(made).float()


def activate(x, out, tiles, *, by=None, alpha=None, slope=0.0):
    for start, n_own, n_slot, row in tiles.table.tolist():
        y = x[start : start + n_own].float()
        if by is not None:
            y = y * by[row, 0] + by[row, 1]
        if alpha is None:
            y = F.leaky_relu(y, slope)
        else:
            y = y + torch.sin(torch.pi * alpha[0] * y) ** 2 * alpha[1]
        out[start : start + n_own] = y.to(out.dtype)
        out[start + n_own : start + n_slot] = 0
    return out


def noise(seeds, n_samples, device):
    return normal_noise(seeds, n_samples, device, torch.float32)


class PlainSource:
    """Stands for `FusedSource`."""

    def __init__(self, source, config):
        self._source, self._config = source, config

    def waveform(self, f0, drawn, rows):
        made = self._source(f0, drawn, rows).unsqueeze(1)
        return rows.times(self._config.samples_per_f0).clear(made).squeeze(1)

    def spectrum(self, samples, layout, rate, tiles):
        lengths = [(length - 1) * self._config.hop for _, length in rows_of(tiles)]
        seen = spectrum(samples, PaddingMask(lengths, samples.device), self._config)
        out = layout.empty(rate, padded_width(seen.shape[1]), torch.float32)
        for start, _, n_slot, _ in tiles.table.tolist():
            out[start : start + n_slot] = 0
        for row, (start, length) in enumerate(rows_of(tiles)):
            out[start : start + length, : seen.shape[1]] = seen[row, :, :length].t()
        return out


class PlainWaveform:
    """Stands for `FusedWaveform`."""

    def __init__(self, config, _like):
        self._config = config

    def __call__(self, drawn, tiles, n_samples):
        lengths = [length for _, length in rows_of(tiles)]
        n_drawn = self._config.n_fft + 2
        padded_rows = pad_sequence(
            [drawn[start : start + length, :n_drawn] for start, length in rows_of(tiles)], True
        ).transpose(1, 2)
        made = waveform(padded_rows, PaddingMask(lengths, drawn.device), self._config)
        audible = PaddingMask([(length - 1) * self._config.hop for length in lengths], drawn.device)
        return audible.apply(made.unsqueeze(1)).squeeze(1)[:, :n_samples]


@contextmanager
def plain_kernels():
    """The decoder of a GPU, computed plainly."""
    replaced = {
        "blocks": ("convolution", "measured", "affine", "activate"),
        "decoder": ("convolution", "activate"),
    }
    with ExitStack() as stack:
        for module, names in replaced.items():
            for name in names:
                stack.enter_context(mock.patch(f"{GPU}.{module}.{name}", globals()[name]))
        stack.enter_context(mock.patch(f"{GPU}.decoder.FusedSource", PlainSource))
        stack.enter_context(mock.patch(f"{GPU}.decoder.FusedWaveform", PlainWaveform))
        yield
