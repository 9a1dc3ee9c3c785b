"""Fish S2: `TTSInferenceEngine`. One text at a time; without a recording, another voice each time.

Source: fish_speech/inference_engine and tools/server/model_manager.py of
github.com/fishaudio/fish-speech (3dd1f85).
"""

import queue
import threading
from pathlib import Path

import torch
from audiomill_worker import load_wav
from fish_speech.inference_engine import TTSInferenceEngine, reference_loader
from fish_speech.models.dac.inference import load_model
from fish_speech.models.text2semantic.inference import launch_thread_safe_queue
from fish_speech.utils.schema import ServeReferenceAudio, ServeTTSRequest

reference_loader.torchaudio.load = load_wav

PRECISION = torch.bfloat16


class FishEngine:
    clones = True

    def __init__(self, model, device, settings):
        self.settings = settings
        self.tts = TTSInferenceEngine(
            llama_queue=launched(model, device),
            decoder_model=load_model("modded_dac_vq", str(Path(model) / "codec.pth"), device),
            precision=PRECISION,
            compile=False,
        )
        decoder = self.tts.decoder_model
        described = getattr(decoder, "spec_transform", decoder)
        self.sample_rate = int(described.sample_rate)
        self.voices = [
            {"name": "any", "language": "mul", "description": "another voice for each text"}
        ]
        self.words = {}  # of each recording that the package has heard

    def speak(self, rows):
        return [self.speak_one(row) for row in rows]

    def speak_one(self, row):
        chosen = {**self.settings, **row.settings}
        request = ServeTTSRequest(
            text=row.text,
            references=[self.reference(row)] if row.audio else [],
            seed=row.seed,
            use_memory_cache="on",
            temperature=chosen["temperature"],
            top_p=chosen["top_p"],
        )
        for result in self.tts.inference(request):
            if result.code == "error":
                raise result.error
            if result.code == "final":
                return result.audio[1]
        raise RuntimeError("it has ended without audio")

    def reference(self, row):
        """The recording. The package knows it by its sound, and would keep the words it had."""
        audio = Path(row.audio).read_bytes()
        if self.words.setdefault(audio, row.audio_text) != row.audio_text:
            self.tts.ref_by_hash.clear()
            self.words = {audio: row.audio_text}
        return ServeReferenceAudio(audio=audio, text=row.audio_text)


def launched(model, device):
    """The queue of the thread that has the language model.

    The package waits for ever for a thread whose model cannot be loaded.
    """
    ends = queue.SimpleQueue()
    before, threading.excepthook = threading.excepthook, lambda told: ends.put(told.exc_value)

    def launch():
        ends.put(launch_thread_safe_queue(model, device, PRECISION))

    threading.Thread(target=launch, daemon=True).start()
    end = ends.get()
    threading.excepthook = before
    if isinstance(end, BaseException):
        raise end
    return end


def load(model, device, settings):
    return FishEngine(model, device, settings)
