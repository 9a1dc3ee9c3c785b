"""Compile every kernel that the fused parts launch, for a GPU that need not be present.

`python compile_kernels.py fp16 90`, with `tests` in PYTHONPATH, prints one line of JSON for each
compiled program: registers, spilled bytes, shared memory, and its matrix instructions. The launches
are recorded from parts of the official model, not listed here.

`python compile_kernels.py fp16 17,24 3,41,9` compiles nothing. For each batch of rows,
given by their frames, it prints the programs that would be compiled, as one line of JSON.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

os.environ["TRITON_INTERPRET"] = "0"

import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from audiomill.renderers.kokoro.gpu.decoder import FusedDecoder
from audiomill.renderers.kokoro.gpu.prosody import FusedBiLSTM, FusedCurveBlocks
from audiomill.renderers.kokoro.gpu.self_test import ARITHMETIC, CURVE_ARITHMETIC
from audiomill.renderers.kokoro.model.config import OFFICIAL, parse_config
from audiomill.renderers.kokoro.model.decoder import Decoder
from audiomill.renderers.kokoro.model.layers import BiLSTM
from audiomill.renderers.kokoro.model.padding import PaddingMask
from audiomill.renderers.kokoro.model.prosody import CurveBlocks
from support.gpu_kernels_data import replaced

OPTIONS = ("num_warps", "num_stages", "maxnreg", "enable_fp_fusion")
POINTERS = {
    torch.float32: "*fp32",
    torch.bfloat16: "*bf16",
    torch.float16: "*fp16",
    torch.int32: "*i32",
    torch.int64: "*i64",
}


class Recorder:
    """Replaces a kernel and records the arguments that decide what is compiled."""

    def __init__(self, kernel):
        self.kernel, self.launches = kernel, {}

    def __getitem__(self, _grid):
        return self.record

    def record(self, *positional, **named):
        options = {name: named.pop(name) for name in OPTIONS if name in named}
        values = dict(zip(self.kernel.arg_names, positional, strict=False)) | named
        unspecialized = self.kernel.do_not_specialize or ()
        signature, constants, even, ones = {}, {}, [], []
        for place, name in enumerate(self.kernel.arg_names):
            value = values[name]
            if name in named or value is None:
                signature[name], constants[name] = "constexpr", value
                continue
            signature[name] = type_of(value)
            if isinstance(value, torch.Tensor) or (
                isinstance(value, int) and value % 16 == 0 and name not in unspecialized
            ):
                even.append(place)
            if isinstance(value, int) and value == 1 and name not in unspecialized:
                ones.append(place)
        key = json.dumps([signature, constants, even, ones, options])
        self.launches[key] = (signature, constants, even, options)


def type_of(value) -> str:
    if isinstance(value, torch.Tensor):
        return POINTERS[value.dtype]
    return "i32" if isinstance(value, int) else "fp32"


def recorded(precision: str, lengths: Sequence[int] = (30, 40)) -> list[Recorder]:
    """All launches of a decoder, an LSTM and a curve, for rows of these lengths in frames."""
    config = parse_config(OFFICIAL)
    mask, n_rows, frames = PaddingMask(lengths, torch.device("cpu")), len(lengths), max(lengths)
    recorders: list[Recorder] = []

    def recorder(kernel) -> Recorder:
        recorders.append(Recorder(kernel))
        return recorders[-1]

    with replaced(recorder), torch.inference_mode():
        decoder = FusedDecoder(Decoder(config), ARITHMETIC[precision])
        n_samples = frames * config.samples_per_frame
        noise = decoder.noise(range(n_rows), n_samples, torch.device("cpu"))
        curve, style = torch.zeros(n_rows, 2 * frames), torch.zeros(n_rows, config.style_dim)
        aligned = torch.zeros(n_rows, config.hidden_dim, frames)
        decoder(aligned, curve, curve, style, noise, mask)
        lstm = BiLSTM(config.hidden_dim + config.style_dim, config.hidden_dim)
        FusedBiLSTM(lstm)(torch.zeros(n_rows, frames, lstm.input_size), mask)
        blocks = FusedCurveBlocks(
            CurveBlocks(config.hidden_dim, config.style_dim), CURVE_ARITHMETIC[precision]
        )
        blocks(torch.zeros(n_rows, config.hidden_dim, frames), style, mask)
    return recorders


def compiled(kernel, launch, capability: int) -> dict:
    signature, constants, even, options = launch
    names = kernel.arg_names
    source = ASTSource(
        fn=kernel,
        signature=signature,
        constexprs={(names.index(name),): value for name, value in constants.items()},
        attrs={(place,): [["tt.divisibility", 16]] for place in even},
    )
    program = triton.compile(source, target=GPUTarget("cuda", capability, 32), options=options)
    registers, stack = usage(program.asm["cubin"])
    return {
        "kernel": kernel.fn.__name__,
        "constants": constants,
        "registers": registers,
        "spilled_bytes": stack,
        "shared_bytes": program.metadata.shared,
        "products": sorted(set(re.findall(r"wgmma\.mma_async|mma\.sync", program.asm["ptx"]))),
        "copies_ahead": "cp.async" in program.asm["ptx"],
    }


def usage(cubin: bytes) -> tuple[int, int]:
    """Registers of a thread, and bytes of its stack, where registers are spilled."""
    tool = Path(triton.__file__).parent / "backends" / "nvidia" / "bin" / "cuobjdump"
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        Path(file.name).write_bytes(cubin)
        run = subprocess.run([tool, "-res-usage", file.name], capture_output=True, text=True)
    registers, stack = re.search(r"REG:(\d+) STACK:(\d+)", run.stdout).groups()
    return int(registers), int(stack)


def main() -> None:
    precision, *batches = sys.argv[1:]
    if len(batches) > 1 or "," in batches[0]:
        for batch in batches:
            recorders = recorded(precision, [int(n) for n in batch.split(",")])
            programs = {one.kernel.fn.__name__: sorted(one.launches) for one in recorders}
            sys.stdout.write(json.dumps(programs) + "\n")
        return
    capability = int(batches[0])
    for recorder in recorded(precision):
        for launch in recorder.launches.values():
            sys.stdout.write(json.dumps(compiled(recorder.kernel, launch, capability)) + "\n")


if __name__ == "__main__":
    main()
