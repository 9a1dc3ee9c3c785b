"""CSM of transformers: `CsmForConditionalGeneration`, for example sesame/csm-1b.

Without a recording, a speaker's number only says that it is the same one within a conversation:
each text gets another voice. A recording and its text are the turn before.

Sources: transformers/models/csm/generation_csm.py and processing_csm.py (5.24.0).
"""

import soundfile
import torch
from audiomill_worker import own_noise
from transformers import AutoProcessor, CsmForConditionalGeneration

FRAMES_PER_S = 12.5
CLONED = "0"


class CsmEngine:
    clones = True
    rows_per_call = 64

    def __init__(self, model, device, settings):
        self.settings = settings
        self.processor = AutoProcessor.from_pretrained(model)
        self.model = CsmForConditionalGeneration.from_pretrained(
            model, dtype=dtype_for(settings["dtype"], device)
        )
        self.model.to(device).eval()
        self.sample_rate = self.processor.feature_extractor.sampling_rate
        self.voices = [
            {"name": str(n), "language": "en", "description": "another voice for each text"}
            for n in range(2)
        ]

    def speak(self, rows):
        temperature = {**self.settings, **rows[0].settings}["temperature"]
        inputs = self.processor.apply_chat_template(
            [self.turns(row) for row in rows], tokenize=True, return_dict=True
        ).to(self.model.device)
        if "input_values" in inputs:
            inputs["input_values"] = inputs["input_values"].to(self.model.dtype)
        with torch.no_grad(), own_noise(rows):
            return self.model.generate(
                **inputs,
                output_audio=True,
                do_sample=True,
                temperature=temperature,
                depth_decoder_do_sample=True,
                depth_decoder_temperature=temperature,
                max_new_tokens=round(self.settings["max_audio_s"] * FRAMES_PER_S),
            )

    def turns(self, row):
        """The conversation whose last turn is to be spoken."""
        said = {"role": row.voice or CLONED, "content": [{"type": "text", "text": row.text}]}
        if not row.audio:
            return [said]
        samples, rate = soundfile.read(row.audio, dtype="float32", always_2d=True)
        samples = resampled(samples.mean(axis=1), rate, self.sample_rate)
        heard = [{"type": "text", "text": row.audio_text}, {"type": "audio", "path": samples}]
        return [{"role": CLONED, "content": heard}, said]


def resampled(samples, rate, wanted):
    if rate == wanted:
        return samples
    length = round(len(samples) * wanted / rate)
    # Band-limited by the spectrum: no other package is needed for a short recording.
    spectrum = torch.fft.rfft(torch.from_numpy(samples))
    return (torch.fft.irfft(spectrum[: length // 2 + 1], length) * (wanted / rate)).numpy()


def dtype_for(name, device):
    if name != "auto":
        return getattr(torch, name)
    return torch.bfloat16 if device == "cuda" else torch.float32


def load(model, device, settings):
    return CsmEngine(model, device, settings)
