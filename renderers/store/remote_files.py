"""Files in a bucket, or in any other file system of fsspec, by their paths below a URL.

Each operation is repeated while the service does not answer, until the outage is too long; its
errors are those of a local file system (`remote_errors.py`). Credentials are found by the service's
own client.

    attempt ─▶ no answer, or an error that may heal ─▶ wait 0.25 s, 0.5 s … 15 s ─▶ attempt …
            └▶ a result, or an error that cannot heal: returned or raised at once

Meanwhile the operation's data stays in memory, so nothing that was rendered is lost.
"""

from __future__ import annotations

import errno
import random
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import fsspec.config
import fsspec.core

from audiomill.renderers.engine.errors import StoreError
from audiomill.renderers.host.installation import this_installation
from audiomill.renderers.host.waiting import UNATTENDED, Attempt, Waiter, in_words
from audiomill.renderers.store.remote_errors import RemotePlace, as_os_error, is_permanent, words_of

ATTEMPT_S = 120.0  # without an answer, after which an attempt is given up; S3's client takes less
ONLY_ATTEMPT_S = 30.0  # the same for an operation that is not repeated
TELL_AFTER_S = 5.0  # without success, after which the user is told
TELL_EVERY_S = 60.0
FIRST_DELAY_S = 0.25
LONGEST_DELAY_S = 15.0

T = TypeVar("T")

# `Retries` tries again, and tells the user. S3's client would do so for minutes in silence.
S3_PROTOCOLS = ("s3", "s3a")
# A window has eight writers, and a worker may have several windows. With the client's usual ten
# connections they would wait for each other.
S3_CONFIG = {"retries": {"total_max_attempts": 1}, "max_pool_connections": 64}


class Retries:
    """Runs operations on a place, each as often as it takes. Thread-safe.

    Without a waiter an operation is tried once: its error is raised, and nobody is told.
    """

    def __init__(self, place: RemotePlace, waiter: Waiter | None) -> None:
        self._place = place
        self._repeats = waiter is not None
        self._attempt_s = min(ATTEMPT_S, waiter.outage_s) if waiter else ONLY_ATTEMPT_S
        self._waiter: Waiter = waiter or UNATTENDED
        self._outage_s = self._waiter.outage_s
        self._lock = threading.Lock()
        # The first failure since the last answer: what begins late does not wait all over again.
        self._outage_from_s = float("inf")
        self._notified_s = float("-inf")  # when the user last read that the store is away
        self._is_awaited = False  # the user knows of it, and not yet of an answer

    def run(self, operation: Callable[[], T]) -> T:
        """The operation's result.

        Raises OSError where trying again cannot help, StoreError after so long an outage as
        the waiter waits for, what else the operation raises, and what stops the run.
        """
        started_s = self._waiter.now_s()
        delay_s = FIRST_DELAY_S
        while True:
            try:
                result = self._attempt(operation, started_s)
            except OSError as error:
                if not self._repeats:
                    raise
                if is_permanent(error):
                    self._end_outage()  # it is an answer
                    raise
                if self._is_too_late(started_s):
                    raise self._outage_error(error) from error
                self._tell(words_of(error), started_s)
            else:
                self._end_outage()
                return result
            # Random, so that many writers do not come back at the same moment.
            self._waiter.sleep(delay_s * random.uniform(0.5, 1))  # noqa: S311
            delay_s = min(2 * delay_s, LONGEST_DELAY_S)

    def _attempt(self, operation: Callable[[], T], started_s: float) -> T:
        """The result of one attempt. Raises what the operation raises, and TimeoutError."""
        attempt = Attempt(operation)
        attempted_s = self._waiter.now_s()
        left_s = self._outage_from_s + self._outage_s - attempted_s
        limit_s = min(self._attempt_s, max(left_s, TELL_AFTER_S))
        while not attempt.done.is_set():
            self._waiter.wait(attempt.done, TELL_AFTER_S)
            if not attempt.done.is_set():
                self._tell("no answer", started_s)
                if self._waiter.now_s() - attempted_s >= limit_s:
                    raise TimeoutError(f"no answer for {limit_s:.0f} s")
        return attempt.result()

    def _is_too_late(self, started_s: float) -> bool:
        """Whether this operation has failed for the whole outage, or all of them have."""
        now_s = self._waiter.now_s()
        with self._lock:
            since_s = started_s if now_s - started_s >= self._outage_s else now_s
            self._outage_from_s = min(self._outage_from_s, since_s)
            return now_s - self._outage_from_s >= self._outage_s

    def _outage_error(self, error: OSError) -> StoreError:
        return StoreError(
            f"The {self._place} did not answer for {in_words(self._outage_s)}"
            f" ({words_of(error)}). What it has is kept: run the same command again when it"
            f" answers, or {self._place.instead}."
        )

    def _end_outage(self) -> None:
        with self._lock:
            self._outage_from_s = float("inf")
            was_awaited, self._is_awaited = self._is_awaited, False
        if was_awaited:
            self._waiter.tell(f"The {self._place} answers again.")

    def _tell(self, reason: str, started_s: float) -> None:
        """Tell the user, once a minute, that the run waits."""
        now_s = self._waiter.now_s()
        with self._lock:
            is_known = now_s - self._notified_s < TELL_EVERY_S
            if now_s - started_s < TELL_AFTER_S or is_known:
                return
            self._notified_s, self._is_awaited = now_s, True
        self._waiter.tell(
            f"The {self._place} has not answered for {now_s - started_s:.0f} s ({reason})."
            f" Waiting for it, for {in_words(self._outage_s)} at most; nothing is lost."
        )


