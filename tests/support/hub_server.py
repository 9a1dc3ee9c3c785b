"""A stand-in for the Hugging Face Hub on loopback: its addresses, headers, codes and failures.

Small files lie in the repository itself; those that end in .pth and .pt are large ones, to which
it redirects. Source: what huggingface_hub's `file_download.py` and `utils/_http.py` read.
"""

import hashlib
import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import huggingface_hub
import huggingface_hub.constants as hub_constants
import pytest

from support.loopback import Handler, Server, listening

INFO = re.compile(r"/api/models/(?P<repo>[^/]+/[^/]+)/(?P<what>(revision|tree)/\w+)(\?.*)?")
RESOLVE = re.compile(r"/(?P<repo>[^/]+/[^/]+)/resolve/(?P<revision>[^/]+)/(?P<file>.+)")
LARGE = (".pth", ".pt")


def sha256(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


@dataclass
class Fault:
    """What goes wrong with the next `times` requests by `method`."""

    status: int = 0
    code: str = ""
    cut_at: int | None = None  # bytes of the body, then the line is dead
    method: str = "HEAD"
    times: int = 100
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Seen:
    """A request that came in."""

    method: str
    path: str
    range: str | None
    token: str | None


class Hub(Server):
    """The server, with the files of any number of repositories."""

    def __init__(self) -> None:
        super().__init__(HubHandler)
        self.files: dict[tuple[str, str, str], bytes] = {}  # (repo, revision, file)
        self.faults: list[Fault] = []
        self.seen: list[Seen] = []

    @property
    def cdn_url(self) -> str:
        """The same server under the name of another host: to those the client sends no token."""
        return f"http://localhost:{self.server_port}"

    def publish(self, repo: str, revision: str, files: dict[str, bytes]) -> None:
        self.files |= {(repo, revision, file): body for file, body in files.items()}

    def fault_for(self, method: str) -> Fault:
        for fault in self.faults:
            if fault.method == method and fault.times:
                fault.times -= 1
                return fault
        return Fault()


class HubHandler(Handler):
    server: Hub

    def do_GET(self) -> None:
        self._answer()

    do_HEAD = do_GET  # noqa: N815 - the names of http.server

    def _answer(self) -> None:
        asked = self.headers.get("Range"), self.headers.get("Authorization")
        self.server.seen.append(Seen(self.command, self.path, *asked))
        fault = self.server.fault_for(self.command)
        if fault.status:
            self._refuse(fault.status, fault.code, fault.headers)
        elif found := RESOLVE.fullmatch(self.path):
            self._resolve(fault, **found.groupdict())
        elif found := INFO.fullmatch(self.path):
            self._describe(fault, found["repo"], found["what"])
        else:
            bodies = {sha256(body): body for body in self.server.files.values()}
            body = bodies.get(self.path.removeprefix("/cdn/"))
            self._refuse(404, "") if body is None else self._send(fault, body)

    def _resolve(self, fault: Fault, repo: str, revision: str, file: str) -> None:
        body = self.server.files.get((repo, revision, file))
        if body is None:
            known = self.server.files
            if not any(key[0] == repo for key in known):
                self._refuse(401, "RepoNotFound")  # as the Hub does for who is not logged in
            elif not any(key[:2] == (repo, revision) for key in known):
                self._refuse(404, "RevisionNotFound")
            else:
                self._refuse(404, "EntryNotFound", {"X-Repo-Commit": revision})
        elif file.endswith(LARGE):
            self._redirect(revision, body)
        else:
            blob = hashlib.sha1(b"blob %d\0" % len(body) + body, usedforsecurity=False)
            self._send(fault, body, {"ETag": f'"{blob.hexdigest()}"', "X-Repo-Commit": revision})

    def _describe(self, fault: Fault, repo: str, what: str) -> None:
        """A commit and its files, which a client asks for to get all. "main" is the last one."""
        commits = [key[1] for key in self.server.files if key[0] == repo]
        if not commits:
            self._refuse(401, "RepoNotFound")
            return
        asked = what.partition("/")[2]
        commit = commits[-1] if asked == "main" else asked
        keys = [key for key in self.server.files if key[:2] == (repo, commit)]
        if not keys:
            self._refuse(404, "RevisionNotFound")
            return
        told: object = [
            {"type": "file", "path": key[2], "size": len(self.server.files[key]), "oid": ""}
            for key in keys
        ]
        if what.startswith("revision"):
            files = [{"rfilename": file} for _, _, file in keys]
            told = {"id": repo, "modelId": repo, "sha": commit, "siblings": files}
        self._send(fault, json.dumps(told).encode(), {"Content-Type": "application/json"})

    def _redirect(self, revision: str, body: bytes) -> None:
        digest = sha256(body)
        self.reply(
            302,
            headers={
                "Location": f"{self.server.cdn_url}/cdn/{digest}",
                "X-Repo-Commit": revision,
                "X-Linked-Etag": f'"{digest}"',
                "X-Linked-Size": str(len(body)),
            },
        )

    def _send(self, fault: Fault, body: bytes, headers: dict[str, str] | None = None) -> None:
        first = 0
        span = {}
        if found := re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", "")):
            first = int(found[1])
            span = {"Content-Range": f"bytes {first}-{len(body) - 1}/{len(body)}"}
        rest = body[first:]
        size = {"Content-Length": str(len(rest)), "Accept-Ranges": "bytes"}
        told = (headers or {}) | size | span
        self.reply(206 if span else 200, rest[: fault.cut_at], told)
        if self.command == "GET":
            self.close_connection = fault.cut_at is not None

    def _refuse(self, status: int, code: str, headers: dict[str, str] | None = None) -> None:
        named = {"X-Error-Code": code} if code else {}
        self.reply(status, headers=named | (headers or {}))


@contextmanager
def serving(monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[Hub]:
    """A hub that this process's client takes for the real one; it never sleeps between tries.

    The client reads its environment when it is imported, so what it read is replaced.
    """
    hub = Hub()
    template = hub.url + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(hub_constants, "ENDPOINT", hub.url)
    monkeypatch.setattr(hub_constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    monkeypatch.setattr(hub_constants, "HF_HUB_CACHE", str(home / "hub"))
    monkeypatch.setattr(hub_constants, "HF_TOKEN_PATH", str(home / "token"))
    monkeypatch.setattr(hub_constants, "HF_HUB_OFFLINE", False)
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.setattr(time, "sleep", lambda _seconds: None)
    with listening(hub):
        yield hub
        huggingface_hub.close_session()
