"""Chatterbox Turbo: `ChatterboxTurboTTS`. One text at a time; recordings of more than 5 s.

Source: chatterbox/tts_turbo.py (chatterbox-tts 0.1.7).
"""

from pathlib import Path

from audiomill_worker import seed_all
from chatterbox.tts_turbo import ChatterboxTurboTTS, Conditionals


class TurboEngine:
    clones = True

    def __init__(self, model, device, settings):
        self.settings = settings
        self.tts = ChatterboxTurboTTS.from_local(Path(model), device)
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
        self.tts.conds = Conditionals(kept.t3, kept.gen)
        seed_all(row.seed)
        return self.tts.generate(
            row.text,
            temperature=chosen["temperature"],
            top_p=chosen["top_p"],
            top_k=chosen["top_k"],
        )


def load(model, device, settings):
    return TurboEngine(model, device, settings)
