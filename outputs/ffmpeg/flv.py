"""Takes AAC packets out of FLV, the simplest container that keeps an encoder's configuration.

A file is a header with the first back pointer; then tags, each a head, a body of the length in
bytes 1 to 3 of the head, and a back pointer. An audio body starts with a byte for the codec and one
for the packet type. Source: Adobe Flash Video File Format Specification, version 10.1, annex E.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

AAC_FRAME = 1024  # samples of a packet; ISO/IEC 14496-3
_FILE_HEADER = 13
_TAG_HEAD = 11
_BACK_POINTER = 4
_AUDIO = 8
_RAW_AAC = 1  # packet type; 0 is the configuration


class FlvPackets:
    """The audio packets of an FLV file, each in its tag. Timestamps stay as they are."""

    def __init__(self, flv: bytes) -> None:
        self.whole = flv
        self._bounds = [
            (start, end)
            for start, end in _tags(flv)
            if flv[start] == _AUDIO and _is_raw(flv, start)
        ]

    def kept(self, n_packets: int | None, *, with_head: bool, n_skipped: int = 0) -> bytes:
        """`n_packets` packets (None: all) after the first `n_skipped`, with what is between them.

        `with_head` includes everything before the first packet. Raises ValueError if there are
        fewer packets, or the last one is not whole.
        """
        end = None if n_packets is None else n_skipped + n_packets
        bounds = self._bounds[n_skipped:end]
        n_missing = 0 if n_packets is None else n_packets - len(bounds)
        if not bounds or n_missing or bounds[-1][1] > len(self.whole):
            raise ValueError(
                f"{len(self.whole)} bytes of FLV end too early, {n_missing or 'all'} packets short"
            )
        return self.whole[0 if with_head else bounds[0][0] : bounds[-1][1]]

    def only(self, numbers: Iterable[int]) -> bytes:
        """The same file with only these packets, in this order. Raises IndexError without one."""
        wanted = (self.whole[slice(*self._bounds[number])] for number in numbers)
        return b"".join((self.whole[: self._bounds[0][0]], *wanted))


def _tags(flv: bytes) -> Iterator[tuple[int, int]]:
    """Where each tag starts and ends; the last one may end after the file."""
    start, length = _FILE_HEADER, len(flv)
    while start < length:
        end = start + _TAG_HEAD + int.from_bytes(flv[start + 1 : start + 4]) + _BACK_POINTER
        yield start, end
        start = end


def _is_raw(flv: bytes, start: int) -> bool:
    packet_type = start + _TAG_HEAD + 1
    return packet_type < len(flv) and flv[packet_type] == _RAW_AAC
