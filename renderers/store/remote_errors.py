"""What errors of network file systems mean: whether waiting can help, and what the user can do.

fsspec documents no error types. Each of its file systems raises those of its own client, and some
OSError. So an error is judged by its HTTP status, its class and the names of its classes.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from audiomill.renderers.engine.errors import StoreError

_PERMANENT = (
    *(PermissionError, FileNotFoundError, FileExistsError, IsADirectoryError, NotADirectoryError),
    *(AttributeError, ImportError, NotImplementedError, TypeError, ValueError),
)
_PERMANENT_ERRNO = {
    *(errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EFBIG),
    *(errno.EINVAL, errno.ENAMETOOLONG, errno.ENOSYS, errno.ENOTSUP, errno.ELOOP),
}
_TRANSIENT_STATUS = {408, 425, 429}  # of the client errors; all others will be the same again
# Of S3's client errors: the upload was cut or changed on the way, or met another one of the same
# object. They have the status of what will be the same again.
_TRANSIENT_CODES = {
    *("BadDigest", "IncompleteBody", "RequestTimeout", "XAmzContentSHA256Mismatch"),
    *("ConditionalRequestConflict", "OperationAborted"),
}
_NO_CREDENTIALS = re.compile(
    "(No|Partial|Default)Credentials|CredentialUnavailable|ProfileNotFound|NoAuthToken"
    "|SSOToken|SSOError|ClientAuthentication"
)
_MAX_WORDS_CHARS = 300
_MISCONFIGURED = re.compile("NoRegion|InvalidRegion|ParamValidation|UnknownService|Certificate")


@dataclass(frozen=True, slots=True)
class RemotePlace:
    """A place on the network, as messages speak of it."""

    url: str  # without a password
    kind: str = "store"  # as in "the store s3://bucket did not answer"
    instead: str = "choose another place with --store"  # as in "or …"

    def __str__(self) -> str:
        return f"{self.kind} {self.url}"


def is_permanent(error: BaseException) -> bool:
    """Whether the same operation would fail in the same way again, however long one waits."""
    if isinstance(error, TimeoutError):
        return False
    if any(_s3_code(one) in _TRANSIENT_CODES for one in _chain(error)):
        return False
    return any(_is_permanent(one) for one in _chain(error))


def words_of(error: BaseException) -> str:
    """The error's message in one line, without a full stop at its end; its class if it has none."""
    words = (error.strerror if isinstance(error, OSError) else None) or str(error)
    words = " ".join(words.split()) or type(error).__name__
    return words[:_MAX_WORDS_CHARS].rstrip(".:")


@contextmanager
def as_os_error(place: RemotePlace) -> Generator[None]:
    """Turn what a client raises in the block into OSError with a code.

    Raises StoreError if the client has no credentials.
    """
    try:
        yield
    except StoreError:
        raise
    except Exception as error:
        if any(_NO_CREDENTIALS.search(_class_names(one)) for one in _chain(error)):
            raise StoreError(
                f"There are no valid credentials for the {place}: {words_of(error)}."
                " Set them as its service documents it (S3: AWS_ACCESS_KEY_ID and"
                f" AWS_SECRET_ACCESS_KEY, or `aws configure`), or {place.instead}."
            ) from error
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise OSError(_code(error), words_of(error)) from error


def _code(error: Exception) -> int:
    """The code that fits an error without one. OSError makes the class that fits the code."""
    codes = {
        FileNotFoundError: errno.ENOENT,
        PermissionError: errno.EACCES,
        NotImplementedError: errno.EROFS,  # a file system that only reads
        TimeoutError: errno.ETIMEDOUT,
    }
    return next((code for kind, code in codes.items() if isinstance(error, kind)), errno.EIO)


def _is_permanent(error: BaseException) -> bool:
    status = _http_status(error)
    if status is not None:
        return 400 <= status < 500 and status not in _TRANSIENT_STATUS
    if isinstance(error, OSError) and error.errno in _PERMANENT_ERRNO:
        return True
    return isinstance(error, _PERMANENT) or bool(_MISCONFIGURED.search(_class_names(error)))


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error and those that it was raised from."""
    following: BaseException | None = error
    while following is not None:
        yield following
        following = following.__cause__


def _class_names(error: BaseException) -> str:
    return " ".join(kind.__name__ for kind in type(error).__mro__)


def _s3_code(error: Any) -> str | None:
    """The code in an error of botocore, such as "NoSuchKey"."""
    response = getattr(error, "response", None)
    return response.get("Error", {}).get("Code") if isinstance(response, dict) else None


def _http_status(error: Any) -> int | None:
    """The HTTP status in an error of botocore, aiohttp, gcsfs, or Azure's client."""
    response = getattr(error, "response", None)
    if isinstance(response, dict):
        return response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    for name in ("status", "status_code", "code"):
        status = getattr(error, name, None)
        if type(status) is int and 100 <= status < 600:
            return status
    return None
