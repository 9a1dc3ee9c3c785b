"""The models and rows of the stages: of full size on a GPU, tiny ones on a CPU."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import torch

from audiomill.flows.bench.corpus import prepared_corpus
from audiomill.renderers.engine.protocol import Request
from audiomill.renderers.kokoro.bench_model import PREPARED
from audiomill.renderers.kokoro.gpu.decoder import FusedDecoder
from audiomill.renderers.kokoro.gpu.self_test import (
    ARITHMETIC,
    decoder_distance,
    other_parts,
    part_differences,
)
from audiomill.renderers.kokoro.inference.batching import (
    OVERHEAD_FRAMES,
    OVERHEAD_LSTM,
    PackedBatches,
    PaddedBatches,
)
from audiomill.renderers.kokoro.inference.runner import (
    LSTM_PLACES,
    BatchedStage,
    Row,
    Runner,
    row_of,
)
from audiomill.renderers.kokoro.inference.streams import TorchThreadPool
from audiomill.renderers.kokoro.loading import ready_device
from audiomill.renderers.kokoro.model.config import read_config
from audiomill.renderers.kokoro.model.model import EncodedText, Kokoro, Prosody
from audiomill.renderers.kokoro.model.precision import Precision
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.weights.checkpoint import load_model
from audiomill.renderers.kokoro.weights.random_weights import write_random_model
from benchmarks.gpu.clock import wait_for
from benchmarks.gpu.stages import VOICE, WEIGHTS_FILE, StageRun
from support.kokoro_plain import plain_kernels
from support.kokoro_tiny import tiny_model, tiny_utterances

DRY_LENGTHS = (9, 17, 5, 30)  # phonemes of the rows of a dry run
# Frames of a batch of the decoder: about as many as a render has on a large GPU.
BATCH_FRAMES, DRY_BATCH_FRAMES = 16384, 64
ROWS_OF_A_CALL = 256  # as many as a render gives the engine at a time


@dataclass(frozen=True, slots=True)
class FastModel:
    """A model with the fused parts of a precision, and what building them has shown."""

    model: Kokoro
    figures: Mapping[str, float]


def weights_folder(run: StageRun) -> Path:
    """Kokoro's files: the named ones, else random ones of the official size, made once."""
    if run.weights:
        return run.weights
    folder = run.work / "weights"
    if not (folder / WEIGHTS_FILE).exists():
        write_random_model(folder, [VOICE], weights_file=WEIGHTS_FILE)
    return folder


def plain_model(run: StageRun, precision: Precision) -> Kokoro:
    """The model as PyTorch computes it, on the device, with its products in a precision."""
    if not run.is_gpu:
        return deepcopy(tiny_model(torch.float32))
    folder = weights_folder(run)
    config = read_config(folder / "config.json")
    in_pytorch = "float32" if precision == "float32" else "tf32"
    device = ready_device(KokoroOptions(device=run.device, precision=in_pytorch))
    return load_model(folder / WEIGHTS_FILE, config).to(device)


def fast_model(run: StageRun, precision: Precision) -> FastModel:
    """The model as a render has it in a precision, whether or not the self-test would keep it."""
    model = plain_model(run, precision)
    if precision == "float32":
        return FastModel(model, {})
    begun_s = time.perf_counter()
    decoder = FusedDecoder(model.decoder, ARITHMETIC[precision])
    # Triton interprets the LSTMs' kernels, which would take minutes on a dry run.
    others = other_parts(model, precision) if run.is_gpu else {}
    parts = {"decoder": decoder, **others}
    found = decoder_distance(model.decoder, decoder, model)
    differences = part_differences(model, parts) if others else {}
    wait_for(model.device)
    figures = {
        "self_test_db": found.log_mel_db,
        "built_and_compiled_s": time.perf_counter() - begun_s,
        **{f"difference_{name}": value for name, value in differences.items()},
    }
    for name, part in parts.items():
        model.set_submodule(name, part)
    return FastModel(model, figures)


