"""The places that a podcast's file names: told at once where there can be no such place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from audiomill.flows.podcast.config.show import KINDS, WEB_KINDS, PodcastShow
from audiomill.flows.web_address import is_web_address
from audiomill.inputs.suggestions import did_you_mean
from audiomill.inputs.toml_text import Key
from audiomill.renderers.host.folders import expanded

_ADDRESS = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+:/")  # a path has kept one of the two slashes


def place_problems(show: PodcastShow) -> Iterator[tuple[tuple[Key, ...], str]]:
    """(path of the value, what is wrong) of each address and path. Addresses of sources: not here.

    Whether there is anything at a path may change until the show is made, and is not looked at.
    """
    if not _is_base(show.address):
        yield ("address",), 'address: write where it is served, like "https://pod.example.org/".'
    elif "@" in urlsplit(show.address).netloc:
        yield (
            ("address",),
            "address: leave the name and the password out: they would be in every URL of the feed."
            " With {token} in it, only those know the address to whom you give it.",
        )
    if "://" in show.folder:
        yield from _of_url(show.folder)
    for where, path in _paths(show):
        yield from ((where, f"{where[-1]}: {problem}.") for problem in _of_path(path))


def _is_base(address: str) -> bool:
    """Whether URLs can begin with an address: it is a folder's, and nothing follows its path."""
    if not (is_web_address(address) and address.isprintable() and " " not in address):
        return False
    return not any(mark in address for mark in "?#")


def _of_url(folder: str) -> Iterator[tuple[tuple[Key, ...], str]]:
    from fsspec import available_protocols  # which takes a while to import

    parts = urlsplit(folder)
    if parts.scheme.lower() in ("http", "https"):
        yield (
            ("folder",),
            "folder: nothing can be written to a web address. Write a path, or a place such as"
            " s3://bucket/folder; the address that it is served at is “address”.",
        )
    elif parts.password is not None:
        yield ("folder",), "folder: leave the password out; its service's own settings have it."
    elif parts.scheme not in (known := available_protocols()):
        hint = did_you_mean(parts.scheme, known, n=1)
        yield ("folder",), f"folder: there is no place “{parts.scheme}:”.{hint}"


def _paths(show: PodcastShow) -> Iterator[tuple[tuple[Key, ...], str]]:
    """Each path of a file or a folder, with where it stands."""
    if "://" not in show.folder:
        yield ("folder",), show.folder
    if show.image is not None:
        yield ("image",), str(show.image)
    yield from ((("music", use), str(path)) for use, path in show.music.files.items())
    for index, source in enumerate(show.sources):
        if source.kind and source.kind not in WEB_KINDS:
            yield ("sources", index, source.kind), source.place


def _of_path(path: str) -> Iterator[str]:
    if _ADDRESS.match(path):
        yield (
            "write a path on this machine; addresses of articles are under"
            f" {', '.join(key for key in KINDS if key in WEB_KINDS)}"
        )
        return
    if not path.isprintable():  # a NUL, which no system takes, or what no person writes
        yield "write a path without control characters"
        return
    try:
        expanded(Path(path))
    except ValueError as error:
        yield str(error)
