"""Finds the model and the voices, fetches what is missing, and decides whether they are official.

Files come from the folder or the model's file that the user names, or from the user's data folder,
into which the published files are fetched. Knows no ONNX Runtime: keys need the digests even when
everything is already rendered.

The published ones are fetched whole, with the published digest, or not at all. Their source: the
releases model-files-v1.0 and model-files-v1.1 of github.com/thewh1teagle/kokoro-onnx. Both hold the
same weights. The graphs of the second also give durations, so they are fetched.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, TYPE_CHECKING

from audiomill.inputs.files import file_sha256
from audiomill.renderers.engine.errors import EngineMissing, WeightsUnfit, reason_of
from audiomill.renderers.host.durable import fsync
from audiomill.renderers.host.folders import data_folder
from audiomill.renderers.host.installation import this_installation
from audiomill.renderers.kokoro.options import KokoroOnnxOptions, OnnxPrecision
from audiomill.renderers.kokoro.weights.hub import sha256_of

if TYPE_CHECKING:
    import httpx


BASE_URL = "https://github.com/thewh1teagle/kokoro-onnx/releases/download/model-files-v1.1/"

TIMEOUT_S = 30.0  # without an answer, or without another byte of it
N_ATTEMPTS = 4  # each goes on where the one before broke off
OK, PARTIAL = 200, 206

EXTRA = "kokoro-onnx"
VOICES_PATTERN = "voices*.bin"


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """A file of the release at BASE_URL. The digest is SHA-256, in hexadecimal."""

    name: str
    n_bytes: int
    sha256: str


MODELS: Mapping[OnnxPrecision, PublishedFile] = {
    "float32": PublishedFile(
        "kokoro-v1.0.onnx",
        325_505_369,
        "beb0d1848dee9a49da392cc3df26958d46cfa35d321edf434f52949153f0df3a",
    ),
    "float16": PublishedFile(
        "kokoro-v1.0.fp16.onnx",
        163_527_961,
        "f3a290d384fbb27966d462905c71a46cef9e5fd00516b40df32a0b4afe77ac96",
    ),
    "int8": PublishedFile(
        "kokoro-v1.0.int8.onnx",
        114_119_327,
        "ae315a79b623f244700e4afb9246c46a26066782e049ba174bf3ba433970ee9c",
    ),
}
VOICES = PublishedFile(
    "voices-v1.0.bin",
    28_214_398,
    "bca610b8308e8d99f32e6fe4197e7ec01679264efed0cac9140fe9c29f1fbf7d",
)
# The same models in the release before, without durations.
EARLIER_MODELS = frozenset(
    {
        "7d5df8ecf7d4b1878015a32686053fd0eebe2bc377234608764cc0ef3636a6c5",
        "c1610a859f3bdea01107e73e50100685af38fff88f5cd8e5c56df109ec880204",
        "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb",
    }
)
PUBLISHED_MODELS = EARLIER_MODELS | {model.sha256 for model in MODELS.values()}


def fetch(file: PublishedFile, path: Path) -> Path:
    """Fetch `file` to `path`, which is returned. Raises EngineMissing, WeightsUnfit.

    Several processes may do so at once: each fetches for itself, and one is kept.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as part:
            try:
                _fetch_into(part, file)
                Path(part.name).replace(path)
            finally:
                Path(part.name).unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or error
        raise EngineMissing(f"{file.name} cannot be kept in {path.parent}: {reason}.") from error
    return path


def _fetch_into(part: IO[bytes], file: PublishedFile) -> None:
    import httpx

    with _client() as client:
        for attempt in range(1, N_ATTEMPTS + 1):
            try:
                _append(client, part, file)
                break
            except httpx.HTTPError as error:
                is_refused = isinstance(error, httpx.HTTPStatusError)
                if is_refused or attempt == N_ATTEMPTS:
                    raise _not_given(file, error) from error
    part.flush()
    fsync(part.fileno())
    found = file_sha256(Path(part.name))
    if found != file.sha256:
        raise WeightsUnfit(
            f"{file.name} did not come as it was published: its SHA-256 is {found[:16]}…, not"
            f" {file.sha256[:16]}…. Run again to fetch it anew."
        )


def _append(client: httpx.Client, part: IO[bytes], file: PublishedFile) -> None:
    """Fetch what `part` lacks."""
    present = part.tell()
    headers = {"Range": f"bytes={present}-"} if present else {}
    with client.stream("GET", _url(file), headers=headers) as answer:
        answer.raise_for_status()
        if answer.status_code != PARTIAL:  # all of it, from the beginning
            part.seek(0)
            part.truncate()
        for block in answer.iter_bytes():
            part.write(block)


def _client() -> httpx.Client:
    import httpx

    return httpx.Client(follow_redirects=True, timeout=TIMEOUT_S)


def _url(file: PublishedFile) -> str:
    return f"{BASE_URL}{file.name}"


def _not_given(file: PublishedFile, error: Exception) -> EngineMissing:
    return EngineMissing(f"{file.name} is not here, and cannot be fetched: {reason_of(error)}.")


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
    check_onnxruntime(EXTRA)
    if options.model is not None:
        _voices(options)
        return _model(options)
    wanted = (MODELS[options.precision], VOICES)
    is_here = all((model_folder() / one.name).is_file() for one in wanted)
    return model_folder() / wanted[0].name if is_here else None


def check_onnxruntime(engine: str) -> None:
    """Raise EngineMissing, with the remedy, unless ONNX Runtime is installed. Does not load it.

    The engine's extra has its name.
    """
    if find_spec("onnxruntime") is None:
        raise EngineMissing(f"{engine} needs ONNX Runtime. {this_installation().hint(engine)}")


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
