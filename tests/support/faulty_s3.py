"""A stand-in for S3 that fails as planned, for clients in any number of processes.

Whether a request fails depends on the seed, the request, and how often it was made before: not on
the order in which the requests of many processes come. What was done is counted in `done`.
"""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import count

from support.s3_server import S3Handler, S3Server

ERRORS = {
    "500": (500, "InternalError"),
    "503": (503, "SlowDown"),
    "429": (429, "TooManyRequests"),
    "cut before the work": (0, ""),
    "cut after the work": (-1, ""),
}
CORRUPT = ("changed", "cut short", "another", "older")
AWAY = (0, "")  # as ERRORS has them: no answer at all


@dataclass(frozen=True, slots=True)
class Faults:
    """What fails. A share is one of 0 to 1; the kinds of a fault are equally frequent."""

    error_share: float = 0.0  # of all requests: those of ERRORS
    corrupt_share: float = 0.0  # of reads: changed bytes, cut short, another object, an older one
    torn_share: float = 0.0  # of uploads: the connection ends half-way
    shows_torn: bool = False  # the half is there then, as in stores that are no object stores
    spoiled_share: float = 0.0  # of uploads: a byte was changed on the way, which S3 notices
    outage_after: int = 0  # requests, before the server is away
    outage_requests: int = 0  # for so many it is away
    latency_s: float = 0.0  # of each answer, and of "100 Continue"
    seed: int = 0


class FaultyS3(S3Server):
    """The server. `begin` sets what fails from now on, and forgets what was."""

    def __init__(self) -> None:
        super().__init__(_FaultyHandler)
        self.fault = self._fault
        self.at_half: Callable[[], None] = lambda: None  # called while an upload is half there
        self.begin(Faults())

    def begin(self, faults: Faults) -> None:
        """Fail like this from now on. The objects stay."""
        with self.lock:
            self.faults = faults
            self.done: Counter[str] = Counter()  # by the fault's name
            self.requests.clear()
            self.older: dict[str, bytes] = {}
            self._times: Counter[tuple[str, str]] = Counter()
            self._arrivals = count()

    def chance(self, purpose: str, request: str) -> random.Random:
        """Random numbers for a request, by how often it was made before."""
        with self.lock:
            self._times[purpose, request] += 1
            number = self._times[purpose, request]
        return random.Random(f"{self.faults.seed} {purpose} {request} {number}")

    def note(self, name: str) -> None:
        """Count what was done."""
        with self.lock:
            self.done[name] += 1

    def _fault(self, request: str) -> tuple[int, str] | None:
        if self._is_away():
            self.note("away")
            return AWAY
        numbers = self.chance("error", request)
        if numbers.random() >= self.faults.error_share:
            return None
        name = numbers.choice(list(ERRORS))
        self.note(name)
        return ERRORS[name]

    def _is_away(self) -> bool:
        faults = self.faults
        with self.lock:
            return 0 <= next(self._arrivals) - faults.outage_after < faults.outage_requests

    def store(self, path: str, body: bytes, *, is_new: bool) -> bool:
        before = self.objects.get(path)
        is_kept = super().store(path, body, is_new=is_new)
        if is_kept and before is not None:
            with self.lock:
                self.older[path] = before
        return is_kept

    def content(self, path: str) -> bytes | None:
        content = super().content(path)
        numbers = self.chance("read", path)
        if content is None or numbers.random() >= self.faults.corrupt_share:
            return content
        name = numbers.choice(CORRUPT)
        if name == "older" and path not in self.older:
            name = "another"
        corrupt = self._corrupt(name, path, content, numbers)
        if corrupt == content:
            return content
        self.note(name)
        return corrupt

    def _corrupt(self, name: str, path: str, content: bytes, numbers: random.Random) -> bytes:
        if name == "changed":
            return changed(content, numbers)
        if name == "cut short":
            return content[: numbers.randrange(1, max(2, len(content)))]
        with self.lock:
            if name == "older":
                return self.older[path]
            return self.objects[numbers.choice(_of_same_store(path, self.objects))]


class _FaultyHandler(S3Handler):
    server: FaultyS3

    def handle_expect_100(self) -> bool:
        time.sleep(self.server.faults.latency_s)
        return super().handle_expect_100()

    def _answer(self) -> None:
        time.sleep(self.server.faults.latency_s)
        super()._answer()

    def _whole_body(self) -> bytes | None:
        if self.command != "PUT":
            return super()._whole_body()
        numbers = self.server.chance("upload", self.path)
        if numbers.random() < self.server.faults.torn_share:
            return self._torn(numbers)
        body = super()._whole_body()
        if body and numbers.random() < self.server.faults.spoiled_share:
            self.server.note("spoiled")
            return changed(body, numbers)
        return body

    def _torn(self, numbers: random.Random) -> None:
        """Take a part of the upload, and end the connection."""
        n_bytes = int(self.headers.get("Content-Length", 0))
        part = self.rfile.read(numbers.randrange(n_bytes) if n_bytes else 0)
        self.server.note("torn")
        self.server.at_half()
        if self.server.faults.shows_torn:
            self.server.store(self.path, part, is_new=False)


def _of_same_store(path: str, paths: Iterable[str]) -> list[str]:
    """Another store's identity would be taken for this one's: it tells nothing of its place."""
    store = path.rsplit("/", 2)[0]
    return sorted(one for one in paths if one.startswith(store))


def changed(content: bytes, numbers: random.Random) -> bytes:
    """The content with another byte somewhere."""
    if not content:
        return b"?"
    at = numbers.randrange(len(content))
    return content[:at] + bytes([content[at] ^ numbers.randrange(1, 256)]) + content[at + 1 :]
