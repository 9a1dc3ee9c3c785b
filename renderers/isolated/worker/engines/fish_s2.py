"""Fish S2: `TTSInferenceEngine`. One text at a time; without a recording, another voice each time.

Source: fish_speech/inference_engine and tools/server/model_manager.py of
github.com/fishaudio/fish-speech (3dd1f85).
"""

from pathlib import Path

import torch
from fish_speech.inference_engine import TTSInferenceEngine
from fish_speech.models.dac.inference import load_model
from fish_speech.models.text2semantic.inference import launch_thread_safe_queue
from fish_speech.utils.schema import ServeReferenceAudio, ServeTTSRequest


class FishEngine:
    clones = True

    def __init__(self, model, device, settings):
        self.settings = settings
        precision = torch.bfloat16
        self.tts = TTSInferenceEngine(
            llama_queue=launch_thread_safe_queue(model, device, precision),
            decoder_model=load_model("modded_dac_vq", str(Path(model) / "codec.pth"), device),
            precision=precision,
            compile=False,
        )
        decoder = self.tts.decoder_model
        described = getattr(decoder, "spec_transform", decoder)
        self.sample_rate = int(described.sample_rate)
        self.voices = [
            {"name": "any", "language": "mul", "description": "another voice for each text"}
        ]

    def speak(self, rows):
        return [self.speak_one(row) for row in rows]

    def speak_one(self, row):
        chosen = {**self.settings, **row.settings}
        references = []
        if row.audio:
            audio = Path(row.audio).read_bytes()
            references = [ServeReferenceAudio(audio=audio, text=row.audio_text)]
        request = ServeTTSRequest(
            text=row.text,
            references=references,
            seed=row.seed,
            use_memory_cache="on",
            temperature=chosen["temperature"],
            top_p=chosen["top_p"],
            repetition_penalty=chosen["repetition_penalty"],
        )
        for result in self.tts.inference(request):
            if result.code == "error":
                raise result.error
            if result.code == "final":
                return result.audio[1]
        raise RuntimeError("it has ended without audio")


def load(model, device, settings):
    return FishEngine(model, device, settings)
