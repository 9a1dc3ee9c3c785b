"""What speech costs is what PyTorch counts, and its share is of a ceiling that was measured."""

from itertools import cycle

import pytest
import torch
from kokoro_reference import CONFIGS
from torch.utils.flop_counter import FlopCounterMode

from flows.bench.share import Share, share_of
from flows.bench.variants import Mode, Variant
from renderers.kokoro import ceilings as measuring
from renderers.kokoro import cost
from renderers.kokoro.config import parse_config
from renderers.kokoro.model import Kokoro, Utterance

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
        (read,) = model.read([row])
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
    facts = {"flop_per_audio_s": 50e9}
    ceilings = {"float32_flops": 50e12, "tf32_flops": 200e12}
    assert share_of(1000.0, VARIANT, facts, ceilings) == Share(50e12, 0.25)
    assert share_of(1000.0, VARIANT, facts, {}) == Share(50e12, None)
    assert share_of(1000.0, VARIANT, {}, ceilings) == Share(None, None)
