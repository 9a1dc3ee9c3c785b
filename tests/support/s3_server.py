"""A stand-in for S3 on loopback: objects in one bucket, and its failures.

It knows no signatures, lists nothing, and keeps nothing of an upload that was not whole. Source:
the S3 API's answers to PutObject, GetObject, HeadObject, DeleteObject and ListObjectsV2.
"""

import base64
import re
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote

from support.loopback import Handler, Server, listening

BUCKET = "books"
KEY_ID, SECRET = "AKIDTESTTEST", "the-secret-of-the-test"


class S3Handler(Handler):
    """Answers requests, as `server` says."""

    server: "S3Server"

    def do_PUT(self) -> None:
        self._answer()

    do_GET = do_HEAD = do_DELETE = do_PUT  # noqa: N815 - the names of http.server

    def _answer(self) -> None:
        body = self._whole_body()
        path = unquote(self.path.partition("?")[0])
        request = f"{self.command} {path}"
        self.server.requests.append(request)
        if body is None:  # the client is gone
            self.close_connection = True
            return
        fault = self.server.fault(request)
        self.is_silent = fault == (-1, "")
        if self.is_silent:
            self.close_connection, fault = True, None
        if fault == (0, ""):
            self.close_connection = True
        elif fault:
            self._refuse(*fault)
        else:
            self._work(path, body)

    def _work(self, path: str, body: bytes) -> None:
        bucket, _, key = path.lstrip("/").partition("/")
        if self.command == "PUT" and not key:
            self.server.created.append(bucket)
            self._send(200, b"")
        elif bucket != BUCKET:
            self._refuse(404, "NoSuchBucket")
        elif self.command == "PUT":
            self._put(path, body)
        elif self.command == "DELETE":
            self.server.objects.pop(path, None)
            self._send(204, b"")
        elif not key:
            self._send(200, b"<ListBucketResult><KeyCount>0</KeyCount></ListBucketResult>")
        elif (content := self.server.content(path)) is None:
            self._refuse(404, "NoSuchKey")
        else:
            self._send_range(content)

    def _put(self, path: str, body: bytes) -> None:
        told = self.headers.get("x-amz-checksum-crc32")
        if told and base64.b64decode(told) != zlib.crc32(body).to_bytes(4):
            self._refuse(400, "BadDigest")
        elif self.server.store(path, body, is_new=self.headers.get("If-None-Match") == "*"):
            self.server.headers[path] = dict(self.headers)
            self._send(200, b"")
        else:
            self._refuse(412, "PreconditionFailed", "<Condition>If-None-Match</Condition>")

    def _whole_body(self) -> bytes | None:
        """What was sent; None if the connection ended before all of it was."""
        body = self.body()
        if len(body) < int(self.headers.get("Content-Length", 0)):
            return None
        if "aws-chunked" not in self.headers.get("Content-Encoding", ""):
            return body
        size, _, rest = body.partition(b"\r\n")  # one chunk is all that these tests send
        return rest[: int(size.partition(b";")[0], 16)]

    def _send_range(self, content: bytes) -> None:
        found = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if not found:
            return self._send(200, content)
        part = content[int(found[1]) : int(found[2]) + 1]
        if not part:
            return self._refuse(416, "InvalidRange")
        last = int(found[1]) + len(part) - 1
        return self._send(206, part, f"bytes {found[1]}-{last}/{len(content)}")

    def _refuse(self, status: int, code: str, more: str = "") -> None:
        text = f"<Error><Code>{code}</Code><Message>{code}</Message>{more}</Error>"
        self._send(status, text.encode())

    def _send(self, status: int, content: bytes, content_range: str = "") -> None:
        if not self.is_silent:
            told = {"Content-Range": content_range} if content_range else {}
            self.reply(status, content, {"ETag": '"0"'} | told)


class S3Server(Server):
    """The server. `fault` names the error that a request gets, as (status, code), or None.

    The status 0 closes the connection without an answer; so does -1, after the work is done.
    """

    def __init__(self, handler: type[S3Handler] = S3Handler) -> None:
        super().__init__(handler)
        self.objects: dict[str, bytes] = {}
        self.headers: dict[str, dict[str, str]] = {}  # that objects were put with, by their path
        self.requests: list[str] = []  # "PUT /books/shards/probe"
        self.created: list[str] = []  # buckets
        self.fault: Callable[[str], tuple[int, str] | None] = lambda _request: None
        self.lock = threading.Lock()

    def store(self, path: str, body: bytes, *, is_new: bool) -> bool:
        """Keep an object, but no other one if it `is_new`. Returns whether it was kept."""
        with self.lock:
            if is_new and path in self.objects:
                return False
            self.objects[path] = body
            return True

    def content(self, path: str) -> bytes | None:
        """What a reader gets; None if there is no such object."""
        return self.objects.get(path)

    def n_changes(self) -> int:
        """How many of the requests were to change something."""
        return sum(one.startswith(("PUT", "DELETE")) for one in self.requests)


def client_variables(server: S3Server, folder: Path) -> dict[str, str]:
    """The environment of a client of this server. `folder` has no configuration files."""
    return {
        "AWS_ENDPOINT_URL": server.url,
        "AWS_ACCESS_KEY_ID": KEY_ID,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_CONFIG_FILE": str(folder / "none"),
        "AWS_SHARED_CREDENTIALS_FILE": str(folder / "none"),
    }


@contextmanager
def serving_s3(server: S3Server | None = None) -> Iterator[S3Server]:
    with listening(server or S3Server()) as running:
        yield running
