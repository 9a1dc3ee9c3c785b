"""The published ONNX files of Kokoro-82M v1.0: names, sizes and digests. Only data.

Source: the releases model-files-v1.0 and model-files-v1.1 of github.com/thewh1teagle/kokoro-onnx.
Both hold the same weights. The graphs of the second also give durations, so they are fetched.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audiomill.renderers.kokoro.onnx.options import OnnxPrecision

BASE_URL = "https://github.com/thewh1teagle/kokoro-onnx/releases/download/model-files-v1.1/"


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """A file of the release at BASE_URL. The digest is SHA-256, in hexadecimal."""

    name: str
    n_bytes: int
    sha256: str


MODELS: Mapping[OnnxPrecision, PublishedFile] = {
    "float32": PublishedFile(
        "kokoro-v1.0.onnx",
        325_505_369,
        "beb0d1848dee9a49da392cc3df26958d46cfa35d321edf434f52949153f0df3a",
    ),
    "float16": PublishedFile(
        "kokoro-v1.0.fp16.onnx",
        163_527_961,
        "f3a290d384fbb27966d462905c71a46cef9e5fd00516b40df32a0b4afe77ac96",
    ),
    "int8": PublishedFile(
        "kokoro-v1.0.int8.onnx",
        114_119_327,
        "ae315a79b623f244700e4afb9246c46a26066782e049ba174bf3ba433970ee9c",
    ),
}
VOICES = PublishedFile(
    "voices-v1.0.bin",
    28_214_398,
    "bca610b8308e8d99f32e6fe4197e7ec01679264efed0cac9140fe9c29f1fbf7d",
)
# The same models in the release before, without durations.
EARLIER_MODELS = frozenset(
    {
        "7d5df8ecf7d4b1878015a32686053fd0eebe2bc377234608764cc0ef3636a6c5",
        "c1610a859f3bdea01107e73e50100685af38fff88f5cd8e5c56df109ec880204",
        "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb",
    }
)
PUBLISHED_MODELS = EARLIER_MODELS | {model.sha256 for model in MODELS.values()}
