"""Packets out of FLV, the simplest container that keeps an AAC encoder's configuration. Pure.

Adobe Flash Video File Format Specification 10.1, annex E. Header, then tags, each followed by
its length:

    type 1 | size 3 | time 4 | stream 3 | [AAC: format 1 | what 1 | packet] | 11 + size 4
"""

from __future__ import annotations

_FIRST_TAG = 13
_TAG_HEAD = 11
_LENGTH = 4
_AUDIO = 8
_RAW_AAC = 1  # 0 is the configuration


def packets(flv: bytes, n_packets: int | None, *, with_head: bool) -> bytes:
    """The first `n_packets` audio packets as they stand (None: all), and what is before them.

    Times are those of `flv`. Raises ValueError if it holds fewer packets.
    """
    first, end, left = None, _FIRST_TAG, n_packets
    while end < len(flv) and left != 0:
        start, end = end, end + _TAG_HEAD + int.from_bytes(flv[end + 1 : end + 4]) + _LENGTH
        if flv[start] == _AUDIO and flv[start + _TAG_HEAD + 1] == _RAW_AAC:
            first = start if first is None else first
            left = None if left is None else left - 1
    if first is None or left or end > len(flv):
        raise ValueError(f"{len(flv)} bytes of FLV end too early, {left or 'all'} packets short")
    return flv[0 if with_head else first : end]
