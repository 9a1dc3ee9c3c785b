"""XTTS v2 of coqui-tts: `Xtts`. One text at a time, with its speakers or from a recording.

Source: TTS/tts/models/xtts.py (coqui-tts 0.28.0).
"""

from pathlib import Path

from audiomill_worker import load_wav, seed_all
from TTS.tts.configs.xtts_config import XttsConfig
from TTS.tts.models import xtts as package

package.torchaudio.load = load_wav

UNTOLD = "en"  # for a voice that is not told its language


class XttsEngine:
    clones = True

    def __init__(self, model, device, settings):
        self.settings = settings
        self.config = XttsConfig()
        self.config.load_json(str(Path(model) / "config.json"))
        self.tts = package.Xtts(self.config)
        self.tts.load_checkpoint(self.config, checkpoint_dir=model, eval=True)
        self.tts.to(device)
        self.sample_rate = int(self.config.audio.output_sample_rate)
        self.languages = [str(name).partition("-")[0] for name in self.config.languages]
        self.latents = {}
        speakers = self.tts.speaker_manager.speakers if self.tts.speaker_manager else {}
        for name, found in speakers.items():
            self.latents[name] = (found["gpt_cond_latent"], found["speaker_embedding"])
        note = f"speaks {UNTOLD}, or what follows an @"
        self.voices = [
            {"name": name, "language": "mul", "description": note} for name in self.latents
        ]

    def speak(self, rows):
        return [self.speak_one(row) for row in rows]

    def speak_one(self, row):
        chosen = {**self.settings, **row.settings}
        key = row.audio or row.voice
        if key not in self.latents:
            self.latents[key] = self.tts.get_conditioning_latents(
                audio_path=[row.audio],
                max_ref_length=self.config.max_ref_len,
                gpt_cond_len=self.config.gpt_cond_len,
                gpt_cond_chunk_len=self.config.gpt_cond_chunk_len,
                sound_norm_refs=self.config.sound_norm_refs,
            )
        language = row.language.partition("-")[0] or UNTOLD
        seed_all(row.seed)
        spoken = self.tts.inference(
            row.text,
            "zh-cn" if language == "zh" else language,
            *self.latents[key],
            temperature=chosen["temperature"],
            top_p=chosen["top_p"],
            top_k=chosen["top_k"],
            length_penalty=self.config.length_penalty,
            repetition_penalty=self.config.repetition_penalty,
            speed=row.speed,
        )
        return spoken["wav"]


def load(model, device, settings):
    return XttsEngine(model, device, settings)
