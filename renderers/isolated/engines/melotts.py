"""MeloTTS: `TTS` of melo. One text at a time, with its speakers.

Source: melo/api.py of github.com/myshell-ai/MeloTTS (2091453).
"""

from pathlib import Path

import torch
from melo import utils
from melo.api import TTS

TAGS = {"EN": "en", "ES": "es", "FR": "fr", "ZH": "zh", "JP": "ja", "KR": "ko"}

# The package's own, which api.py finds in this module.
text_of = utils.get_text_for_tts_infer


def text_without_noise(*words, **named):
    """The same, without a draw: the first text has the text model made, whose weights are drawn."""
    with torch.random.fork_rng(devices=[]):
        return text_of(*words, **named)


utils.get_text_for_tts_infer = text_without_noise


class MeloEngine:
    def __init__(self, model, device, settings):
        self.settings = settings
        language = settings["language"]
        self.tts = TTS(
            language=language,
            device=device,
            config_path=str(Path(model) / "config.json"),
            ckpt_path=str(Path(model) / "checkpoint.pth"),
        )
        self.sample_rate = int(self.tts.hps.data.sampling_rate)
        self.speakers = dict(self.tts.hps.data.spk2id.items())
        tag = TAGS.get(language.partition("_")[0], "mul")
        self.voices = [{"name": name, "language": tag} for name in self.speakers]

    def speak(self, rows):
        return [
            self.tts.tts_to_file(
                row.text,
                self.speakers[row.voice],
                None,
                sdp_ratio=self.settings["sdp_ratio"],
                noise_scale=self.settings["noise_scale"],
                speed=row.speed,
                quiet=True,
            )
            for row in rows
        ]


def load(model, device, settings):
    return MeloEngine(model, device, settings)