class RemoteFiles:
    """The files below a URL. Thread-safe, if its client is.

    All methods raise OSError, and StoreError if the service does not answer or has no bucket of
    that name, or if there are no credentials.
    """

    def __init__(self, place: RemotePlace, waiter: Waiter | None = None) -> None:
        """Raises StoreError for a URL that fsspec cannot use."""
        self._place = place
        self._files, self._root = _opened(place)
        self._is_s3 = _is_s3(place.url)
        self._retries = Retries(place, waiter)

    def read(self, path: str, max_bytes: int) -> bytes:
        """The content of a file. Raises FileNotFoundError if there is none."""

        def read() -> bytes:
            # Not more, whoever wrote it. A range also saves S3's client from asking for the size.
            return self._files.cat_file(self._path(path), start=0, end=max_bytes + 1)

        data = self._run(read)
        if len(data) > max_bytes:
            raise OSError(errno.EFBIG, f"it has more than {max_bytes:,} bytes")
        return data

    def write(self, path: str, data: bytes, **options: Any) -> None:
        """Write or replace a whole file. `options` are those of the file system's `pipe_file`."""
        # Of bytes S3's client makes a file, and of a file it sends the head first, and waits for
        # "100 Continue": a second round trip.
        body = bytearray(data) if self._is_s3 else data
        self._in_folder(path, lambda: self._files.pipe_file(self._path(path), body, **options))

    def put(self, path: str, source: Path, **options: Any) -> None:
        """Write or replace a file with a local one. `options` are those of `put_file`."""
        name = str(source)
        self._in_folder(path, lambda: self._files.put_file(name, self._path(path), **options))

    def size(self, path: str) -> int | None:
        """The size of a file in bytes; None if there is no such file."""

        def size() -> int | None:
            info = self._files.info(self._path(path))
            return info["size"] if info["type"] == "file" else None

        try:
            return self._run(size)
        except FileNotFoundError:
            return None

    def rename(self, path: str, new: str) -> None:
        """Give a file another name, which another file may have had."""
        self._run(lambda: self._files.mv(self._path(path), self._path(new)))

    def remove(self, path: str) -> None:
        """Remove a file, if it is there."""
        # It may be gone by an earlier attempt whose answer was lost.
        with suppress(FileNotFoundError):
            self._run(lambda: self._files.rm_file(self._path(path)))

    def _path(self, path: str) -> str:
        return f"{self._root}/{path}"

    def _run(self, operation: Callable[[], T]) -> T:
        def attempt() -> T:
            with as_os_error(self._place):
                return operation()

        return self._retries.run(attempt)

    def _in_folder(self, path: str, operation: Callable[[], object]) -> None:
        """Do what writes a file. Where it fails for want of a folder, create that."""

        def attempt() -> None:
            try:
                operation()
            except FileNotFoundError:
                self._make_folder(self._path(path).rpartition("/")[0])
                operation()

        self._run(attempt)

    def _make_folder(self, folder: str) -> None:
        """Create a folder, in file systems that have folders, but no bucket: it may be mistyped.

        Raises StoreError if the bucket, or the first folder, does not exist.
        """
        first = folder.lstrip("/").partition("/")[0]
        bucket = folder[: folder.index(first)] + first
        if not self._files.exists(bucket):
            raise StoreError(
                f"The {self._place} has no bucket or folder “{first}”."
                " Correct the name, or create it first."
            )
        self._files.makedirs(folder, exist_ok=True)


def _opened(place: RemotePlace) -> tuple[Any, str]:
    """The file system of a URL, and the path in it. Raises StoreError."""
    try:
        files, root = fsspec.core.url_to_fs(place.url, **_client_options(place.url))
    except ImportError as error:
        hint = f" {this_installation().hint('s3')}" if place.url.startswith("s3") else ""
        raise StoreError(
            f"The {place} needs a package that is not here: {words_of(error)}.{hint}"
        ) from error
    # What else a file system raises for a URL that it does not understand is its own choice.
    except Exception as error:
        raise StoreError(
            f"The {place} cannot be used: {words_of(error)}."
            " Give a folder, or a URL such as s3://bucket/folder."
        ) from error
    if _is_s3(place.url):
        files.retries = 1
    return files, root.rstrip("/")


def _is_s3(url: str) -> bool:
    return url.partition("://")[0] in S3_PROTOCOLS


def _client_options(url: str) -> dict[str, Any]:
    """Options for the client, below those of the user's configuration of fsspec."""
    if not _is_s3(url):
        return {}
    protocol = url.partition("://")[0]
    users: dict[str, Any] = fsspec.config.conf.get(protocol, {})
    return {"config_kwargs": S3_CONFIG | users.get("config_kwargs", {})}
