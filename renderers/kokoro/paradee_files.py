"""Finds the models of Paradee, one for each voice, and fetches those that are missing.

    FOLDER/af_heart/model_int8.onnx    8 million parameters, weights of 8 bits: 9 MB
    FOLDER/af_heart/model.onnx         the same in float32: 33 MB

Paradee is a student of Kokoro: it takes the same phonemes, and speaks as one of its voices. Each
model has one voice, by whose name it is filed. Knows no ONNX Runtime.

Sources: MithrilMan/teacher-in-the-loop on the Hugging Face Hub, at a revision that is pinned, so
that a book rendered next year sounds the same as today; the package teacher-in-the-loop 0.1.0 for
the layout, the tokens and the names of tensors; sahilmahendrakar/paradee for the architecture.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Literal

from audiomill.renderers.engine.errors import EngineMissing
from audiomill.renderers.kokoro.options import ParadeeOptions
from audiomill.renderers.kokoro.weights import hub
from audiomill.renderers.kokoro.weights.hub import sha256_of
from audiomill.renderers.kokoro.weights.releases import HubRepo

PUBLISHED = HubRepo(
    repo="MithrilMan/teacher-in-the-loop",
    revision="cca42f3882e9d36b865883298d8e3c6a6e42b9c0",
    setting="paradee.models",
)
PUBLISHED_VOICES = ("af_heart", "if_sara", "im_nicola")
FILES: Mapping[Literal["int8", "float32"], str] = {
    "int8": "model_int8.onnx",
    "float32": "model.onnx",
}


class ParadeeFiles:
    """The models of the folder that `options` name, or those that are published."""

    def __init__(self, options: ParadeeOptions) -> None:
        self._folder, self._file = options.models, FILES[options.precision]
        self._digests: dict[str, str] = {}

    @cached_property
    def voices(self) -> tuple[str, ...]:
        """The names of the voices. Raises EngineMissing if the folder has none."""
        if self._folder is None:
            return PUBLISHED_VOICES
        found = sorted(path.parent.name for path in self._folder.glob(f"*/{self._file}"))
        if not found:
            raise EngineMissing(
                f"{self._folder}, which paradee.models names, holds no VOICE/{self._file}. Set it"
                " to a folder with one for each voice, or to nothing to have the published ones"
                " fetched; paradee.precision chooses the file."
            )
        return tuple(found)

    def path(self, voice: str) -> Path:
        """The model of a voice, fetched if it is missing. Raises EngineMissing."""
        if self._folder is not None:
            return self._folder / voice / self._file
        return hub.fetch(PUBLISHED, f"{voice}/{self._file}")

    def sha256(self, voice: str) -> str:
        """Of the model of a voice, in hexadecimal. Raises EngineMissing."""
        if voice not in self._digests:
            self._digests[voice] = sha256_of(self.path(voice))
        return self._digests[voice]

    def here(self) -> Path | None:
        """A model that is here, sends no request; None if the first render would fetch it."""
        if self._folder is not None:
            return self.path(self.voices[0])
        found = (hub.cached_path(PUBLISHED, f"{voice}/{self._file}") for voice in self.voices)
        return next(filter(None, found), None)
