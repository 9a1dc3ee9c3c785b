"""Finished files of all kinds for tests of `audiomill check`, made by ffmpeg, not by audiomill."""

import subprocess
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import soundfile

from audiomill.outputs.ffmpeg.find_ffmpeg import find_ffmpeg
from support.signals_data import voice


@dataclass(frozen=True)
class Recipe:
    """How a file is made; as it stands, as ACX asks."""

    rms_db: float = -20.5  # of the voice and its ends
    tone_db: float = -68.0  # of room tone; -inf: digital silence
    head_s: float = 0.75
    tail_s: float = 2.0
    rate: int = 44_100
    channels: int = 1
    peak: float | None = None  # of one sample; None: as it comes
    clip: float = np.inf  # where the voice is cut off
    options: str = "-c:a libmp3lame -b:a 192k"  # of ffmpeg
    suffix: str = ".mp3"
    voice_s: float = 4.0
    seed: int = 0


GOOD = Recipe()
_TOLD = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
RECIPES = {name: replace(GOOD, **changes) for name, changes in _TOLD.items()}


def made_file(folder: Path, name: str, recipe: Recipe) -> Path:
    """The file of a recipe."""
    path = folder / f"{name}{recipe.suffix}"
    wav = folder / f"{name}.master.wav"
    soundfile.write(wav, samples_of(recipe), recipe.rate, subtype="FLOAT")
    encode(wav, path, *recipe.options.split())
    wav.unlink()
    return path


def samples_of(recipe: Recipe) -> np.ndarray:
    """The master [n, channels] of a recipe."""
    head, tail = (round(s * recipe.rate) for s in (recipe.head_s, recipe.tail_s))
    spoken = voice(recipe.voice_s, recipe.rate, seed=recipe.seed).astype(np.float64)
    spoken[: recipe.rate // 10] += 0.01 * np.sin(np.arange(recipe.rate // 10))  # it starts at once
    spoken[-recipe.rate // 10 :] += 0.01 * np.sin(np.arange(recipe.rate // 10))
    whole = np.concatenate((np.zeros(head), spoken, np.zeros(tail)))
    whole *= 10 ** (recipe.rms_db / 20) / np.sqrt(np.mean(whole**2))
    noise = np.random.default_rng(recipe.seed + 1).standard_normal(whole.size)
    whole = np.clip(whole + noise * 10 ** (recipe.tone_db / 20), -recipe.clip, recipe.clip)
    if recipe.peak is not None:
        whole[whole.size // 2] = recipe.peak
    return np.repeat(whole[:, None], recipe.channels, axis=1)


def encode(source: Path, path: Path, *options: str) -> None:
    """Run ffmpeg on one file."""
    command = [find_ffmpeg(), "-v", "error", "-nostdin", "-y", "-i", f"file:{source}"]
    subprocess.run([*command, *options, f"file:{path}"], check=True)
