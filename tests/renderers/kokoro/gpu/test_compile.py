"""Every kernel that the fused parts launch compiles for GPUs, fits, and is fast there."""

import json
import subprocess

import pytest

pytest.importorskip("triton", reason="Triton is not installed")

from audiomill.renderers.kokoro.gpu.self_test import N_FRAMES
from support.documents import documented, process_of
from support.examples import first_often
from support.paths import ROOT

COMMAND = documented(
    "PYTHONPATH=tests python tests/renderers/kokoro/gpu/compile_kernels.py fp16 90"
)
# Shared memory of a program on GPUs of compute capability 8.6 and 8.9, which have the least.
# Source: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
SHARED_BYTES = 99 * 1024


def lines_of(*arguments):
    """What the program prints, as it is started in a process of its own."""
    words = process_of([*COMMAND[:-2], *arguments])
    run = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


@pytest.mark.parametrize(
    ("precision", "capability"),
    first_often([("fp16", 90), ("tf32", 80), ("fp16", 80), ("tf32", 90), ("bf16", 90)], 2),
)
def test_every_launch_compiles_and_fits(precision, capability):
    programs = lines_of(precision, str(capability))
    for one in programs:
        print(one)  # noqa: T201 - what `pytest -rP` is asked for
    assert {one["kernel"] for one in programs} == {
        *(
            "conv_kernel",
            "lstm_kernel",
            "moments_kernel",
            "affine_kernel",
            "norm_activation_kernel",
        ),
        *("noise_kernel", "source_kernel", "stft_kernel", "frames_kernel", "overlap_kernel"),
    }
    # Each takes a second or two, once per machine: a few programs serve all layers.
    assert len(programs) < (25 if precision != "bf16" else 35)  # whose curves are in fp16
    assert all(one["shared_bytes"] <= SHARED_BYTES for one in programs)
    product = "wgmma.mma_async" if capability >= 90 else "mma.sync"
    for one in programs:
        if one["kernel"] == "conv_kernel":
            # A product of wgmma has 64 channels at least: the last layer has 22.
            is_narrow = one["constants"]["BLOCK_N"] < 64
            assert one["products"] == ["mma.sync" if is_narrow else product]
            assert one["copies_ahead"]
            assert one["registers"] <= 128
            assert one["spilled_bytes"] <= 320


@pytest.mark.prove
def test_the_self_test_compiles_the_programs_for_batches_of_any_size():
    """Triton compiles separate programs for arguments that are divisible by 16, or equal to 1."""
    batches = [
        ",".join(map(str, lengths)) for lengths in (N_FRAMES, (3, 41, 9), (42,), (1,), (64,))
    ]
    first, *others = lines_of("fp16", *batches)
    assert len(first) == 10
    assert all(one == first for one in others)
    assert len(others) == 4
