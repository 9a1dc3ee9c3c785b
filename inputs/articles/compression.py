"""Decompresses the body of an HTTP answer, without ever holding much more than is allowed.

A few kilobytes can hold gigabytes, so each step asks for a bounded piece.
Sources: RFC 9110, 8.4.1; RFC 1950 to 1952; RFC 7932 (brotli).
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

import brotli

from audiomill.inputs.articles.page import Refused

ACCEPTED = "gzip, deflate, br"  # the value of Accept-Encoding
_PIECE_BYTES = 1 << 16
_AUTO_DETECT = 32 + zlib.MAX_WBITS  # of zlib and gzip
_GZIP = b"\x1f\x8b"
_RAW = -zlib.MAX_WBITS


class _Decompressor(Protocol):
    @property
    def is_complete(self) -> bool: ...
    def pieces(self, data: bytes) -> Iterator[bytes]: ...


def decompressed(chunks: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """The content of `chunks` in pieces of bounded size; `encoding` is a Content-Encoding.

    Raises Refused if the content is damaged, or encoded in another way.
    """
    name = encoding.strip().lower()
    if name in {"", "identity"}:
        yield from chunks
        return
    if name not in _DECOMPRESSORS:
        raise Refused(f"its content is encoded as “{encoding}”, which is not known")
    decompressor = _DECOMPRESSORS[name]()
    try:
        for chunk in chunks:
            yield from decompressor.pieces(chunk)
    except (zlib.error, brotli.error) as error:
        raise Refused(f"its {name} content is damaged ({error})") from error
    if not decompressor.is_complete:
        raise Refused(f"its {name} content is cut short")


class _Zlib:
    """gzip with any number of members, and deflate with or without the header of zlib.

    What follows and is no further member is padding, and left out, as browsers do.
    """

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(_AUTO_DETECT)
        self._is_first, self._has_begun = True, False

    @property
    def is_complete(self) -> bool:
        return not self._has_begun

    def pieces(self, data: bytes) -> Iterator[bytes]:
        while data:
            if not self._has_begun and not self._is_first and not _GZIP.startswith(data[:2]):
                return
            piece = self._piece(data)
            data = self._inner.unconsumed_tail
            if self._inner.eof:
                data = self._inner.unused_data
                self._inner = zlib.decompressobj(_AUTO_DETECT)
                self._is_first, self._has_begun = False, False
            if piece:
                yield piece

    def _piece(self, data: bytes) -> bytes:
        is_new, self._has_begun = not self._has_begun, True
        try:
            return self._inner.decompress(data, _PIECE_BYTES)
        except zlib.error:
            if not is_new or data.startswith(_GZIP):
                raise
        self._inner = zlib.decompressobj(_RAW)  # as some servers send deflate
        return self._inner.decompress(data, _PIECE_BYTES)


class _Brotli:
    def __init__(self) -> None:
        self._inner = brotli.Decompressor()

    @property
    def is_complete(self) -> bool:
        return self._inner.is_finished()

    def pieces(self, data: bytes) -> Iterator[bytes]:
        piece = self._inner.process(data, output_buffer_limit=_PIECE_BYTES)
        # It accepts more data as soon as it holds none, though it still has content of what it got.
        while piece:
            yield piece
            piece = self._inner.process(b"", output_buffer_limit=_PIECE_BYTES)


_DECOMPRESSORS: dict[str, Callable[[], _Decompressor]] = {
    "gzip": _Zlib,
    "x-gzip": _Zlib,
    "deflate": _Zlib,
    "br": _Brotli,
}
