"""Judges a file by ACX's figures, with NumPy, SciPy, pyloudnorm and ffmpeg, without audiomill.

What is meant by each figure is in docs/delivery.md.
"""

import re
import subprocess
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pyloudnorm
from numpy.lib.stride_tricks import sliding_window_view
from scipy.io import wavfile
from scipy.signal import resample_poly

FLOOR_S, FRAME_S = 0.5, 0.01
ASTATS = "astats=measure_perchannel=none"  # over all channels


def decoded(ffmpeg: str, path: Path) -> tuple[int, np.ndarray]:
    """(sample rate, samples [n, channels]) of all of a file."""
    with tempfile.TemporaryDirectory() as folder:
        wav = Path(folder) / "whole.wav"
        quiet = (ffmpeg, "-v", "error", "-nostdin", "-i", f"file:{path}", "-vn")
        subprocess.run([*quiet, "-c:a", "pcm_f32le", str(wav)], check=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of chunks that SciPy does not know
            rate, samples = wavfile.read(wav)
    return rate, samples.reshape(len(samples), -1).astype(np.float64)


def told(ffmpeg: str, path: Path, filters: str) -> str:
    """What a filter of ffmpeg prints."""
    command = [ffmpeg, "-hide_banner", "-nostats", "-nostdin", "-i", f"file:{path}"]
    command += ["-map", "a:0", "-af", filters, "-f", "null", "-"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stderr


def packets(ffmpeg: str, path: Path) -> list[int]:
    """The bytes of each packet of sound."""
    command = [ffmpeg, "-v", "error", "-nostdin", "-i", f"file:{path}"]
    command += ["-map", "a:0", "-c", "copy", "-f", "framecrc", "-"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return [int(line.split(",")[4]) for line in lines if not line.startswith("#")]


def db(power: float) -> float:
    """A power in decibels, at least -120."""
    return max(-120.0, 10 * float(np.log10(max(power, 1e-30))))


def figures(ffmpeg: str, path: Path) -> dict[str, float | str | bool]:
    """Everything that is measured."""
    rate, samples = decoded(ffmpeg, path)
    shown = told(ffmpeg, path, f"{ASTATS},ebur128=peak=true")  # this one tells tenths
    return _judged(rate, samples, shown, packets(ffmpeg, path)) | {
        "lufs": max(-120.0, float(re.findall(r"I: +(\S+) LUFS", shown)[-1])),
        "pyloudnorm_lufs": pyloudnorm.Meter(rate).integrated_loudness(samples),
        "true_peak_dbtp": db(float(np.abs(resample_poly(samples, 8, 1)).max()) ** 2),
        "ebur128_peak_db": float(re.findall(r"Peak: +(\S+) dBFS", shown)[-1]),
    }


def judged_figures(ffmpeg: str, path: Path) -> dict[str, float | str | bool]:
    """What `verdicts` are given by."""
    return _judged(*decoded(ffmpeg, path), told(ffmpeg, path, ASTATS), packets(ffmpeg, path))


def _judged(
    rate: int, samples: np.ndarray, shown: str, sizes: list[int]
) -> dict[str, float | str | bool]:
    frame = round(FRAME_S * rate)
    n_frames = len(samples) // frame
    squares = (samples**2).mean(axis=1)
    powers = squares[: n_frames * frame].reshape(n_frames, frame).mean(axis=1)
    windows = sliding_window_view(powers, round(FLOOR_S / FRAME_S)).mean(axis=1)
    floor_db = db(windows.min())
    level = 10 ** (min(max(floor_db + 10, -60), -40) / 10)
    sounding = np.flatnonzero(sliding_window_view(powers >= level, 3).all(axis=1))
    silent = "".join("x" if power < 1e-9 else " " for power in powers)
    rms_db, peak_db = (
        float(re.findall(rf"{name} level dB: (\S+)", shown)[-1]) for name in ("RMS", "Peak")
    )
    return {
        "codec": re.findall(r"Audio: (\w+)", shown)[0],
        "sample_rate": rate,
        "channels": samples.shape[1],
        "length_s": len(samples) / rate,
        "is_constant": max(sizes) - min(sizes) <= 1,  # MP3 fills up with one byte
        "kbps": sum(sizes) * 8 / (len(sizes) * 1152 / rate) / 1000,
        "rms_db": max(rms_db, -120.0),
        "peak_db": max(peak_db, -120.0),
        "noise_floor_db": floor_db,
        "silence_s": max(map(len, silent.split())) * frame / rate if "x" in silent else 0.0,
        "head_s": sounding[0] * frame / rate if sounding.size else len(samples) / rate,
        "tail_s": (
            (len(samples) - (sounding[-1] + 3) * frame) / rate
            if sounding.size
            else len(samples) / rate
        ),
    }


def verdicts(found: dict[str, float | str | bool]) -> dict[str, bool]:
    """Which rules of ACX a file with such figures passes."""
    return {
        "codec": found["codec"] == "mp3",
        "sample_rate": found["sample_rate"] == 44100,
        "channels": found["channels"] in (1, 2),
        "bit_rate_kbps": found["kbps"] >= 191.5,
        "bit_rate_mode": bool(found["is_constant"]),
        "length_s": found["length_s"] <= 120 * 60,
        "rms_db": -23 <= found["rms_db"] <= -18,
        "peak_db": found["peak_db"] <= -3,
        "noise_floor_db": found["noise_floor_db"] <= -60,
        "silence_s": found["silence_s"] <= 0.1,
        "head_s": 0.5 <= found["head_s"] <= 1,
        "tail_s": 1 <= found["tail_s"] <= 5,
    }
