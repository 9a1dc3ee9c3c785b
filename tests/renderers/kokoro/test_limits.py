"""Kokoro's limits for planning, without loading PyTorch."""

import pytest

from audiomill.renderers.kokoro.renderer import uses_padded_batches
from audiomill.renderers.options import KokoroOptions


@pytest.mark.parametrize(
    ("options", "pads"),
    [
        (KokoroOptions(device="cpu"), False),
        (KokoroOptions(device="cpu,cpu"), False),
        (KokoroOptions(device="cpu", batch_frames=4096), True),
        (KokoroOptions(device="cuda:1"), True),
        (KokoroOptions(device="cuda:0,cuda:1"), True),
    ],
)
def test_rows_are_padded_on_a_gpu_or_if_batch_frames_is_set(options, pads):
    assert uses_padded_batches(options) == pads
