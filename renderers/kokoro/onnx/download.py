"""Fetches published files: whole, with the published digest, or not at all."""

from __future__ import annotations

from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, TYPE_CHECKING

from audiomill.renderers.base import EngineMissing, WeightsUnfit, reason_of
from audiomill.renderers.host.durable import fsync
from audiomill.renderers.kokoro.onnx.releases import BASE_URL, PublishedFile
from audiomill.renderers.kokoro.weights.hub import sha256_of

if TYPE_CHECKING:
    import httpx

TIMEOUT_S = 30.0  # without an answer, or without another byte of it
N_ATTEMPTS = 4  # each goes on where the one before broke off
OK, PARTIAL = 200, 206


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
    found = sha256_of(Path(part.name))
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
