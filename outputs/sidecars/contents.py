"""The content of each file beside the audio, by its name. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from audiomill.inputs.covers import jpeg_of
from audiomill.outputs.delivery.profile import Sidecar
from audiomill.outputs.sidecars.metadata_json import metadata_json
from audiomill.outputs.sidecars.metadata_opf import metadata_opf
from audiomill.outputs.sidecars.sidecar_book import SidecarBook

# Raise it when the content of a file changes for the same book.
VERSION = 3


def sidecar_content(name: Sidecar, book: SidecarBook) -> bytes:
    """The content of the file with this name; b"" if the book has nothing for it."""
    return _CONTENTS[name](book)


def _cover_jpg(book: SidecarBook) -> bytes:
    return jpeg_of(book.cover) if book.cover else b""


def _desc_txt(book: SidecarBook) -> bytes:
    return _line(book.tags.description)


def _reader_txt(book: SidecarBook) -> bytes:
    """The narrators, in one line: servers read the first one only."""
    return _line(book.tags.narrator)


def _line(text: str) -> bytes:
    return f"{text}\n".encode() if text else b""


_CONTENTS: Mapping[Sidecar, Callable[[SidecarBook], bytes]] = {
    "cover.jpg": _cover_jpg,
    "metadata.json": metadata_json,
    "metadata.opf": metadata_opf,
    "desc.txt": _desc_txt,
    "reader.txt": _reader_txt,
}
