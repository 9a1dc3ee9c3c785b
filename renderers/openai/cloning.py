"""How servers get a recording to speak like, with each request or once; and what they need of one.

    with each request    vLLM-Omni, SGLang-Omni, Xinference       see `clone_requests.py`
    once                 Chatterbox TTS Server, Chatterbox TTS API   see `uploads.py`

Light: the catalogue of engines imports it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from audiomill.renderers.engine.clone_needs import LONGEST_S, SHORTEST_S, TextNeed
from audiomill.renderers.speech.wav import SUFFIX

# What names the recording in a request.
InRequest: TypeAlias = Literal["ref_audio", "references", "prompt_speech"]
UPLOAD_PREFIX = "audiomill-"  # of the names of voices that we upload


@dataclass(frozen=True, slots=True)
class UploadRoute:
    """Where a server takes recordings, which are voices of its own from then on.

    Paths are as in `ServerProfile`.
    """

    path: str  # of a form with the recording
    file_field: str
    list_path: str  # of a list of what it has
    name_field: str = ""  # of the form, with the voice's name; "": it is that of the file
    language_field: str = ""  # of the form, with the language that the voice will speak
    # It speaks a voice that it has lost with another one, and says nothing.
    hides_loss: bool = False

    def voice_name(self, digest: str, language: str) -> str:
        """The name of a recording's voice on the server, which follows from what is sent."""
        name = f"{UPLOAD_PREFIX}{digest[:12]}"
        if self.language_field:
            name = f"{name}-{language}"
        return name if self.name_field else f"{name}{SUFFIX}"


@dataclass(frozen=True, slots=True)
class Cloning:
    """What a server does with recordings."""

    route: InRequest | UploadRoute
    text: TextNeed = "needed"
    seconds: tuple[float, float] = (SHORTEST_S, LONGEST_S)  # of the recording
