"""Finished files of all kinds for tests of `audiomill check`, made by ffmpeg, not by audiomill."""

import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import soundfile

from audiomill.outputs.ffmpeg.find_ffmpeg import find_ffmpeg
from support.signals_data import voice

CBR = ("-c:a", "libmp3lame", "-b:a", "192k")


@dataclass(frozen=True)
class Recipe:
    """How a file is made; as it stands, as ACX asks."""

    rms_db: float = -20.5  # of the voice and its ends
    tone_db: float | None = -68.0  # of room tone; None: digital silence
    head_s: float = 0.75
    tail_s: float = 2.0
    rate: int = 44_100
    channels: int = 1
    peak: float | None = None  # of one sample; None: as it comes
    clip: float | None = None  # where the voice is cut off
    options: tuple[str, ...] = CBR
    suffix: str = ".mp3"
    voice_s: float = 4.0
    seed: int = 0


GOOD = Recipe()
RECIPES = {
    "as it should be": GOOD,
    "too quiet": replace(GOOD, rms_db=-25.4),
    "at the upper edge": replace(GOOD, rms_db=-18.2),
    "a high peak": replace(GOOD, peak=0.85),
    "clipped": replace(GOOD, rms_db=-12.0, clip=1.0),
    "long ends": replace(GOOD, rms_db=-22.5, head_s=1.4, tail_s=6.5),
    "short ends": replace(GOOD, head_s=0.2, tail_s=0.6),
    "digital silence at 48 kHz": replace(GOOD, tone_db=None, rate=48_000),
    "noisy at 128 kbps": replace(
        GOOD, tone_db=-52.0, options=("-c:a", "libmp3lame", "-b:a", "128k")
    ),
    "variable": replace(GOOD, options=("-c:a", "libmp3lame", "-q:a", "0")),
    "an average": replace(GOOD, options=("-c:a", "libmp3lame", "-abr", "1", "-b:a", "192k")),
    "stereo": replace(GOOD, channels=2, options=(*CBR, "-joint_stereo", "0")),
    "joint stereo": replace(GOOD, channels=2),
    "AAC": replace(GOOD, options=("-c:a", "aac", "-b:a", "192k"), suffix=".m4a"),
    "FLAC": replace(GOOD, options=("-c:a", "flac"), suffix=".flac"),
    "a telephone": replace(GOOD, rate=8_000, options=("-c:a", "pcm_s16le"), suffix=".wav"),
}


def made_file(folder: Path, name: str, recipe: Recipe) -> Path:
    """The file of a recipe."""
    path = folder / f"{name}{recipe.suffix}"
    wav = folder / f"{name}.master.wav"
    soundfile.write(wav, samples_of(recipe), recipe.rate, subtype="FLOAT")
    encode(wav, path, *recipe.options)
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
    if recipe.tone_db is not None:
        whole += noise * 10 ** (recipe.tone_db / 20)
    if recipe.clip is not None:
        whole = np.clip(whole, -recipe.clip, recipe.clip)
    if recipe.peak is not None:
        whole[whole.size // 2] = recipe.peak
    return np.repeat(whole[:, None], recipe.channels, axis=1)


def encode(source: Path, path: Path, *options: str) -> None:
    """Run ffmpeg on one file."""
    command = [find_ffmpeg(), "-v", "error", "-nostdin", "-y", "-i", f"file:{source}"]
    subprocess.run([*command, *options, f"file:{path}"], check=True)
