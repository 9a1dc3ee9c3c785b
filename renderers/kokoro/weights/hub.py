"""Official files in the Hugging Face Hub's cache, fetched when missing. Knows no other folder.

Where the cache is, which host is asked, with which token and whether at all, the Hub's own client
reads from its own environment: HF_HOME, HF_ENDPOINT, HF_TOKEN, HF_HUB_OFFLINE. It is imported
late: that takes 0.2 s, and who names a folder never needs it. A file of a pinned revision that is
in the cache is used without a single request.
"""

from __future__ import annotations

import errno
import hashlib
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from zipfile import BadZipFile, ZipFile, is_zipfile

from audiomill.renderers.base import EngineMissing, WeightsUnfit, reason_of
from audiomill.renderers.kokoro.weights.releases import Release

REACH_S = 10.0  # to wait for the first answer
FULL = (errno.ENOSPC, errno.EDQUOT)
LOCKED = (errno.EACCES, errno.EPERM, errno.EROFS)
# What an HTTP status means, and what helps.
STATUS = {
    401: "it wants a log-in. Set HF_TOKEN to a token that may read it",
    403: "it wants its terms accepted. Do so on its page, and set HF_TOKEN to your token",
    404: "it does not have it. If HF_ENDPOINT names a mirror, take another",
    429: "it has been asked too often. Wait some minutes and run again",
}


def cached_path(release: Release, file: str) -> Path | None:
    """The file in the cache, if it is there. Asks nobody. Raises EngineMissing."""
    with _failures_told(release, file):
        from huggingface_hub import try_to_load_from_cache

        found = try_to_load_from_cache(release.repo, file, revision=release.revision)
        return Path(found) if isinstance(found, str) else None


def fetch(release: Release, file: str) -> Path:
    """The file in the cache, fetched first if it is not there. Raises EngineMissing.

    The client tries again, for up to half a minute, and takes up a broken transfer where it broke.
    """
    with _failures_told(release, file):
        from huggingface_hub import hf_hub_download

        # The client's own look into the cache may ask the Hub for something else first.
        if found := cached_path(release, file):
            return found
        return Path(hf_hub_download(release.repo, file, revision=release.revision))


def check_reachable(release: Release) -> None:
    """Raise EngineMissing, which says why, unless the weights could be fetched now.

    One HEAD request; nothing is fetched, and nothing tried twice.
    """
    with _failures_told(release, release.weights_file):
        from huggingface_hub import get_hf_file_metadata, hf_hub_url
        from huggingface_hub.errors import FileMetadataError

        url = hf_hub_url(release.repo, release.weights_file, revision=release.revision)
        if get_hf_file_metadata(url, timeout=REACH_S).commit_hash != release.revision:
            raise FileMetadataError


@contextmanager
def _failures_told(release: Release, file: str) -> Generator[None]:
    try:
        from huggingface_hub import constants, errors
    except (ImportError, ValueError) as error:  # ValueError: HF_ENDPOINT is no address
        raise EngineMissing(
            f"Kokoro's files cannot be fetched: huggingface_hub does not start ({error})."
            " Install it: make setup EXTRAS=kokoro"
        ) from error
    # Its HTTP library, which has been requests, httpx and httpx2, has errors of its own, from
    # which the client's are derived; hf_xet's are RuntimeErrors.
    theirs: tuple[type[Exception], ...] = errors.HfHubHTTPError.__bases__
    try:
        yield
    except (OSError, ValueError, RuntimeError, *theirs) as error:
        raise EngineMissing(
            f"{file} of {release.repo} is not here, and {constants.ENDPOINT} does not give it:"
            f" {_reason(error, constants.HF_HUB_CACHE)}. Or fetch a folder where that works,"
            f" `hf download {release.repo} --revision {release.revision} --local-dir kokoro`,"
            " and name it in the setting kokoro.weights (AUDIOMILL_KOKORO__WEIGHTS=kokoro)."
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
    if number in FULL:
        return f"the disk is full. Free some space for {cache}, or set HF_HOME to another disk"
    if number in LOCKED:
        return f"{cache} cannot be written. Set HF_HOME to a folder that can"
    if status in STATUS:
        return f"{STATUS[status]} ({status})"
    if status >= 500:
        return f"it is in trouble. Run again later ({status})"
    return f"asking it failed ({reason_of(cause)})"


# Whether a file is whole, and what it is:

ZIP_MAGIC = b"PK\x03\x04"
FOLDER = 0x10  # MS-DOS's attribute: of a part that has it, `torch.load` reads nothing
LFS_POINTER = b"version https://git-lfs"


def sha256_of(path: Path) -> str:
    """In hexadecimal. Raises WeightsUnfit if the file cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise _unreadable(path, error) from error


def verified_sha256(path: Path, published: str) -> str:
    """The SHA-256 of a fetched file. Raises WeightsUnfit if another was published; "" is any."""
    found = sha256_of(path)
    if published and found != published:
        raise WeightsUnfit(
            f"{path} is damaged: its SHA-256 is {found[:16]}…, but {published} was published."
            f" Delete {path.resolve()} and run again to fetch it anew."
        )
    return found


def check_intact(path: Path) -> None:
    """Raise WeightsUnfit for a file of tensors that is cut short, or not as it was written.

    `torch.save` writes a ZIP archive, whose directory comes last and holds a CRC of each part;
    `torch.load` looks at none of them. What is no archive is left to `torch.load`.
    """
    try:
        with path.open("rb") as file:
            head = file.read(len(LFS_POINTER))
        if head == LFS_POINTER:
            raise WeightsUnfit(
                f"{path} only says where Git LFS keeps the file. Run `git lfs pull` in its folder."
            )
        if not head:
            raise WeightsUnfit(f"{path} is empty. Copy or fetch it again.")
        if head.startswith(ZIP_MAGIC):
            _read_through(path)
    except OSError as error:
        raise _unreadable(path, error) from error


def _read_through(path: Path) -> None:
    try:
        if not is_zipfile(path):
            size = f"{path.stat().st_size:,} bytes"
            raise WeightsUnfit(f"{path} is cut short, at {size}. Copy or fetch it again.")
        with ZipFile(path) as archive:
            folders = (one.filename for one in archive.infolist() if one.external_attr & FOLDER)
            damaged = archive.testzip() or next(folders, None)
    # What a flipped bit makes of an archive: wrong, packed, encrypted, from the future, ...
    except (BadZipFile, RuntimeError, EOFError, ValueError, OverflowError, zlib.error) as error:
        damaged = str(error)
    if damaged is not None:
        raise WeightsUnfit(f"{path} is damaged ({damaged}). Copy or fetch it again.")


def _unreadable(path: Path, error: OSError) -> WeightsUnfit:
    return WeightsUnfit(f"{path} cannot be read: {error.strerror or error}.")
