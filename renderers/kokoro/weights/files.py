"""Finds a Kokoro model's configuration and weights, and decides whether they are official.

Files come from a folder that the user names, whatever they are, or from the Hugging Face Hub at
a pinned revision, where they must match the published digests. Knows no torch: keys need the
weights' digest even when everything is already rendered.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from audiomill.renderers.engine.errors import EngineMissing, RenderError, WeightsUnfit
from audiomill.renderers.host.installation import this_installation
from audiomill.renderers.kokoro.weights import hub
from audiomill.renderers.kokoro.weights.hub import check_intact, sha256_of, verified_sha256
from audiomill.renderers.kokoro.weights.releases import (
    CONFIG_FILE,
    RELEASES,
    V1_0,
    Release,
    voice_file,
)

# Names that download tools give to unfinished files.
UNFINISHED = ("kokoro*.pth.*", ".cache/huggingface/**/*.incomplete")
Location = str | Path | None  # a folder, or None for the Hub


def config_in(folder: Path) -> Path:
    """The path of `config.json` in `folder`. Raises EngineMissing if it is not there."""
    path = folder / CONFIG_FILE
    with _looking_into(folder):
        if path.is_file():
            return path
    raise _lacking(folder, CONFIG_FILE)


def weights_in(folder: Path) -> Path:
    """The path of the only checkpoint in `folder`.

    Raises EngineMissing if there is none, WeightsUnfit if there are several or an unfinished one.
    """
    with _looking_into(folder):
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
    """The path of each voice's pack, by the voice's name. Raises EngineMissing if there is none."""
    with _looking_into(folder):
        packs = {path.stem: path for path in sorted(folder.glob("voices/*.pt"))}
    if not packs:
        raise _lacking(folder, "voices/*.pt")
    return packs


def check_folder(folder: Path) -> None:
    """Raise EngineMissing or WeightsUnfit unless `folder` has configuration, weights and voices."""
    config_in(folder)
    weights_in(folder)
    packs_in(folder)


@contextmanager
def _looking_into(folder: Path) -> Generator[None]:
    """Turn OSError, such as of a folder that may not be opened, into EngineMissing."""
    try:
        yield
    except OSError as error:
        raise EngineMissing(
            f"{folder}, which kokoro.weights names, cannot be read ({error.strerror})."
        ) from error


def _lacking(folder: Path, what: str) -> EngineMissing:
    found = f"has no {what}" if folder.is_dir() else "is no folder"
    return EngineMissing(
        f"{folder} {found}. Name a folder in the setting kokoro.weights that holds {CONFIG_FILE},"
        " one kokoro*.pth and voices/*.pt, or name none to have them fetched."
    )


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """The files of a model. Digests are SHA-256 of their contents, in hexadecimal."""

    config: Path
    weights: Path
    config_sha256: str
    weights_sha256: str
    release: Release | None  # None for unofficial weights

    @property
    def is_official(self) -> bool:
        """True if both files are those of a release, byte by byte."""
        return self.release is not None

    @property
    def fingerprint(self) -> str:
        """The model's part of a voice's fingerprint."""
        return f"{self.weights_sha256} {self.config_sha256}"


def find_files(location: Location, release: Release = V1_0) -> ModelFiles:
    """The model in the folder `location`, or the official `release` if it is None.

    Downloads missing files of the release. Raises EngineMissing or WeightsUnfit; also WeightsUnfit
    if the folder has files of another release than `release`.
    """
    return _on_the_hub(release) if location is None else _in_folder(Path(location), release)


def is_offline_ready(location: Location, release: Release = V1_0) -> bool:
    """True if configuration, weights and at least one voice are available without a network."""
    try:
        if location is not None:
            check_folder(Path(location))
            return True
        return _cached(release, CONFIG_FILE, release.weights_file) and any(
            _cached(release, voice_file(name)) for name in release.voices
        )
    except RenderError:
        return False


def check_available(location: Location, release: Release = V1_0) -> None:
    """Raise RenderError, with the reason, unless the files are here or could be downloaded now.

    Reads no weights, imports no torch, sends at most one request to the Hub and downloads nothing.
    """
    check_pytorch()
    if location is not None:
        check_folder(Path(location))
    elif not is_offline_ready(None, release):
        hub.check_reachable(release)


def check_pytorch() -> None:
    """Raise EngineMissing, with the remedy, unless PyTorch is installed. Does not load it."""
    if find_spec("torch") is None:
        raise EngineMissing(f"Kokoro needs PyTorch. {this_installation().hint('kokoro')}")


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
    _refuse_other_release(folder, digests, release)
    is_official = digests == (release.config_sha256, release.weights_sha256)
    if not is_official:
        check_intact(weights)
    return ModelFiles(config, weights, *digests, release if is_official else None)


def _refuse_other_release(folder: Path, digests: tuple[str, str], release: Release) -> None:
    """Raise WeightsUnfit if the files belong to another release than `release`.

    The release decides how Chinese is pronounced. With the rules of another release the model would
    only sound wrong.
    """
    for other in RELEASES.values():
        is_of_other = not {other.config_sha256, other.weights_sha256}.isdisjoint(digests)
        if is_of_other and other.name != release.name:
            raise WeightsUnfit(
                f"{folder} holds files of Kokoro {other.name}, not of {release.name}. Set"
                f" kokoro.release to {other.name}, or name a folder of {release.name}."
            )
