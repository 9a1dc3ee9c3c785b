"""Where a Kokoro model's configuration and weights come from, and whether they are official.

From a folder that somebody named, as they are; or else from the Hugging Face Hub, at a pinned
revision, where they must be what was published. Knows no torch: the weights' digest is needed
also when everything is rendered already.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from audiomill.renderers.base import EngineMissing, RenderError, WeightsUnfit
from audiomill.renderers.kokoro.weights import hub
from audiomill.renderers.kokoro.weights.hub import verified_sha256, check_intact, sha256_of
from audiomill.renderers.kokoro.weights.releases import (
    CONFIG_FILE,
    RELEASES,
    V1_0,
    Release,
    voice_file,
)

# A folder of Kokoro's files that somebody named.

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


Location = str | Path | None  # a folder, or None for the Hub


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A model at rest. Digests are SHA-256 of what is in the files, in hexadecimal."""

    config: Path
    weights: Path
    config_sha256: str
    weights_sha256: str
    release: Release | None  # None for somebody's own weights

    @property
    def is_official(self) -> bool:
        """Whether both files are, byte by byte, those of a release."""
        return self.release is not None

    @property
    def fingerprint(self) -> str:
        """The model's part of a voice's fingerprint."""
        return f"{self.weights_sha256} {self.config_sha256}"


def find_files(place: Location, release: Release = V1_0) -> ModelFiles:
    """The model in the folder `place`, whatever it is; without one, `release`.

    Fetches what is missing of `release`. Raises EngineMissing, WeightsUnfit.
    """
    return _on_the_hub(release) if place is None else _in_folder(Path(place), release)


def is_offline_ready(place: Location, release: Release = V1_0) -> bool:
    """Whether configuration, weights and a voice or more can be had without any network."""
    try:
        if place is not None:
            check_folder(Path(place))
            return True
        return _cached(release, CONFIG_FILE, release.weights_file) and any(
            _cached(release, voice_file(name)) for name in release.voices
        )
    except RenderError:
        return False


def check_available(place: Location, release: Release = V1_0) -> None:
    """Raise RenderError, which says why, unless the files are here or could be fetched now.

    Reads no weights and imports no torch; asks the Hub once at most, and fetches nothing.
    """
    if find_spec("torch") is None:
        raise EngineMissing("Kokoro needs PyTorch. Install it: make setup EXTRAS=kokoro")
    if place is not None:
        check_folder(Path(place))
    elif not is_offline_ready(None, release):
        hub.check_reachable(release)


def _cached(release: Release, *files: str) -> bool:
    return all(hub.cached_path(release, file) for file in files)


def _on_the_hub(release: Release) -> ModelFiles:
    config, weights = (hub.fetch(release, file) for file in (CONFIG_FILE, release.weights_file))
    return ModelFiles(
        config,
        weights,
        verified_sha256(config, release.config_sha256),
        verified_sha256(weights, release.weights_sha256),
        release,
    )


def _in_folder(folder: Path, release: Release) -> ModelFiles:
    config, weights = config_in(folder), weights_in(folder)
    digests = sha256_of(config), sha256_of(weights)
    _refuse_another(folder, digests, release)
    is_official = digests == (release.config_sha256, release.weights_sha256)
    if not is_official:
        check_intact(weights)
    return ModelFiles(config, weights, *digests, release if is_official else None)


def _refuse_another(folder: Path, digests: tuple[str, str], release: Release) -> None:
    """A release decides how Chinese is read: by another's rules it would only sound wrong."""
    for one in RELEASES.values():
        is_of = not {one.config_sha256, one.weights_sha256}.isdisjoint(digests)
        if is_of and one.name != release.name:
            raise WeightsUnfit(
                f"{folder} holds files of Kokoro {one.name}, not of {release.name}. Set"
                f" kokoro.release to {one.name}, or name a folder of {release.name}."
            )
