"""Chatterbox: `ChatterboxTTS`. One text at a time; a watermark is in all of its audio.

Source: chatterbox/tts.py (chatterbox-tts 0.1.7).
"""

from pathlib import Path

from audiomill_worker import seed_all
from chatterbox.tts import ChatterboxTTS, Conditionals


class ChatterboxEngine:
    clones = True

    def __init__(self, model, device, settings):
        self.settings = settings
        self.tts = ChatterboxTTS.from_local(Path(model), device)
        self.sample_rate = self.tts.sr
        self.voices = [{"name": "default", "language": "en"}] if self.tts.conds else []
        self.conditions = {"": self.tts.conds}  # of the voice of its own, and of each recording

    def speak(self, rows):
        return [self.speak_one(row) for row in rows]

    def speak_one(self, row):
        chosen = {**self.settings, **row.settings}
        if row.audio not in self.conditions:
            self.tts.prepare_conditionals(row.audio)
            self.conditions[row.audio] = self.tts.conds
        kept = self.conditions[row.audio]
        # `generate` changes what it is given, and what was prepared now may have drawn numbers.
        self.tts.conds = Conditionals(kept.t3, kept.gen)
        seed_all(row.seed)
        return self.tts.generate(
            row.text,
            exaggeration=chosen["exaggeration"],
            cfg_weight=chosen["cfg_weight"],
            temperature=chosen["temperature"],
        )


def load(model, device, settings):
    return ChatterboxEngine(model, device, settings)
