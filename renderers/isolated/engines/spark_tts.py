"""Spark-TTS: `SparkTTS`. One text at a time, by gender or from a recording.

Source: cli/SparkTTS.py of github.com/SparkAudio/Spark-TTS (2f1ea90).
"""

from pathlib import Path

import torch
from cli.SparkTTS import SparkTTS


class SparkEngine:
    clones = True

    def __init__(self, model, device, settings):
        self.settings = settings
        self.tts = SparkTTS(Path(model), torch.device(device))
        self.sample_rate = int(self.tts.sample_rate)
        self.languages = ["en", "zh"]
        self.voices = [
            {
                "name": gender,
                "language": "mul",
                "gender": gender,
                "description": "another voice for each text",
            }
            for gender in ("female", "male")
        ]

    def speak(self, rows):
        return [self.speak_one(row) for row in rows]

    def speak_one(self, row):
        chosen = {**self.settings, **row.settings}
        options = {name: chosen[name] for name in ("temperature", "top_p", "top_k")}
        if row.audio:
            return self.tts.inference(row.text, Path(row.audio), row.audio_text or None, **options)
        return self.tts.inference(
            row.text, gender=row.voice, pitch="moderate", speed=self.settings["pace"], **options
        )


def load(model, device, settings):
    return SparkEngine(model, device, settings)
