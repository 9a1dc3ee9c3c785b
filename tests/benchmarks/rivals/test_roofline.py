"""The cost of a second of speech; shares are of measured ceilings."""

from dataclasses import replace
from itertools import cycle

import pytest
import torch

from audiomill.flows.bench.variants import Mode, Variant
from audiomill.renderers.kokoro.gpu.decoder import FusedDecoder
from audiomill.renderers.kokoro.gpu.self_test import ARITHMETIC
from audiomill.renderers.kokoro.model.config import parse_config
from audiomill.renderers.kokoro.model.decoder import Decoder
from audiomill.renderers.kokoro.model.padding import PaddingMask
from benchmarks.rivals import roofline
from benchmarks.rivals.roofline import Cost, Rates, rates_of
from support.gpu_kernels_data import replaced
from support.kokoro_reference import CONFIGS

pytestmark = pytest.mark.prove

CPU = torch.device("cpu")
COST = Cost(flop=50e9, values=100e6)
VARIANT = Variant(Mode.SYNTHESIS, "kokoro", "cuda", "tf32", "planned")


def test_a_second_of_the_full_size_costs_55_billion_and_moves_98_million_values():
    cost = roofline.cost_of(parse_config(CONFIGS["full"]))
    assert cost.flop == pytest.approx(54.8e9, rel=0.001)
    assert cost.values == pytest.approx(97.6e6, rel=0.001)


def test_a_matrix_product_and_a_copy_have_rates(monkeypatch):
    monkeypatch.setitem(roofline.MATRIX, "cpu", 64)
    monkeypatch.setitem(roofline.COPY_BYTES, "cpu", 1 << 16)
    result = roofline.ceilings(CPU)
    assert set(result) - {"bf16_flops"} == {"float32_flops", "copy_bytes_per_s"}
    assert all(1e6 < rate < 1e15 for rate in result.values())


def test_a_ceiling_is_by_the_least_time(monkeypatch):
    """The first tries warm up and are not counted."""
    times_s = cycle([1.0, 1.0, 3.0, 2.0, 4.0, 5.0, 6.0, 7.0])
    for clock in ("_on_cpu_s", "_of_thread_s"):
        monkeypatch.setattr(roofline, clock, lambda _work: next(times_s))
    monkeypatch.setattr(torch, "get_num_threads", lambda: 3)
    assert roofline.matrix_flops(CPU, torch.float32, 10) == 3 * 2 * 10**3 / 2.0
    monkeypatch.undo()
    torch.set_num_threads(1)


def test_a_copy_counts_bytes_read_and_bytes_written(monkeypatch):
    monkeypatch.setattr(roofline, "_on_cpu_s", lambda _work: 2.0)
    assert roofline.copy_bytes_per_s(CPU, 100) == (100 + 100) / 2.0


def test_when_memory_runs_out_the_other_ceilings_remain(monkeypatch):
    def full(*_):
        raise MemoryError

    monkeypatch.setattr(roofline, "copy_bytes_per_s", full)
    monkeypatch.setitem(roofline.MATRIX, "cpu", 16)
    assert set(roofline.ceilings(CPU)) - {"bf16_flops"} == {"float32_flops"}


def test_the_share_is_of_the_ceiling_in_that_precision():
    ceilings = {"float32_flops": 50e12, "tf32_flops": 200e12, "copy_bytes_per_s": 2e12}
    assert rates_of(1000.0, VARIANT, COST, ceilings) == Rates(50e12, 0.25, 400e9, 0.2)
    assert rates_of(1000.0, VARIANT, COST, {}) == Rates(50e12, None, 400e9, None)


@pytest.mark.parametrize(
    ("precision", "n_bytes"), [("bf16", 2), ("fp16", 2), ("float32", 4), ("int8", None)]
)
def test_traffic_is_by_the_size_of_values_in_memory(precision, n_bytes):
    variant = replace(VARIANT, precision=precision)
    rates = rates_of(10.0, variant, COST, {"copy_bytes_per_s": 4e9})
    assert rates.bytes_per_s == (n_bytes and n_bytes * 1e9)
    assert rates.copy_share == (n_bytes and n_bytes / 4)


class CountingKernel:
    """A fake kernel that adds up the bytes of its arguments."""

    def __init__(self):
        self.n_bytes = 0

    def __getitem__(self, _grid):
        return self.add

    def add(self, *args, **kwargs):
        arrays = (one for one in (*args, *kwargs.values()) if isinstance(one, torch.Tensor))
        self.n_bytes += sum(one.numel() * one.element_size() for one in arrays)


@pytest.mark.parametrize(("precision", "n_bytes"), [("fp16", 2), ("tf32", 4)])
def test_the_traffic_is_the_size_of_the_arguments_of_the_fused_decoders_kernels(precision, n_bytes):
    """Except for phases, moments and sums in float32, which are 3 % of it."""
    config = parse_config(CONFIGS["full"])
    decoder, kernel = FusedDecoder(Decoder(config), ARITHMETIC[precision]), CountingKernel()

    def traffic_bytes(n_frames):
        """Including weights."""
        kernel.n_bytes = 0
        style, curve = torch.zeros(1, config.style_dim), torch.zeros(1, 2 * n_frames)
        noise = decoder.noise([1], n_frames * config.samples_per_frame, CPU)
        aligned = torch.zeros(1, config.hidden_dim, n_frames)
        decoder(aligned, curve, curve, style, noise, PaddingMask([n_frames], CPU))
        return kernel.n_bytes

    with replaced(lambda _kernel: kernel), torch.inference_mode():
        per_frame = (traffic_bytes(2560) - traffic_bytes(1280)) / 1280
    assert per_frame == pytest.approx(n_bytes * roofline.values_per_frame(config), rel=0.04)
