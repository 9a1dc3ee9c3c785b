"""VITS of transformers: `VitsModel`, for example facebook/mms-tts-eng. One text at a time.

Sources: transformers/models/vits/modeling_vits.py and tokenization_vits.py (5.24.0).
"""

import torch
from transformers import AutoTokenizer, VitsModel

UNSPOKEN_S = 0.05  # for a text of which the tokenizer knows no character


class VitsEngine:
    def __init__(self, model, device, settings):
        self.tokenizer = AutoTokenizer.from_pretrained(model)
        self.model = VitsModel.from_pretrained(model).to(device).eval()
        self.model.noise_scale = settings["noise_scale"]
        self.model.noise_scale_duration = settings["noise_scale_duration"]
        self.sample_rate = self.model.config.sampling_rate
        n_speakers = self.model.config.num_speakers
        names = [str(n) for n in range(n_speakers)] if n_speakers > 1 else ["default"]
        self.voices = [{"name": name, "language": settings["language"]} for name in names]

    def speak(self, rows):
        return [self.speak_one(row) for row in rows]

    def speak_one(self, row):
        tokens = self.tokenizer(text=row.text, return_tensors="pt").to(self.model.device)
        if tokens["input_ids"].shape[-1] == 0:
            return [0.0] * round(UNSPOKEN_S * self.sample_rate)
        speaker = None if row.voice == "default" else int(row.voice)
        with torch.no_grad():
            spoken = self.model(**tokens, speaker_id=speaker, speaking_rate=row.speed)
        return spoken.waveform[0, : int(spoken.sequence_lengths[0])]


def load(model, device, settings):
    return VitsEngine(model, device, settings)
