"""What a plan takes for granted of Kokoro here, without PyTorch being loaded."""

import pytest

from renderers.kokoro import traits
from renderers.kokoro.traits import has_gpu, is_padding
from renderers.options import KokoroOptions


@pytest.mark.parametrize(
    ("files", "torch", "has_one"),
    [
        ((), "2.13.0", False),
        (("nvidia0", "nvidiactl"), "2.13.0", True),
        (("nvidia3",), "2.13.0+cu130", True),
        (("nvidiactl",), "2.13.0", False),
        (("nvidia0",), "2.13.0+cpu", False),
        (("dxg",), "2.13.0", True),
        (("kfd",), "2.13.0+rocm7", True),
    ],
)
def test_a_gpu_is_one_that_pytorch_can_use(monkeypatch, tmp_path, files, torch, has_one):
    for name in files:
        (tmp_path / name).touch()
    monkeypatch.setattr(traits, "version", lambda _: torch)
    assert has_gpu(tmp_path) == has_one


@pytest.mark.parametrize(
    ("options", "pads"),
    [
        (KokoroOptions(device="cpu"), False),
        (KokoroOptions(device="cpu", batch_frames=4096), True),
        (KokoroOptions(device="cuda:1"), True),
    ],
)
def test_rows_are_padded_on_a_gpu_or_where_that_is_asked_for(options, pads):
    assert is_padding(options) == pads
