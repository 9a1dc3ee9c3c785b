"""Files of random weights in the layout of the published ONNX files of Kokoro.

    kokoro-v1.0.onnx       the graph of upstream's export script: `input_ids`, `style`, a whole
                           `speed`; `waveform`, `duration`; its config.json among the metadata
    earlier/kokoro-v1.0.onnx   as the first release was: `tokens`, `style`, `speed`; only `audio`
    kokoro-v1.0.fp16.onnx, kokoro-v1.0.int8.onnx, voices-v1.0.bin

An export takes ten seconds and needs PyTorch, so it is done in a process of its own, and kept in
`build/` for the same code and packages.
"""

import json
import subprocess
import sys
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from audiomill.renderers.kokoro.onnx_renderer import KokoroOnnxRenderer
from audiomill.renderers.kokoro.options import KokoroOnnxOptions
from support.paths import ROOT

VOICES = ("af_heart", "bf_emma", "bm_george", "ff_siwis")
EARLIER = {"input_ids": "tokens", "waveform": "audio"}


# What the files depend on.
SOURCES = (
    "renderers/kokoro/model/config.py",
    "renderers/kokoro/model/*.py",
    "renderers/kokoro/weights/*.py",
    "tests/benchmarks/rivals/onnx.py",
    "tests/benchmarks/rivals/upstream.py",
    "tests/support/kokoro_[ort]*.py",
    "tests/support/kokoro_sizes.toml",
)
PACKAGES = ("kokoro", "numpy", "onnx", "onnxruntime", "torch")


@cache
def onnx_folder() -> Path:
    """A folder with all files, which is only read."""
    kept = ROOT / "build" / "kokoro-onnx" / _digest()
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=kept.parent) as made:
            subprocess.run(
                [sys.executable, "-m", "support.kokoro_onnx_files", made],
                check=True,
                cwd=ROOT / "tests",
            )
            with suppress(OSError):  # another process was first
                Path(made).rename(kept)
    return kept


def open_onnx(**options) -> KokoroOnnxRenderer:
    """The engine `kokoro-onnx` with these files."""
    usual = {"model": onnx_folder(), "workers": 0, "threads": 2}
    return KokoroOnnxRenderer(KokoroOnnxOptions(**usual | options))


def _digest() -> str:
    files = sorted(path for pattern in SOURCES for path in ROOT.glob(pattern))
    made_by = [*(path.read_bytes() for path in files), *map(version, PACKAGES)]
    return sha256(repr(made_by).encode()).hexdigest()[:16]


def write_files(folder: Path) -> None:
    import torch

    from audiomill.renderers.kokoro.options import KokoroOptions
    from audiomill.renderers.kokoro.weights.random_weights import write_random_model
    from benchmarks.rivals.onnx import export_kmodel, halve, quantise, write_voices
    from support.kokoro_reference import CONFIGS, built, upstream

    with built("narrow"):
        write_random_model(folder / "pt", VOICES, config=CONFIGS["narrow"])
    model = folder / "kokoro-v1.0.onnx"
    kmodel = upstream("narrow", torch.float32, folder / "pt", disable_complex=True)
    names = ("input_ids", "style", "speed", "waveform", "duration")
    export_kmodel(kmodel, model, names=names, speed=torch.ones(1, dtype=torch.int32))
    write_voices(KokoroOptions(weights=folder / "pt"), folder / "voices-v1.0.bin")
    _describe(model, CONFIGS["narrow"])
    halve(model, folder / "kokoro-v1.0.fp16.onnx")
    quantise(model, folder / "kokoro-v1.0.int8.onnx")
    _write_earlier(model, folder / "earlier")


def _describe(path: Path, config: dict) -> None:
    import onnx

    model = onnx.load(path)
    onnx.helper.set_model_props(model, {"kokoro_config": json.dumps(config)})
    onnx.save(model, path)


def _write_earlier(path: Path, folder: Path) -> None:
    import onnx

    folder.mkdir()
    (folder / "voices-v1.0.bin").write_bytes((path.parent / "voices-v1.0.bin").read_bytes())
    model = onnx.load(path)
    graph = model.graph
    del model.metadata_props[:]
    del graph.output[1:]
    for value in (*graph.input, *graph.output):
        value.name = EARLIER.get(value.name, value.name)
        if value.name == "speed":
            value.type.tensor_type.elem_type = onnx.TensorProto.FLOAT
    for node in graph.node:
        for names in (node.input, node.output):
            names[:] = [EARLIER.get(name, name) for name in names]
    onnx.save(model, folder / path.name)


if __name__ == "__main__":
    write_files(Path(sys.argv[1]))
