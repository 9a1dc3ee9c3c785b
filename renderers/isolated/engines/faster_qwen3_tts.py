"""Qwen3-TTS with CUDA graphs: `FasterQwen3TTS`. One text at a time, on a GPU only.

Source: faster_qwen3_tts/model.py (faster-qwen3-tts 0.5.4).
"""

import torch
from faster_qwen3_tts import FasterQwen3TTS

LANGUAGES = {
    "zh": "chinese", "en": "english", "ja": "japanese", "ko": "korean", "de": "german",
    "fr": "french", "ru": "russian", "pt": "portuguese", "es": "spanish", "it": "italian",
}  # fmt: skip


class FasterQwenEngine:
    def __init__(self, model, device, settings):
        self.settings = settings
        self.tts = FasterQwen3TTS.from_pretrained(model, device=device, dtype=torch.bfloat16)
        self.tts.warmup()  # else the first text does it, and that draws numbers
        inner = self.tts.model.model
        self.kind = inner.tts_model_type
        self.sample_rate = int(self.tts.sample_rate)
        known = {str(name).lower() for name in inner.get_supported_languages() or ()}
        self.languages = [tag for tag, name in LANGUAGES.items() if name in known]
        self.clones = self.kind == "base"
        names = sorted(inner.get_supported_speakers() or ()) if self.kind == "custom_voice" else []
        self.voices = [{"name": str(name), "language": "mul"} for name in names]

    def speak(self, rows):
        return [self.speak_one(row) for row in rows]

    def speak_one(self, row):
        chosen = {**self.settings, **row.settings}
        options = {
            "text": row.text,
            "language": LANGUAGES.get(row.language.partition("-")[0], "Auto"),
            "temperature": chosen["temperature"],
            "top_k": chosen["top_k"],
        }
        if self.kind == "base":
            spoken, _ = self.tts.generate_voice_clone(
                **options,
                ref_audio=row.audio,
                ref_text=row.audio_text,
                xvec_only=not row.audio_text,
            )
        else:
            spoken, _ = self.tts.generate_custom_voice(
                **options, speaker=row.voice, instruct=self.settings["instruct"] or None
            )
        return spoken[0]


def load(model, device, settings):
    return FasterQwenEngine(model, device, settings)
