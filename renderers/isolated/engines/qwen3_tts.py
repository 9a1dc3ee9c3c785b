"""Qwen3-TTS: `Qwen3TTSModel`, with lists of texts. CustomVoice, VoiceDesign and Base models.

Source: qwen_tts/inference/qwen3_tts_model.py (qwen-tts 0.1.1).
"""

import torch
from audiomill_worker import own_noise, seed_all
from qwen_tts import Qwen3TTSModel

LANGUAGES = {
    "zh": "chinese", "en": "english", "ja": "japanese", "ko": "korean", "de": "german",
    "fr": "french", "ru": "russian", "pt": "portuguese", "es": "spanish", "it": "italian",
}  # fmt: skip
DESIGNED = "designed"
FRAMES_PER_S = 12.5


class QwenEngine:
    rows_per_call = 64

    def __init__(self, model, device, settings):
        self.settings = settings
        self.tts = Qwen3TTSModel.from_pretrained(
            model, device_map=device, dtype=dtype_for(settings["dtype"], device)
        )
        self.kind = self.tts.model.tts_model_type
        self.sample_rate = int(self.tts.model.speech_tokenizer.get_output_sample_rate())
        known = {str(name).lower() for name in self.tts.model.get_supported_languages() or ()}
        self.languages = [tag for tag, name in LANGUAGES.items() if name in known]
        self.clones = self.kind == "base"
        self.prompts = {}
        names = {
            "custom_voice": sorted(self.tts.model.get_supported_speakers() or ()),
            "voice_design": [DESIGNED],
        }.get(self.kind, [])
        self.voices = [{"name": str(name), "language": "mul"} for name in names]

    def speak(self, rows):
        chosen = {**self.settings, **rows[0].settings}
        options = {
            "text": [row.text for row in rows],
            "language": [LANGUAGES.get(row.language.partition("-")[0], "Auto") for row in rows],
            "temperature": chosen["temperature"],
            "top_k": chosen["top_k"],
            "subtalker_temperature": chosen["temperature"],
            "subtalker_top_k": chosen["top_k"],
            # The same for all: another limit for each batch would be another sound of what runs on.
            "max_new_tokens": round(self.settings["max_audio_s"] * FRAMES_PER_S),
        }
        if self.kind == "base":
            options["voice_clone_prompt"] = [self.prompt(row) for row in rows]
            seed_all(rows[0].seed)
            speak = self.tts.generate_voice_clone
        elif self.kind == "voice_design":
            options["instruct"] = [self.settings["instruct"]] * len(rows)
            speak = self.tts.generate_voice_design
        else:
            options["speaker"] = [row.voice for row in rows]
            options["instruct"] = [self.settings["instruct"]] * len(rows)
            speak = self.tts.generate_custom_voice
        with own_noise(rows):
            return speak(**options)[0]

    def prompt(self, row):
        """What the model makes of a recording, once for each."""
        key = (row.audio, row.audio_text)
        if key not in self.prompts:
            (self.prompts[key],) = self.tts.create_voice_clone_prompt(
                ref_audio=row.audio,
                ref_text=row.audio_text or None,
                x_vector_only_mode=not row.audio_text,
            )
        return self.prompts[key]


def dtype_for(name, device):
    if name != "auto":
        return getattr(torch, name)
    return torch.bfloat16 if device == "cuda" else torch.float32


def load(model, device, settings):
    return QwenEngine(model, device, settings)
