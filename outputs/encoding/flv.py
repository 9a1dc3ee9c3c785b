"""Takes AAC packets out of FLV, the simplest container that keeps an encoder's configuration.

A file is a header with the first back pointer; then tags, each a head, a body of the length in
bytes 1 to 3 of the head, and a back pointer. An audio body starts with a byte for the codec and one
for the packet type. Source: Adobe Flash Video File Format Specification, version 10.1, annex E.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_FILE_HEADER = 13
_TAG_HEAD = 11
_BACK_POINTER = 4
_AUDIO = 8
_RAW_AAC = 1  # packet type; 0 is the configuration


def packets(flv: bytes, n_packets: int | None, *, with_head: bool, n_skipped: int = 0) -> bytes:
    """The FLV tags of `n_packets` audio packets (None: all) after the first `n_skipped`.

    `with_head` includes everything before the first packet. Timestamps stay as they are. Raises
    ValueError if there are fewer packets.
    """
    first, end, n_left = None, _FILE_HEADER, n_packets
    for start, tag_end in _tags(flv):
        if n_left == 0:
            break
        end = tag_end
        if _is_packet(flv, start) and n_skipped:
            n_skipped -= 1
        elif _is_packet(flv, start):
            first = start if first is None else first
            n_left = None if n_left is None else n_left - 1
    if first is None or n_left or end > len(flv):
        raise ValueError(f"{len(flv)} bytes of FLV end too early, {n_left or 'all'} packets short")
    return flv[0 if with_head else first : end]


def only_packets(flv: bytes, numbers: Iterable[int]) -> bytes:
    """The same file with only these packets, in this order. Raises IndexError if one is missing."""
    bounds = [(start, end) for start, end in _tags(flv) if _is_packet(flv, start)]
    kept = (flv[slice(*bounds[number])] for number in numbers)
    return b"".join((flv[: bounds[0][0]], *kept))


def _tags(flv: bytes) -> Iterator[tuple[int, int]]:
    """Where each tag starts and ends; the last one may end after the file."""
    start = _FILE_HEADER
    while start < len(flv):
        end = start + _TAG_HEAD + int.from_bytes(flv[start + 1 : start + 4]) + _BACK_POINTER
        yield start, end
        start = end


def _is_packet(flv: bytes, start: int) -> bool:
    packet_type = start + _TAG_HEAD + 1
    return flv[start] == _AUDIO and flv[packet_type : packet_type + 1] == bytes([_RAW_AAC])
