"""A Piper voice's graph: phonemes in, samples out. Knows no texts and no requests.

    input          [1, n_ids]  int64      ids of the phonemes, with padding between them
    input_lengths  [1]         int64
    scales         [3]         float32    noise, length, noise of the durations
    sid            [1]         int64      the speaker, where there are several
    output         [1, 1, 1, n_samples]   float32, never normalised here: levels are the book's

Source: `piper/train/export_onnx.py` and `piper/voice.py` (piper-tts 1.8.0). The graph is a VITS
(arXiv 2106.06103). It draws noise twice, for the durations and for the sound, which comes from the
request's key here. Its durations, in frames for each id, are the graph's only `Ceil`, as in
`piper/patch_voice_with_alignment.py`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audiomill.renderers.engine.errors import EngineFailed, EngineMissing, WeightsUnfit, first_line
from audiomill.renderers.engine.protocol import Samples
from audiomill.renderers.host.installation import this_installation
from audiomill.renderers.onnx.reading import read_onnx
from audiomill.renderers.onnx.sessions import RunFailed, SeededModel
from audiomill.renderers.onnx.stages import GraphUnfit
from audiomill.renderers.piper.voice_files import PiperVoiceFile
from audiomill.renderers.piper.words import PhonemeIds, phoneme_ids

INPUTS = ("input", "input_lengths", "scales")


@dataclass(frozen=True, slots=True)
class PiperScales:
    """How much noise, and how slowly: the model's three scales."""

    noise: float
    length: float  # 2 is half as fast
    noise_w: float


@dataclass(frozen=True, slots=True)
class PiperSpeech:
    """What the model says for one sentence, at its own rate."""

    samples: Samples
    durations: tuple[int, ...] | None  # of each id, in samples; None if the graph does not tell


class PiperModel:
    """A voice, loaded. Any thread may use it, and several at the same time."""

    def __init__(self, file: PiperVoiceFile) -> None:
        """Raises EngineMissing, WeightsUnfit."""
        self._file = file
        self._id_map: dict[str, list[int]] = json.loads(file.config.read_text("utf-8"))[
            "phoneme_id_map"
        ]
        self._model, self._tells_durations = _load(file)

    def ids(self, phonemes: tuple[str, ...]) -> PhonemeIds:
        """The ids of a sentence; phonemes that the voice does not have are left out."""
        return phoneme_ids(phonemes, self._id_map)

    def speak(
        self, ids: PhonemeIds, scales: PiperScales, speaker: int | None, seed: int
    ) -> PiperSpeech:
        """The sound of a sentence. Raises EngineFailed."""
        inputs: dict[str, NDArray[Any]] = {
            "input": np.array([ids.ids], np.int64),
            "input_lengths": np.array([len(ids.ids)], np.int64),
            "scales": np.array([scales.noise, scales.length, scales.noise_w], np.float32),
        }
        if speaker is not None:
            inputs["sid"] = np.array([speaker], np.int64)
        try:
            audio, *frames = self._model.run(inputs, seed)
        except RunFailed as error:
            raise EngineFailed(f"The Piper voice {self._file.name} failed: {error}") from error
        samples = np.ascontiguousarray(audio, np.float32).reshape(-1)
        if not np.isfinite(samples).all():
            raise EngineFailed(
                f"The Piper voice {self._file.name} gave samples that are not numbers. Its file may"
                " be damaged: download it again."
            )
        return PiperSpeech(samples, self._durations(frames, ids, samples.size))

    def _durations(
        self, frames: list[NDArray[Any]], ids: PhonemeIds, n_samples: int
    ) -> tuple[int, ...] | None:
        """The durations in samples; None if they are not those of the ids and of the audio."""
        if not self._tells_durations:
            return None
        durations = frames[0].reshape(-1).astype(np.int64) * self._file.hop_length
        is_whole = durations.size == len(ids.ids) and int(durations.sum()) == n_samples
        return tuple(map(int, durations)) if is_whole else None


def _load(file: PiperVoiceFile) -> tuple[SeededModel, bool]:
    """The model, and whether it tells durations. Raises EngineMissing, WeightsUnfit."""
    try:
        import_module("onnxruntime")
    except ImportError as error:
        raise EngineMissing(
            f"Piper cannot be loaded: {first_line(error)}. {this_installation().hint('piper')}"
        ) from error
    graph = read_onnx(file.model)
    _check_inputs(file, tuple(one.name for one in graph.inputs))
    ceils = [node.outputs[0] for node in graph.nodes if node.op == "Ceil"]
    durations = ceils if len(ceils) == 1 else []
    outputs = [one.name for one in graph.outputs[:1]]
    try:
        return SeededModel(graph, [*outputs, *durations]), bool(durations)
    except GraphUnfit as error:
        raise WeightsUnfit(
            f"{file.model} is not the graph of a Piper voice: {first_line(error)}. Download the"
            " voice again."
        ) from error


def _check_inputs(file: PiperVoiceFile, names: tuple[str, ...]) -> None:
    """Raise WeightsUnfit unless the graph has the inputs of this voice."""
    expected = {*INPUTS, "sid"} if file.speakers else {*INPUTS}
    if {*names} != expected:
        raise WeightsUnfit(
            f"{file.model} is not the graph of this voice: its inputs are"
            f" {', '.join(names) or 'none'}, not {', '.join(sorted(expected))}. Download both"
            " files of the voice again."
        )
