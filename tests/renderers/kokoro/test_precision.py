"""Precisions: PyTorch's switches, the choice of auto, refusals, and keys."""

from dataclasses import replace

import pytest
import torch

from audiomill.renderers.engine.errors import EngineMissing
from audiomill.renderers.kokoro import loading
from audiomill.renderers.kokoro.loading import (
    load_runner,
    missing_support,
    ready_device,
    resolve_precision,
)
from audiomill.renderers.kokoro.model.config import read_config
from audiomill.renderers.kokoro.model.precision import PRECISIONS
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.renderer import SOUND_VERSION, KokoroRenderer
from support.case_files import each_row_apart
from support.kokoro_reference import built, folder

CUDA = torch.device("cuda:0")


def switches():
    """PyTorch's TF32 switches, for cuDNN and for matrix products."""
    return torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32


@pytest.fixture(autouse=True)
def by_default():
    """Starts each test with PyTorch's defaults and restores the switches afterwards."""
    before = switches()
    torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32 = True, False
    yield
    torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32 = before


@pytest.fixture
def gpu(monkeypatch):
    """Simulates a GPU of a compute capability."""

    def simulate(capability, cuda="13.0"):
        monkeypatch.setattr(torch.cuda, "get_device_capability", lambda _device: capability)
        monkeypatch.setattr(torch.version, "cuda", cuda)

    return simulate


@pytest.mark.parametrize("precision", PRECISIONS)
def test_loading_a_runner_sets_its_precision(monkeypatch, precision):
    monkeypatch.setattr(loading, "missing_support", lambda *_: "")
    options = KokoroOptions(device="cpu", precision=precision)
    model = folder("narrow")
    with built("narrow"):
        load_runner(model / "kokoro-v1_0.pth", read_config(model / "config.json"), options)
    assert switches() == (precision != "float32",) * 2


def test_a_cpu_uses_float32():
    ready_device(KokoroOptions(device="cpu"))
    assert switches() == (False, False)


@each_row_apart
def test_auto_is_the_tuned_precision_or_the_fastest_of_the_gpu(gpu, capability, tuned, expected):
    gpu(capability)
    assert resolve_precision(KokoroOptions(auto_precision=tuned), CUDA) == expected
    assert resolve_precision(KokoroOptions(precision="tf32"), CUDA) == "tf32"
    assert resolve_precision(KokoroOptions(auto_precision=tuned), torch.device("cpu")) == "float32"


@pytest.mark.parametrize("precision", ["bf16", "fp16"])
def test_without_triton_there_are_no_precisions_of_our_own(gpu, monkeypatch, precision):
    gpu((9, 0))
    monkeypatch.setattr(loading, "find_spec", lambda _name: None)
    assert "Triton" in missing_support(precision, CUDA)
    assert resolve_precision(KokoroOptions(), CUDA) == "tf32"


def test_tf32_is_refused_on_a_cpu_and_nothing_is_switched():
    with pytest.raises(EngineMissing, match=r"there is no tf32 on a CPU\. Set"):
        ready_device(KokoroOptions(device="cpu", precision="tf32"))
    assert switches() == (True, False)


@pytest.mark.parametrize(
    ("capability", "has_it"), [((7, 5), False), ((8, 0), True), ((9, 0), True)]
)
def test_gpus_have_tf32_since_ampere(gpu, capability, has_it):
    gpu(capability)
    assert (missing_support("tf32", CUDA) == "") == has_it
    assert missing_support("float32", CUDA) == ""


def test_gpus_of_other_makers_have_no_tf32(gpu):
    gpu((11, 0), cuda=None)
    assert missing_support("tf32", CUDA) == "there is no tf32 on this GPU"


@pytest.mark.prove
def test_each_named_precision_has_its_own_keys_and_auto_always_the_same():
    options = KokoroOptions(weights=folder("narrow"), workers=0)
    keys = {
        precision: KokoroRenderer(replace(options, precision=precision)).fingerprint("af_heart")
        for precision in ("auto", *PRECISIONS)
    }
    assert keys["auto"].startswith(f"kokoro sound {SOUND_VERSION} ")
    for precision in PRECISIONS:
        assert keys[precision] == keys["auto"].replace(
            f" {SOUND_VERSION} ", f" {SOUND_VERSION} {precision} ", 1
        )
    tuned = KokoroRenderer(replace(options, auto_precision="tf32"))
    assert tuned.fingerprint("af_heart") == keys["auto"]
