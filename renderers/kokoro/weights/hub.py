"""Downloads official files into the Hugging Face Hub's cache, and checks that files are intact.

The Hub's own client reads its environment: HF_HOME for the cache, HF_ENDPOINT for the host,
HF_TOKEN for the token, HF_HUB_OFFLINE to forbid requests. The client is imported late: that takes
0.2 s, and a folder of files does not need it. A file of a pinned revision that is in the cache is
used without a single request.
"""

from __future__ import annotations

import errno
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from zipfile import BadZipFile, ZipFile, is_zipfile

from audiomill.renderers.engine.errors import EngineMissing, WeightsUnfit, reason_of
from audiomill.renderers.engine.weights_digest import weights_sha256
from audiomill.renderers.host.file_facts import file_facts
from audiomill.renderers.host.installation import this_installation
from audiomill.renderers.kokoro.weights.releases import HubRepo, Release

REACH_TIMEOUT_S = 10.0  # for the first answer of the Hub
DISK_FULL = (errno.ENOSPC, errno.EDQUOT)
NOT_WRITABLE = (errno.EACCES, errno.EPERM, errno.EROFS)
ZIP_MAGIC = b"PK\x03\x04"
# MS-DOS's attribute of a folder. `torch.load` reads nothing from a part of an archive that has it.
FOLDER_ATTRIBUTE = 0x10
LFS_POINTER = b"version https://git-lfs"
# The cause and the remedy of an HTTP status, as a part of an error message.
STATUS = {
    401: "it wants a log-in. Set HF_TOKEN to a token that may read it",
    403: "it wants its terms accepted. Do so on its page, and set HF_TOKEN to your token",
    404: "it does not have it. If HF_ENDPOINT names a mirror, take another",
    429: "it has been asked too often. Wait some minutes and run again",
}


def cached_path(source: HubRepo, file: str) -> Path | None:
    """The path of a file in the cache, or None. Sends no request. Raises EngineMissing."""
    with _errors_explained(source, file):
        from huggingface_hub import try_to_load_from_cache

        found = try_to_load_from_cache(source.repo, file, revision=source.revision)
        return Path(found) if isinstance(found, str) else None


def fetch(source: HubRepo, file: str) -> Path:
    """The path of a file in the cache; downloads it if it is missing. Raises EngineMissing.

    The client retries for up to half a minute, and resumes a broken transfer.
    """
    with _errors_explained(source, file):
        from huggingface_hub import hf_hub_download

        # Looked up first, because the client may send a request even if the file is in the cache.
        if found := cached_path(source, file):
            return found
        return Path(hf_hub_download(source.repo, file, revision=source.revision))


def check_reachable(release: Release) -> None:
    """Raise EngineMissing, with the reason, unless the weights could be downloaded now.

    Sends one HEAD request without retries; downloads nothing.
    """
    with _errors_explained(release, release.weights_file):
        from huggingface_hub import get_hf_file_metadata, hf_hub_url
        from huggingface_hub.errors import FileMetadataError

        url = hf_hub_url(release.repo, release.weights_file, revision=release.revision)
        if get_hf_file_metadata(url, timeout=REACH_TIMEOUT_S).commit_hash != release.revision:
            raise FileMetadataError


@contextmanager
def _errors_explained(source: HubRepo, file: str) -> Generator[None]:
    """Raise every error of the Hub's client as EngineMissing, with its cause and a remedy."""
    engine, _, option = source.setting.partition(".")
    try:
        from huggingface_hub import constants, errors
    except (ImportError, ValueError) as error:  # ValueError: HF_ENDPOINT is invalid
        raise EngineMissing(
            f"Kokoro's files cannot be fetched: huggingface_hub does not start ({error})."
            f" {this_installation().hint(engine)}"
        ) from error
    # The client derives its errors from those of its HTTP library, which has been requests, httpx
    # and httpx2. The errors of hf_xet are RuntimeErrors.
    http_errors: tuple[type[Exception], ...] = errors.HfHubHTTPError.__bases__
    try:
        yield
    except (OSError, ValueError, RuntimeError, *http_errors) as error:
        raise EngineMissing(
            f"{file} of {source.repo} is not here, and {constants.ENDPOINT} does not give it:"
            f" {_reason(error, constants.HF_HUB_CACHE)}. On another machine,"
            f" `hf download {source.repo} --revision {source.revision} --local-dir {engine}` gets"
            f" all files into a folder. Copy that here and name it in the setting {source.setting}"
            f" (the variable AUDIOMILL_{engine.upper()}__{option.upper()})."
        ) from error


