"""Addresses between the files of an EPUB, which are named by their paths in the archive. Pure."""

from __future__ import annotations

import posixpath
from urllib.parse import quote

from audiomill.inputs.epub.package import resolve

_IN_PATH = "/@!$&'()+,;=~-._"  # what needs no escape
_IN_FRAGMENT = f"{_IN_PATH}:"


def relative_url(folder: str, path: str, fragment: str = "") -> str:
    """The URL of an entry, or of a place in it, from a file in `folder`."""
    relative = quote(posixpath.relpath(path, folder or "."), safe=_IN_PATH)
    return relative + (fragment_url(fragment) if fragment else "")


def fragment_url(fragment: str) -> str:
    """The URL of a place in the same file."""
    return "#" + quote(fragment, safe=_IN_FRAGMENT)


def linked_path(path: str, href: str) -> str:
    """The entry that a link in the file at `path` leads to; "" for one that leads elsewhere."""
    linked, _ = resolve(posixpath.dirname(path), href)
    return posixpath.normpath(linked) if linked else ""
