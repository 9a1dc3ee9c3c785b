"""What the decoder starts on a GPU can be compiled for one, fits, and uses what is fast there."""

import json
import subprocess
import sys

import pytest

pytest.importorskip("triton", reason="Triton is not here")

from audiomill.renderers.kokoro.gpu.self_test import N_FRAMES
from support.home import ROOT

SCRIPT = ROOT / "tests" / "support" / "compile_kernels.py"
# Of a program, on cards of 8.6 and 8.9, which have the least. Source: CUDA C++ Programming Guide,
# "Technical Specifications per Compute Capability".
SHARED_BYTES = 99 * 1024


@pytest.mark.prove
@pytest.mark.parametrize("precision", ["bf16", "tf32"])
@pytest.mark.parametrize(("capability", "product"), [(80, "mma.sync"), (90, "wgmma.mma_async")])
def test_every_launch_compiles_and_fits(precision, capability, product):
    run = subprocess.run(
        [sys.executable, SCRIPT, precision, str(capability)],
        capture_output=True,
        text=True,
        check=True,
    )
    programs = [json.loads(line) for line in run.stdout.splitlines()]
    for one in programs:
        print(one)  # noqa: T201 - what `pytest -rP` is asked for
    assert {one["kernel"] for one in programs} == {
        *("convolve", "measure", "merge", "activate"),
        *("draw", "excite", "analyse", "resynthesise"),
    }
    # Each takes a second or two, once on a machine: a handful serve all layers.
    assert len(programs) < 25
    assert all(one["shared_bytes"] <= SHARED_BYTES for one in programs)
    for one in programs:
        if one["kernel"] == "convolve":
            assert one["products"] == [product]
            assert one["copies_ahead"]
            assert one["keeps_near"]
            assert one["registers"] <= 128
            assert one["spilled_bytes"] <= 256


def test_what_the_trial_compiles_serves_a_batch_of_any_size():
    """Triton compiles anew for numbers that 16 divides, and for 1."""
    batches = [",".join(map(str, lengths)) for lengths in (N_FRAMES, (3, 41, 9), (42,), (1,), (64,))]
    run = subprocess.run(
        [sys.executable, SCRIPT, "bf16", *batches], capture_output=True, text=True, check=True
    )
    first, *others = map(json.loads, run.stdout.splitlines())
    assert len(first) == 8
    assert all(one == first for one in others)
    assert len(others) == 4
