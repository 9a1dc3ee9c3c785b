"""CosyVoice 1, 2 and 3: `AutoModel`. One text at a time, by speakers or from a recording.

Source: cosyvoice/cli/cosyvoice.py of github.com/FunAudioLLM/CosyVoice (ace7c47).
"""

import torch
from audiomill_worker import load_wav, seed_all
from cosyvoice.cli.cosyvoice import AutoModel
from cosyvoice.utils import file_utils

file_utils.torchaudio.load = load_wav

# CosyVoice 3 has been trained with this before each prompt.
PREFIX = "You are a helpful assistant."
END = "<|endofprompt|>"


class CosyVoiceEngine:
    clones = True
    languages = ("zh", "en", "ja", "ko")

    def __init__(self, model, device, settings):
        self.settings = settings
        self.tts = AutoModel(model_dir=model)
        # Its rules for numbers are there only if they could be downloaded just now, or it reads
        # without them: so a text would sound otherwise on another day.
        self.tts.frontend.text_frontend = ""
        self.is_third = type(self.tts).__name__ == "CosyVoice3"
        self.sample_rate = int(self.tts.sample_rate)
        names = self.tts.list_available_spks()
        self.voices = [{"name": name, "language": "mul"} for name in names]

    def speak(self, rows):
        return [self.speak_one(row) for row in rows]

    def speak_one(self, row):
        seed_all(row.seed)
        parts = [part["tts_speech"] for part in self.parts(row)]
        return torch.cat(parts, dim=1)

    def parts(self, row):
        options = {"stream": False, "speed": row.speed}
        if not row.audio:
            return self.tts.inference_sft(row.text, row.voice, **options)
        told_how = {**self.settings, **row.settings}["instruct"]
        prefix = f"{PREFIX}{END}" if self.is_third else ""
        if told_how:
            told = f"{PREFIX} " if self.is_third else ""
            instruct = f"{told}{told_how}{END}"
            return self.tts.inference_instruct2(row.text, instruct, row.audio, **options)
        if row.audio_text:
            text = f"{prefix}{row.audio_text}"
            return self.tts.inference_zero_shot(row.text, text, row.audio, **options)
        return self.tts.inference_cross_lingual(f"{prefix}{row.text}", row.audio, **options)


def load(model, device, settings):
    return CosyVoiceEngine(model, device, settings)
