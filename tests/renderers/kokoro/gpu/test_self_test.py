"""If the fused decoder fails its self-test, the plain decoder is used, with a warning.

The self-test runs here on a CPU, with plain PyTorch instead of kernels. A GPU is simulated where
the code asks for one.
"""

import logging
import sys
from unittest import mock

import pytest
import torch

pytest.importorskip("triton", reason="Triton is not installed")

from audiomill.renderers.engine.errors import EngineFailed, EngineMissing
from audiomill.renderers.kokoro import loading
from audiomill.renderers.kokoro.gpu import self_test
from audiomill.renderers.kokoro.gpu.decoder import FusedDecoder
from audiomill.renderers.kokoro.gpu.prosody import FusedBiLSTM, FusedCurveBlocks, HalfBert
from audiomill.renderers.kokoro.gpu.self_test import SelfTestFailed, verified_parts
from audiomill.renderers.kokoro.model.decoder import Decoder
from audiomill.renderers.kokoro.model.model import Kokoro
from audiomill.renderers.kokoro.options import KokoroOptions
from support import kokoro_plain
from support.kokoro_plain import plain_kernels
from support.kokoro_tiny import DEVICE, tiny_model

pytestmark = pytest.mark.skipif(DEVICE.type != "cpu", reason="a GPU has its own kernels")


@pytest.fixture
def model(monkeypatch):
    """A tiny model, restored afterwards, that seems to be on a GPU with every precision."""
    model = tiny_model(torch.float32)
    plain = model.decoder
    monkeypatch.setattr(loading, "missing_support", lambda *_: "")
    monkeypatch.setattr(
        "audiomill.renderers.kokoro.gpu.decoder.noise",
        lambda seeds, n, device: plain.noise(seeds, n, device),
    )
    yield model
    model.decoder = plain


@pytest.mark.parametrize("precision", ["tf32", "fp16"])
def test_a_correct_decoder_passes(model, precision):
    with plain_kernels():
        parts = verified_parts(model, precision)
    assert isinstance(parts["decoder"], FusedDecoder)
    assert len([one for one in parts.values() if isinstance(one, FusedBiLSTM)]) == 5
    kinds = {"bert": HalfBert, "predictor.F0": FusedCurveBlocks, "predictor.N": FusedCurveBlocks}
    assert {name: type(parts[name]) for name in kinds} == kinds


@pytest.mark.parametrize("wrong", ["affine", "activate"])
def test_a_wrong_decoder_fails(model, wrong):
    correct = getattr(kokoro_plain, wrong)

    def broken(*arguments, **options):
        return correct(*arguments, **options).mul_(1.5)

    place = f"audiomill.renderers.kokoro.gpu.blocks.{wrong}"
    with (
        plain_kernels(),
        mock.patch(place, broken),
        pytest.raises(SelfTestFailed, match=r"off by \d+\.\d dB"),
    ):
        verified_parts(model, "bf16")


def test_weights_that_leave_the_range_of_fp16_are_used_in_bf16(model):
    tried = []

    def test_of(_model, precision):
        tried.append(precision)
        if precision == "fp16":
            raise SelfTestFailed("on this GPU it is off by 9.0 dB")
        return {"decoder": FusedDecoder(model.decoder, self_test.ARITHMETIC[precision])}

    with mock.patch.object(self_test, "verified_parts", test_of):
        loading.fuse(model, KokoroOptions(precision="auto"))
        assert tried == ["fp16", "bf16"]
        assert isinstance(model.decoder, FusedDecoder)
        with pytest.raises(EngineMissing, match=r"fp16 here: on this GPU it is off by 9\.0 dB"):
            loading.fuse(model, KokoroOptions(precision="fp16"))


def failing(*_, **__):
    raise RuntimeError("Failed to find C compiler.\nPlease specify one.")


def test_if_kernels_cannot_be_built_the_plain_decoder_is_used_with_a_warning(model, caplog):
    with (
        mock.patch("audiomill.renderers.kokoro.gpu.blocks.convolution", failing),
        caplog.at_level(logging.WARNING, "audiomill"),
    ):
        loading.fuse(model, KokoroOptions(precision="auto"))
    assert isinstance(model.decoder, Decoder)
    assert "cannot be built here (RuntimeError: Failed to find C compiler)" in caplog.text


def test_if_triton_cannot_be_loaded_the_plain_decoder_is_used_with_a_warning(
    model, monkeypatch, caplog
):
    monkeypatch.setitem(sys.modules, "audiomill.renderers.kokoro.gpu.self_test", None)
    with caplog.at_level(logging.WARNING, "audiomill"):
        loading.fuse(model, KokoroOptions(precision="tf32"))
    assert isinstance(model.decoder, Decoder)
    assert "Triton, which builds what is faster, cannot be loaded" in caplog.text
    with pytest.raises(EngineMissing, match=r"Triton.*Set kokoro\.precision to tf32\."):
        loading.fuse(model, KokoroOptions(precision="bf16"))


def test_a_gpu_that_the_self_test_has_broken_is_not_used(model, monkeypatch):
    def broken(_device):
        raise RuntimeError("CUDA error: an illegal memory access was encountered\nCompile with")

    monkeypatch.setattr(torch.cuda, "synchronize", broken)
    monkeypatch.setattr(Kokoro, "device", torch.device("cuda:3"))
    with (
        mock.patch("audiomill.renderers.kokoro.gpu.self_test.FusedDecoder", failing),
        pytest.raises(EngineFailed, match=r"cuda:3 .*illegal memory access.*to float32"),
    ):
        loading.fuse(model, KokoroOptions(precision="auto"))


def test_a_failure_of_the_requested_bf16_is_explained(model):
    with (
        mock.patch("audiomill.renderers.kokoro.gpu.blocks.convolution", failing),
        pytest.raises(EngineMissing, match=r"C compiler.*Set kokoro\.precision to tf32\."),
    ):
        loading.fuse(model, KokoroOptions(precision="bf16"))


def test_float32_uses_the_plain_decoder(model):
    loading.fuse(model, KokoroOptions(precision="float32"))
    assert isinstance(model.decoder, Decoder)
