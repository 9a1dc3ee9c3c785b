"""What a shard file is made of, and how large it may be. Knows nothing of what is in it.

Imports neither NumPy nor libsndfile: the process that writes shards starts in half the time.
"""

from __future__ import annotations

import struct
from typing import TypeAlias

MAGIC = b"\x89AMSHARD"
PREFIX = struct.Struct("<8sI32s")  # magic, bytes of the header, its SHA-256
MAX_HEADER_BYTES = 1 << 20  # a word's timing takes some 40 bytes
MAX_SAMPLES = 1 << 25  # 23 minutes at 24 kHz; the longest segments that engines make take five
MAX_PAYLOAD_BYTES = 3 * MAX_SAMPLES
MAX_BYTES = PREFIX.size + MAX_HEADER_BYTES + MAX_PAYLOAD_BYTES  # of a shard
# What a shard is made of, in order: all before the audio, and the audio, which is not copied.
Part: TypeAlias = bytes | memoryview
Parts: TypeAlias = tuple[Part, ...]
