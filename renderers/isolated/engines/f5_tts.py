"""F5-TTS: `F5TTS`. One text at a time; each voice is a recording with its text.

Source: f5_tts/api.py and f5_tts/infer/utils_infer.py (f5-tts 1.1.22).
"""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from audiomill_worker import load_wav
from f5_tts.api import F5TTS
from f5_tts.infer import utils_infer

# A long text is spoken in parts, at the same time: they would draw their noise in any order.
utils_infer.ThreadPoolExecutor = partial(ThreadPoolExecutor, max_workers=1)
utils_infer.torchaudio.load = load_wav


class F5Engine:
    clones = True
    voices = ()

    def __init__(self, model, device, settings):
        self.settings = settings
        folder = Path(model)
        inner = folder / settings["architecture"]  # as in the repository
        folder = inner if inner.is_dir() else folder
        vocoder = Path(settings["vocoder"])
        self.tts = F5TTS(
            model=settings["architecture"],
            ckpt_file=str(weights_in(folder)),
            vocab_file=str(folder / "vocab.txt") if (folder / "vocab.txt").is_file() else "",
            vocoder_local_path=str(vocoder) if vocoder.is_dir() else None,
            device=device,
        )
        self.sample_rate = int(self.tts.target_sample_rate)

    def speak(self, rows):
        return [self.speak_one(row) for row in rows]

    def speak_one(self, row):
        if not row.audio_text:  # it would fetch another model to write it down
            raise ValueError(f"the recording {row.audio} has no text, which F5-TTS needs")
        chosen = {**self.settings, **row.settings}
        spoken, _, _ = self.tts.infer(
            row.audio,
            row.audio_text,
            row.text,
            show_info=str,
            progress=None,
            nfe_step=chosen["nfe_step"],
            cfg_strength=chosen["cfg_strength"],
            speed=row.speed,
            seed=row.seed,
        )
        return spoken


def weights_in(folder):
    """The newest checkpoint: their names end in the number of steps."""
    found = [*folder.glob("model_*.safetensors"), *folder.glob("model_*.pt")]
    if not found:
        raise FileNotFoundError(f"there is no model_*.safetensors in {folder}")
    return max(found, key=lambda path: int("".join(filter(str.isdigit, path.stem)) or 0))


def load(model, device, settings):
    return F5Engine(model, device, settings)