def _reason(error: BaseException, cache: str) -> str:
    from huggingface_hub.errors import FileMetadataError, OfflineModeIsEnabled

    cause = error.__cause__ or error
    number = getattr(error, "errno", None)
    status = getattr(getattr(cause, "response", None), "status_code", 0)
    if isinstance(cause, OfflineModeIsEnabled):
        return "HF_HUB_OFFLINE forbids asking. Unset it to have it fetched"
    if isinstance(cause, FileMetadataError):
        return "it answers, but not as the Hub does. Look for a proxy, or a log-in to the network"
    if number in DISK_FULL:
        return f"the disk is full. Free some space for {cache}, or set HF_HOME to another disk"
    if number in NOT_WRITABLE:
        return f"{cache} cannot be written. Set HF_HOME to a folder that can"
    if status in STATUS:
        return f"{STATUS[status]} ({status})"
    if status >= 500:
        return f"it is in trouble. Run again later ({status})"
    return f"asking it failed ({reason_of(cause)})"


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal; a large one is read again only if it has changed.

    Raises WeightsUnfit if the file cannot be read.
    """
    try:
        return weights_sha256(path)
    except OSError as error:
        raise _unreadable(path, error) from error


def verified_sha256(path: Path, published: str) -> str:
    """The SHA-256 of a downloaded file, in hexadecimal.

    Raises WeightsUnfit if it differs from `published`, unless that is empty (unknown).
    """
    found = sha256_of(path)
    if published and found != published:
        raise WeightsUnfit(
            f"{path} is damaged: its SHA-256 is {found[:16]}…, but {published} was published."
            f" Delete {path.resolve()} and run again to fetch it anew."
        )
    return found


def check_intact(path: Path) -> None:
    """Raise WeightsUnfit for a file of tensors that is truncated or damaged.

    `torch.save` writes a ZIP archive, which ends with a directory that has a CRC of each part.
    `torch.load` checks no CRC. A file that is not an archive is left to `torch.load`. A large file
    that was intact is read again only if it has changed.
    """
    try:
        file_facts().find(path, "state", _intact)
    except OSError as error:
        raise _unreadable(path, error) from error


def _intact(path: Path) -> str:
    """Say that a file is intact. Raises as `check_intact`, and OSError."""
    with path.open("rb") as file:
        head = file.read(len(LFS_POINTER))
    if head == LFS_POINTER:
        raise WeightsUnfit(
            f"{path} only says where Git LFS keeps the file. Run `git lfs pull` in its folder."
        )
    if not head:
        raise WeightsUnfit(f"{path} is empty. Copy or fetch it again.")
    if head.startswith(ZIP_MAGIC):
        _check_archive(path)
    return "intact"


def _check_archive(path: Path) -> None:
    """Raise WeightsUnfit if the archive is truncated or a part fails its CRC."""
    try:
        if not is_zipfile(path):
            size = f"{path.stat().st_size:,} bytes"
            raise WeightsUnfit(f"{path} is cut short, at {size}. Copy or fetch it again.")
        with ZipFile(path) as archive:
            folders = (p.filename for p in archive.infolist() if p.external_attr & FOLDER_ATTRIBUTE)
            damaged = archive.testzip() or next(folders, None)
    # A flipped bit may make an archive look invalid, compressed, encrypted or of a later version.
    except (BadZipFile, RuntimeError, EOFError, ValueError, OverflowError, zlib.error) as error:
        damaged = str(error)
    if damaged is not None:
        raise WeightsUnfit(f"{path} is damaged ({damaged}). Copy or fetch it again.")


def _unreadable(path: Path, error: OSError) -> WeightsUnfit:
    return WeightsUnfit(f"{path} cannot be read: {error.strerror or error}.")
