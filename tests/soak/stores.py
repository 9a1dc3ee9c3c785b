"""The two stores of a soak, which are damaged while they are used."""

import random
import shutil
import time
from pathlib import Path

from support.s3_server import BUCKET, S3Server

FAULTS = ((500, "InternalError"), (503, "SlowDown"), (429, "TooManyRequests"), (0, ""))


class Stores:
    """A shared folder and an S3. Shards vanish and are damaged; the S3 fails, and is away."""

    def __init__(self, folder: Path, server: S3Server, numbers: random.Random) -> None:
        self.folder = folder
        self._server = server
        self._numbers = numbers
        self._away_until_s = 0.0
        self.n_damaged = 0
        server.fault = self._fault

    def variables(self, numbers: random.Random) -> dict[str, str]:
        """The environment of a run, which chooses one of both."""
        if numbers.random() < 0.6:
            return {"AUDIOMILL_STORE": str(self.folder)}
        return {
            "AUDIOMILL_STORE": f"s3://{BUCKET}/shards",
            "AWS_ENDPOINT_URL": self._server.url,
            "AWS_ACCESS_KEY_ID": "a",
            "AWS_SECRET_ACCESS_KEY": "b",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
        }

    def _fault(self, _request: str) -> tuple[int, str] | None:
        if time.monotonic() < self._away_until_s:
            return (0, "")
        return self._numbers.choice(FAULTS) if self._numbers.random() < 0.1 else None

    def disturb(self, deadline: float) -> None:
        """Damage something every two seconds until then."""
        while time.monotonic() < deadline:
            time.sleep(2)
            chance = self._numbers.random()
            if chance < 0.01:
                self._away_until_s = time.monotonic() + self._numbers.uniform(5, 60)
            elif chance < 0.02:
                self._forget_half()
            elif chance < 0.5:
                self._damage_object()
            else:
                self._damage_file()

    def _forget_half(self) -> None:
        for path in self._shards()[::2]:
            path.unlink(missing_ok=True)
        for name in list(self._server.objects)[::2]:
            self._server.objects.pop(name, None)

    def _shards(self) -> list[Path]:
        return sorted(self.folder.rglob("*.shard")) if self.folder.exists() else []

    def _damage_file(self) -> None:
        shards = self._shards()
        if not shards:
            return
        path, other = self._numbers.choice(shards), self._numbers.choice(shards)
        try:
            if self._numbers.random() < 0.2:
                damaged = path.with_suffix(".damaged")
                shutil.copyfile(other, damaged)
                damaged.replace(path)
            else:
                path.write_bytes(damaged_bytes(path.read_bytes(), self._numbers))
            self.n_damaged += 1
        except FileNotFoundError:  # a run has just replaced it
            pass

    def _damage_object(self) -> None:
        names = list(self._server.objects)
        if names:
            name = self._numbers.choice(names)
            self._server.objects[name] = damaged_bytes(self._server.objects[name], self._numbers)
            self.n_damaged += 1


def damaged_bytes(content: bytes, numbers: random.Random) -> bytes:
    """Cut, with a changed byte, with a repeated piece, or empty."""
    if not content:
        return b"x"
    at = numbers.randrange(len(content))
    kind = numbers.randrange(4)
    if kind == 0:
        return content[:at]
    if kind == 1:
        return (
            content[:at] + bytes([content[at] ^ (1 + numbers.randrange(255))]) + content[at + 1 :]
        )
    if kind == 2:
        return content[:at] + content[at // 2 :]
    return b""
