"""What speech costs is what PyTorch counts, and its share is of a ceiling that was measured."""

from dataclasses import replace
from itertools import cycle

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from audiomill.flows.bench.statistics import Share, share_of
from audiomill.flows.bench.variants import Mode, Variant
from audiomill.renderers.kokoro.bench import roofline as cost
from audiomill.renderers.kokoro.bench import roofline as measuring
from audiomill.renderers.kokoro.config import parse_config
from audiomill.renderers.kokoro.gpu.decoder import FusedDecoder
from audiomill.renderers.kokoro.gpu.self_test import ARITHMETIC
from audiomill.renderers.kokoro.model.decoder import Decoder
from audiomill.renderers.kokoro.model.model import Kokoro, Utterance
from audiomill.renderers.kokoro.model.padding import PaddingMask
from support.gpu_kernels_data import replaced
from support.kokoro_reference import CONFIGS

CPU = torch.device("cpu")
N_TOKENS = 12
VARIANT = Variant(Mode.SYNTHESIS, "kokoro", "cuda", "tf32", "planned")


@pytest.mark.parametrize("size", ["reduced", "full"])
def test_the_cost_is_what_pytorch_counts(size):
    """But for LSTMs, which it does not, and for attention and styles, which are small."""
    config = parse_config(CONFIGS[size])
    model = Kokoro(config).eval()
    for weight in model.parameters():
        weight.data.fill_(0.01)
    row = Utterance((0, *[5] * (N_TOKENS - 2), 0), torch.zeros(2 * config.style_dim), 8.0)
    with FlopCounterMode(display=False) as reading:
        (read,) = model.encode_text([row])
    noise = torch.zeros(1, read.n_frames * config.samples_per_frame)
    with FlopCounterMode(display=False) as speaking:
        model.speak([read], noise)
    hidden, style = config.hidden_dim, config.style_dim
    told = 2 * cost._lstm(hidden + style, hidden)
    lstms = (config.n_layer + 1) * told + 2 * cost._lstm(hidden, hidden)
    per_frame = speaking.get_total_flops() / read.n_frames
    per_token = reading.get_total_flops() / N_TOKENS
    assert per_frame == pytest.approx(cost.flop_per_frame(config) - told, rel=2e-3)
    assert per_token == pytest.approx(cost.flop_per_token(config) - lstms, rel=0.06)


def test_a_second_of_the_full_size_costs_about_54_billion():
    found = cost.flop_per_audio_s(parse_config(CONFIGS["full"]))
    assert found == pytest.approx(53.7e9, rel=0.03)


def test_a_matrix_product_and_a_copy_have_rates(monkeypatch):
    monkeypatch.setitem(measuring.MATRIX, "cpu", 64)
    monkeypatch.setitem(measuring.COPY_BYTES, "cpu", 1 << 16)
    found = measuring.ceilings(CPU)
    assert set(found) == {"float32_flops", "copy_bytes_per_s"}
    assert all(1e6 < rate < 1e15 for rate in found.values())


def test_a_ceiling_counts_what_was_done_in_the_least_time(monkeypatch):
    """Once it is warm: what comes first counts neither way."""
    times_s = cycle([1.0, 1.0, 3.0, 2.0, 4.0, 5.0, 6.0, 7.0])
    for clock in ("_on_cpu_s", "_of_thread_s"):
        monkeypatch.setattr(measuring, clock, lambda _work: next(times_s))
    monkeypatch.setattr(torch, "get_num_threads", lambda: 3)
    assert measuring.matrix_flops(CPU, torch.float32, 10) == 3 * 2 * 10**3 / 2.0
    monkeypatch.undo()
    torch.set_num_threads(1)


def test_a_copy_counts_what_is_read_and_what_is_written(monkeypatch):
    monkeypatch.setattr(measuring, "_on_cpu_s", lambda _work: 2.0)
    assert measuring.copy_bytes_per_s(CPU, 100) == (100 + 100) / 2.0


def test_memory_that_runs_out_leaves_the_others(monkeypatch):
    def full(*_):
        raise MemoryError

    monkeypatch.setattr(measuring, "copy_bytes_per_s", full)
    monkeypatch.setitem(measuring.MATRIX, "cpu", 16)
    assert set(measuring.ceilings(CPU)) == {"float32_flops"}


def test_the_share_is_of_the_ceiling_in_that_precision():
    facts = {"flop_per_audio_s": 50e9, "values_per_audio_s": 100e6}
    ceilings = {"float32_flops": 50e12, "tf32_flops": 200e12, "copy_bytes_per_s": 2e12}
    assert share_of(1000.0, VARIANT, facts, ceilings) == Share(50e12, 0.25, 400e9, 0.2)
    assert share_of(1000.0, VARIANT, facts, {}) == Share(50e12, None, 400e9, None)
    assert share_of(1000.0, VARIANT, {}, ceilings) == Share()


@pytest.mark.parametrize(("precision", "n_bytes"), [("bf16", 2), ("float32", 4), ("int8", None)])
def test_traffic_is_counted_in_the_values_that_wait_in_memory(precision, n_bytes):
    facts = {"flop_per_audio_s": 50e9, "values_per_audio_s": 100e6}
    share = share_of(10.0, replace(VARIANT, precision=precision), facts, {"copy_bytes_per_s": 4e9})
    assert share.bytes_per_s == (n_bytes and n_bytes * 1e9)
    assert share.copy_share == (n_bytes and n_bytes / 4)


class Moved:
    """Stands for a kernel, and adds up the bytes of the arrays that it is given."""

    def __init__(self):
        self.n_bytes = 0

    def __getitem__(self, _grid):
        return self.add

    def add(self, *given, **named):
        arrays = (one for one in (*given, *named.values()) if isinstance(one, torch.Tensor))
        self.n_bytes += sum(one.numel() * one.element_size() for one in arrays)


@pytest.mark.parametrize(("precision", "n_bytes"), [("bf16", 2), ("tf32", 4)])
def test_the_traffic_is_what_the_fused_decoders_kernels_are_given(precision, n_bytes):
    """But for phases, moments and sums in float32, which are 3 % of it."""
    config = parse_config(CONFIGS["full"])
    decoder, moved = FusedDecoder(Decoder(config), ARITHMETIC[precision]), Moved()

    def given(n_frames):
        """Weights and all."""
        moved.n_bytes = 0
        style, curve = torch.zeros(1, config.style_dim), torch.zeros(1, 2 * n_frames)
        noise = decoder.noise([1], n_frames * config.samples_per_frame, CPU)
        aligned = torch.zeros(1, config.hidden_dim, n_frames)
        decoder(aligned, curve, curve, style, noise, PaddingMask([n_frames], CPU))
        return moved.n_bytes

    with replaced(lambda _kernel: moved), torch.inference_mode():
        per_frame = (given(2560) - given(1280)) / 1280
    assert per_frame == pytest.approx(n_bytes * cost.values_per_frame(config), rel=0.04)


def test_a_second_of_the_full_size_moves_about_200_million_bytes():
    found = cost.values_per_audio_s(parse_config(CONFIGS["full"]))
    assert 2 * found == pytest.approx(200e6, rel=0.05)
