"""Recordings that sound like speech to a meter, and folders of cloned voices."""

import json
from pathlib import Path

import numpy as np
import soundfile
from numpy.typing import NDArray

WORDS = "The lamp in the old lighthouse was lit again, and the village talked of nothing else."
CONSENT = "Synthetic: nobody had to be asked."
SYLLABLES_HZ = 4.0


def voice_sound(
    duration_s: float = 7.0,
    rate: int = 24_000,
    *,
    seed: int = 1,
    level: float = 0.3,
    noise_db: float = -60.0,
    before_s: float = 0.0,
    after_s: float = 0.0,
) -> NDArray[np.float64]:
    """Syllables of a few harmonics, [n_samples], with noise `noise_db` below full scale.

    The voice lasts `duration_s` to within a frame, with silence before and after.
    """
    random = np.random.default_rng(seed)
    time_s = np.arange(round(duration_s * rate)) / rate
    pitch_hz = 110 + 20 * seed + 10 * np.sin(2 * np.pi * 0.7 * time_s)
    phase = 2 * np.pi * np.cumsum(pitch_hz) / rate
    harmonics = sum(np.sin(n * phase) / n for n in range(1, 6))
    # Each syllable ends in silence, as words do, and the last one ends at the end.
    swell = np.clip(np.sin(2 * np.pi * SYLLABLES_HZ * time_s + 0.5) + 0.5, 0.0, 1.0)
    swell[: rate // 50] = swell[-rate // 50 :] = 1.0
    voice = level * swell * harmonics / 2
    silences = (np.zeros(round(before_s * rate)), voice, np.zeros(round(after_s * rate)))
    sound = np.concatenate(silences)
    return sound + 10 ** (noise_db / 20) * random.standard_normal(sound.size)


def write_sound(path: Path, sound: NDArray[np.float64], rate: int = 24_000) -> Path:
    """A file of 16 bits, in the format of its ending."""
    path.parent.mkdir(parents=True, exist_ok=True)
    subtype = "MPEG_LAYER_III" if path.suffix == ".mp3" else "PCM_16"
    pcm = np.rint(np.clip(sound, -1, 1) * 32767).astype(np.int16)
    soundfile.write(path, pcm, rate, subtype)
    return path


def write_voice(
    folder: Path,
    folder_name: str = "grandmother",
    /,
    sound: NDArray[np.float64] | None = None,
    *,
    rate: int = 24_000,
    words: str = WORDS,
    toml: str = "",
    audio: str = "reference.wav",
    **values: str,
) -> Path:
    """The folder of a voice in `folder`. `toml` is added, `values` replace what is told of it."""
    place = folder / folder_name
    write_sound(place / audio, voice_sound(rate=rate) if sound is None else sound, rate)
    told = {"name": folder_name, "language": "en", "consent": CONSENT} | values
    lines = [f"{key} = {json.dumps(value)}" for key, value in told.items()]
    (place / "voice.toml").write_text("\n".join((*lines, toml, "")), "utf-8")
    if words:
        (place / "reference.txt").write_text(f"{words}\n", "utf-8")
    return place
