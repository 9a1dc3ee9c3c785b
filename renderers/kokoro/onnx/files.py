"""Finds the model and the voices, fetches what is missing, and decides whether they are official.

Files come from the folder or the model's file that the user names, or from the user's data folder,
into which the published files are fetched. Knows no ONNX Runtime: keys need the digests even when
everything is already rendered.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from audiomill.renderers.base import EngineMissing, WeightsUnfit
from audiomill.renderers.host.folders import data_folder
from audiomill.renderers.host.installation import this_installation
from audiomill.renderers.kokoro.onnx.download import fetch
from audiomill.renderers.kokoro.onnx.options import KokoroOnnxOptions
from audiomill.renderers.kokoro.onnx.releases import (
    BASE_URL,
    MODELS,
    PUBLISHED_MODELS,
    VOICES,
    PublishedFile,
)
from audiomill.renderers.kokoro.weights.hub import sha256_of

EXTRA = "kokoro-onnx"
VOICES_PATTERN = "voices*.bin"


@dataclass(frozen=True, slots=True)
class OnnxFiles:
    """The files of a model. The digest is SHA-256, in hexadecimal."""

    model: Path
    voices: Path
    model_sha256: str

    @property
    def is_official(self) -> bool:
        """True if the model is a published one, byte by byte."""
        return self.model_sha256 in PUBLISHED_MODELS


def model_folder() -> Path:
    """The folder of the files that are fetched."""
    return data_folder() / EXTRA


def find_onnx_files(options: KokoroOnnxOptions) -> OnnxFiles:
    """The files that `options` name. Fetches missing ones if they name none.

    Raises EngineMissing, WeightsUnfit.
    """
    model = _model(options)
    return OnnxFiles(model, _voices(options), sha256_of(model))


def voices_here(options: KokoroOnnxOptions) -> Path | None:
    """The file of voices, if it can be had without a network. Raises as `find_onnx_files`."""
    if options.model is None and not (model_folder() / VOICES.name).is_file():
        return None
    return _voices(options)


def check_onnx_available(options: KokoroOnnxOptions) -> Path | None:
    """Raise RenderError, with the reason, unless the engine can run when its files are here.

    Returns the model's file, or None if the first render would fetch files. Reads no weights, sends
    no request.
    """
    check_onnxruntime()
    if options.model is not None:
        _voices(options)
        return _model(options)
    wanted = (MODELS[options.precision], VOICES)
    is_here = all((model_folder() / one.name).is_file() for one in wanted)
    return model_folder() / wanted[0].name if is_here else None


def check_onnxruntime() -> None:
    """Raise EngineMissing, with the remedy, unless ONNX Runtime is installed. Does not load it."""
    if find_spec("onnxruntime") is None:
        raise EngineMissing(f"kokoro-onnx needs ONNX Runtime. {this_installation().hint(EXTRA)}")


def _model(options: KokoroOnnxOptions) -> Path:
    wanted = MODELS[options.precision]
    if options.model is None:
        return _fetched(wanted)
    if options.model.suffix == ".onnx":
        return _present(options.model)
    return _present(options.model / wanted.name)


def _voices(options: KokoroOnnxOptions) -> Path:
    if options.model is None:
        return _fetched(VOICES)
    folder = options.model.parent if options.model.suffix == ".onnx" else options.model
    try:
        found = sorted(folder.glob(VOICES_PATTERN))
    except OSError as error:
        raise EngineMissing(
            f"{folder}, which kokoro_onnx.model names, cannot be read ({error.strerror})."
        ) from error
    if len(found) > 1:
        names = ", ".join(path.name for path in found)
        raise WeightsUnfit(f"{folder} holds several files of voices: {names}. Leave one.")
    return found[0] if found else _present(folder / VOICES.name)


def _present(path: Path) -> Path:
    """`path` itself. Raises EngineMissing unless it is a file."""
    if path.is_file():
        return path
    others = ", ".join(sorted(one.name for one in path.parent.glob("*.onnx")))
    found = f" (there is {others})" if others and path.suffix == ".onnx" else ""
    raise EngineMissing(
        f"{path} is missing{found}. Set kokoro_onnx.model to a folder with {path.name}, or to"
        " nothing to have the files fetched; kokoro_onnx.precision chooses the model."
    )


def _fetched(file: PublishedFile) -> Path:
    """The file in the data folder, fetched if it is missing. Raises EngineMissing, WeightsUnfit."""
    path = model_folder() / file.name
    if path.is_file():
        return path
    try:
        return fetch(file, path)
    except EngineMissing as error:
        raise EngineMissing(
            f"{error} On another machine, fetch {BASE_URL}{file.name}, and copy it to"
            f" {model_folder()}."
        ) from error
