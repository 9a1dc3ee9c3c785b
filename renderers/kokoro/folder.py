"""A folder of Kokoro's files that somebody named. Knows what lies in it; reads none of it.

kokoro/
├── config.json
├── kokoro-v1_0.pth     or any one kokoro*.pth
└── voices/af_heart.pt  and others
"""

from __future__ import annotations

from pathlib import Path

from renderers.kokoro.official import CONFIG_FILE
from renderers.shard import EngineMissing, WeightsUnfit

# What tools call a file that is still being fetched.
UNFINISHED = ("kokoro*.pth.*", ".cache/huggingface/**/*.incomplete")


def config_in(folder: Path) -> Path:
    """The model's configuration. Raises EngineMissing."""
    path = folder / CONFIG_FILE
    if not path.is_file():
        raise _lacking(folder, CONFIG_FILE)
    return path


def weights_in(folder: Path) -> Path:
    """The one checkpoint. Raises EngineMissing if there is none, WeightsUnfit if there are more."""
    found = sorted(path for path in folder.glob("kokoro*.pth") if path.is_file())
    if len(found) > 1:
        raise WeightsUnfit(
            f"{folder} holds several models: {', '.join(path.name for path in found)}. Leave one."
        )
    if not found and any(path for pattern in UNFINISHED for path in folder.glob(pattern)):
        raise WeightsUnfit(f"{folder} holds weights that were not fetched to the end. Do so again.")
    if not found:
        raise _lacking(folder, "kokoro*.pth")
    return found[0]


def packs_in(folder: Path) -> dict[str, Path]:
    """The pack of each voice, by the voice's name. Raises EngineMissing if there is none."""
    packs = {path.stem: path for path in sorted(folder.glob("voices/*.pt"))}
    if not packs:
        raise _lacking(folder, "voices/*.pt")
    return packs


def check_folder(folder: Path) -> None:
    """Raise EngineMissing or WeightsUnfit unless configuration, weights and voices are there."""
    config_in(folder)
    weights_in(folder)
    packs_in(folder)


def _lacking(folder: Path, what: str) -> EngineMissing:
    found = f"has no {what}" if folder.is_dir() else "is no folder"
    return EngineMissing(
        f"{folder} {found}. Name a folder in the setting kokoro.weights that holds {CONFIG_FILE},"
        " one kokoro*.pth and voices/*.pt, or name none to have them fetched."
    )
