"""StyleTTS 2: `StyleTTS2`. One text at a time; each voice is a recording.

The model's folder is that of yl4579/StyleTTS2-LibriTTS. What is in its `Utils` (ASR, JDC, PLBERT,
as in the project's repository) and in its `nltk_data` is read from there; what is not, the package
downloads.

Source: styletts2/tts.py (styletts2 0.1.6).
"""

import os
from pathlib import Path

import nltk
from audiomill_worker import seed_all
from styletts2 import tts as package


class StyleEngine:
    clones = True
    voices = ()
    sample_rate = 24000

    def __init__(self, model, device, settings):
        self.settings = settings
        folder = Path(model).resolve()
        download = package.cached_path

        def here_or_downloaded(url):
            """The package looks for its pitch extractor nowhere but on the web."""
            here = folder / url.partition("/main/")[2].partition("?")[0]
            return here if here.is_file() else download(url)

        load_plbert = package.load_plbert

        def plbert_of(folder, **files):
            """It joins a path to what the configuration has as a text."""
            return load_plbert(folder and Path(folder), **files)

        package.cached_path, package.load_plbert = here_or_downloaded, plbert_of
        nltk.data.path.insert(0, str(folder / "nltk_data"))
        os.chdir(folder)  # the paths in config.yml are those of a checkout
        self.tts = package.StyleTTS2(
            model_checkpoint_path=str(first_of(folder, "epochs_2nd_*.pth")),
            config_path=str(first_of(folder, "config.yml")),
        )
        self.styles = {}

    def speak(self, rows):
        return [self.speak_one(row) for row in rows]

    def speak_one(self, row):
        if row.audio not in self.styles:
            self.styles[row.audio] = self.tts.compute_style(row.audio)
        seed_all(row.seed)
        chosen = {**self.settings, **row.settings}
        return self.tts.inference(
            row.text,
            ref_s=self.styles[row.audio],
            alpha=chosen["alpha"],
            beta=chosen["beta"],
            diffusion_steps=chosen["diffusion_steps"],
            embedding_scale=chosen["embedding_scale"],
        )


def first_of(folder, pattern):
    found = sorted(folder.rglob(pattern))
    if not found:
        raise FileNotFoundError(f"there is no {pattern} in {folder}")
    return found[0]


def load(model, device, settings):
    return StyleEngine(model, device, settings)
