"""Serves a show's folder over HTTP: what its list names, to read, and nothing else.

Starlette answers (RFC 9110: ranges, conditional requests), uvicorn listens. What is larger than a
page is sent piece by piece, as fast as a client takes it; so a slow one keeps no other waiting.
Players that are web pages of other sites may read transcripts and chapters, as Podcasting 2.0 asks
(Access-Control-Allow-Origin); those know the address, with its token, from the feed.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from urllib.parse import unquote, urlsplit

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route
from starlette.staticfiles import NotModifiedResponse, StaticFiles

from audiomill.flows.web_server.connections import ConnectionLimits
from audiomill.flows.web_server.listening import is_own_name, serving
from audiomill.outputs.files import read_file
from audiomill.outputs.podcast.http_headers import (
    cache_control,
    is_for_other_sites,
    media_type,
)
from audiomill.outputs.podcast.show import INDEX_NAME
from audiomill.outputs.podcast.show_folder import MANIFEST_NAME, LocalPlace, ShowFolder
from audiomill.outputs.types import OutputUnwritable

MAX_PAGE_BYTES = 64 << 20
# A page's links to other sites must not tell them its address, which may hold the token.
_HEADERS = {"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"}
_MISDIRECTED = "This is not the name in the show's address.\n"
_ALLOWED = "Access-Control-Allow-Origin"
_SENT_WHOLE = ("text/", "application/")  # what is replaced under its name


class FeedApp:
    """Answers requests for the files of a show in a local folder."""

    def __init__(self, folder: Path, address: str) -> None:
        """`address` is where the folder is served, with a slash at its end; its path counts."""
        self._folder = folder
        self._root = unquote(urlsplit(address).path)
        self._host = urlsplit(address).hostname
        self._show = ShowFolder(LocalPlace(folder))
        self._static = StaticFiles(directory=folder, check_dir=False)
        self._names = (0.0, frozenset[str]())  # (when the list was changed, what it names)

    def answer(self, request: Request) -> Response:
        """The file that a request names, for GET and HEAD."""
        if not is_own_name(request.headers.get("host", ""), self._host):
            return Response(_MISDIRECTED, HTTPStatus.MISDIRECTED_REQUEST, media_type="text/plain")
        try:
            name = self._name(str(request.scope["path"]))
            response = self._response(name) if name else None
        except OSError:
            response = None
        if response is None:
            return Response("Nothing is here.\n", HTTPStatus.NOT_FOUND, media_type="text/plain")
        if self._static.is_not_modified(response.headers, request.headers):
            return _unchanged(response)
        return response

    def _name(self, path: str) -> str:
        """The name of the file at a path of a URL; "" if there is none for those who ask so."""
        start, rest = path[: len(self._root)], path[len(self._root) :]
        # In the same time for each wrong token.
        if not hmac.compare_digest(start.encode(), self._root.encode()):
            return ""
        name = rest or INDEX_NAME
        return name if name in self._listed() else ""

    def _listed(self) -> frozenset[str]:
        """The names of the show's files. Raises OSError before there is a list."""
        changed = (self._folder / MANIFEST_NAME).stat().st_mtime_ns
        if changed != self._names[0]:
            try:
                self._names = (changed, self._show.made_names())
            except OutputUnwritable as error:
                raise OSError from error
        return self._names[1]

    def _response(self, name: str) -> Response:
        path = self._folder / name
        headers = {**_HEADERS, "Cache-Control": cache_control(name)}
        if is_for_other_sites(name):
            headers[_ALLOWED] = "*"
        if media_type(name).startswith(_SENT_WHOLE):
            content = read_file(path, MAX_PAGE_BYTES)
            etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
            return Response(content, headers={**headers, "ETag": etag}, media_type=media_type(name))
        found = os.lstat(path)  # a link could lead out of the folder
        if not stat.S_ISREG(found.st_mode):
            raise OSError
        return FileResponse(path, headers=headers, media_type=media_type(name), stat_result=found)


def _unchanged(response: Response) -> Response:
    """The answer to a client that has the file. It may be asked by another site, too."""
    unchanged = NotModifiedResponse(response.headers)
    if allowed := response.headers.get(_ALLOWED):
        unchanged.headers[_ALLOWED] = allowed
    return unchanged


@contextmanager
def serving_feed(
    folder: Path,
    address: str,
    host: str,
    port: int,
    limits: ConnectionLimits | None = None,
) -> Generator[None]:
    """Serve a show in the block, from a thread. Raises UsageError if nobody can listen there."""
    app = Starlette(routes=[Route("/{path:path}", FeedApp(folder, address).answer)])
    with serving(app, host, port, limits or ConnectionLimits()):
        yield