@contextmanager
def kernels(run: StageRun) -> Generator[None]:
    """On a CPU, plain PyTorch in place of the kernels, whose interpreter is slow."""
    with nullcontext() if run.is_gpu else plain_kernels():
        yield


def runner_of(run: StageRun, model: Kokoro, batch_frames: int) -> Runner:
    """The runner of a render. On a dry run one thread: Triton's interpreter bears no more."""
    return Runner(model, batch_frames, None if run.is_gpu else TorchThreadPool(1))


def rows_of(run: StageRun, model: Kokoro) -> list[Row]:
    """The rows of the benchmark's corpus: 10,000 words, some 70 minutes."""
    if not run.is_gpu:
        return [Row(one, seed) for seed, one in enumerate(tiny_utterances(DRY_LENGTHS))]
    pack = voice_pack(run)
    lines = prepared_corpus(PREPARED).lines("planned")
    return [
        row_of(line.text, pack, model.config, Request(str(number), line.text, VOICE, 1.0))
        for number, line in enumerate(lines)
    ]


def voice_pack(run: StageRun) -> torch.Tensor:
    """The voice's styles, (510, 1, 256)."""
    path = weights_folder(run) / "voices" / f"{VOICE}.pt"
    return torch.load(path, weights_only=True, map_location="cpu")


class Stepwise:
    """The three steps of a synthesis, each by itself, in the batches of a runner."""

    def __init__(self, model: Kokoro, batch_frames: int) -> None:
        self._model = model
        places = LSTM_PLACES * batch_frames
        self._encoding, self._prosody = (
            BatchedStage(model.device, places, PaddedBatches(OVERHEAD_LSTM), map) for _ in range(2)
        )
        packs = model.decoder.is_packed
        policy = PackedBatches() if packs else PaddedBatches(OVERHEAD_FRAMES)
        self._decoding = BatchedStage(model.device, batch_frames, policy, map)

    def encode(self, rows: Sequence[Row]) -> list[EncodedText]:
        """Phonemes to vectors and durations."""
        return self._encoding.run(
            [len(row.utterance.tokens) for row in rows],
            lambda batch: self._model.encode_text([rows[index].utterance for index in batch]),
        )

    def prosody(self, texts: Sequence[EncodedText]) -> list[Prosody]:
        """Vectors to F0 and energy."""
        return self._prosody.run(
            [text.n_frames for text in texts],
            lambda batch: self._model.predict_prosody([texts[index] for index in batch]),
        )

    def decode(self, rows: Sequence[Prosody]) -> list[torch.Tensor]:
        """F0 and energy to audio, on the device."""
        return self._decoding.run(
            [row.text.n_frames for row in rows],
            lambda batch: list(decoded(self._model, [rows[index] for index in batch])),
        )


def decoded(model: Kokoro, rows: Sequence[Prosody]) -> torch.Tensor:
    """One batch decoded, with its noise: (B, samples of the longest row)."""
    n_samples = max(row.text.n_frames for row in rows) * model.config.samples_per_frame
    noise = model.decoder.noise(list(range(len(rows))), n_samples, model.device)
    return model.decode(rows, noise)


def batch_frames(run: StageRun) -> int:
    """Frames of a batch of the decoder."""
    return BATCH_FRAMES if run.is_gpu else DRY_BATCH_FRAMES


def one_batch(model: Kokoro, rows: Sequence[Row], n_frames: int) -> list[Prosody]:
    """Rows, repeated, that fill one batch of the decoder with about so many frames."""
    steps = Stepwise(model, n_frames)
    pool = steps.prosody(steps.encode(rows[:64]))
    batch: list[Prosody] = []
    while sum(row.text.n_frames for row in batch) < n_frames:
        batch.append(pool[len(batch) % len(pool)])
    return batch


def frames_of(rows: Sequence[Prosody]) -> int:
    """Frames of all rows."""
    return sum(row.text.n_frames for row in rows)


def precisions(run: StageRun) -> Sequence[Precision]:
    """The precisions to measure, the fastest first."""
    return ("fp16", "bf16", "tf32", "float32") if run.is_gpu else ("fp16", "float32")
