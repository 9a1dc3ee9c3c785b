"""The forms in which servers of speech send audio: WAV of known or unknown length, and events."""

import base64
import json
import struct

PIECE_BYTES = 4800
UNKNOWN = 0xFFFFFFFF


def wav(pcm: bytes, sample_rate: int, unknown_length: bool = False) -> bytes:
    """A WAV file of 16 bits, mono; as servers that stream write it if the length is unknown."""
    length = UNKNOWN if unknown_length else len(pcm)
    riff = UNKNOWN if unknown_length else 36 + len(pcm)
    form = struct.pack("<HHIIHH", 1, 1, sample_rate, 2 * sample_rate, 2, 16)
    head = b"RIFF" + struct.pack("<I", riff) + b"WAVEfmt " + struct.pack("<I", 16) + form
    return head + b"data" + struct.pack("<I", length) + pcm


def event_stream(content: bytes, kind: str) -> bytes:
    """The file in server-sent events, in the dialect of the server."""
    pieces = [content[at : at + PIECE_BYTES] for at in range(0, len(content), PIECE_BYTES)]
    coded = [base64.b64encode(piece).decode() for piece in pieces]
    if kind == "sglang-omni":
        chunks = [{"object": "audio.speech.chunk", "audio": {"data": one}} for one in coded]
        return b"".join(map(_event, chunks)) + b"data: [DONE]\n\n"
    deltas = [{"type": "speech.audio.delta", "audio": one} for one in coded]
    usage = {"input_tokens": 9, "output_tokens": 99, "total_tokens": 108}
    return b"".join(map(_event, [*deltas, {"type": "speech.audio.done", "usage": usage}]))


def _event(content: dict[str, object]) -> bytes:
    return f"data: {json.dumps(content)}\n\n".encode()
