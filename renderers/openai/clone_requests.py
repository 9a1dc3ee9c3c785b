"""The cloned voices of one server, and what its requests say of them.

    vLLM-Omni      {"ref_audio": "data:audio/wav;base64,…", "ref_text": "…"}
    SGLang-Omni    {"references": [{"audio_path": "data:audio/wav;base64,…", "text": "…"}]}
    Xinference     a form, with the file prompt_speech, and prompt_text in the JSON of kwargs
    uploaded       {"voice": "audiomill-…"}, and see `uploads.py`

Sources: docs/serving/speech_api.md of vllm-omni and docs/cookbook/fishaudio_s2_pro.md of
sglang-omni, in late 2026; the checks of sglang-omni's requests take data URLs. Xinference of
2026-08: `api/restful_api.py` (create_speech), `client/restful/restful_client.py`.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from audiomill.renderers.host.threads import MadeOnce
from audiomill.renderers.host.waiting import Waiter
from audiomill.renderers.openai.cloning import UploadRoute
from audiomill.renderers.openai.profiles import ServerProfile
from audiomill.renderers.openai.uploads import VoiceUploads, uploaded_name
from audiomill.renderers.reference_voices.clones import Clone, ClonedVoices
from audiomill.renderers.servers.client import ServerClient
from audiomill.renderers.speech.wav import MEDIA_TYPE

NO_VOICE = "default"  # what vLLM-Omni and SGLang-Omni want as the voice beside a recording
# What Xinference's requests have besides `kwargs`.
XINFERENCE_FIELDS = ("model", "input", "voice", "response_format", "speed", "stream")


@dataclass(frozen=True, slots=True)
class SpokenBy:
    """What a request says of the voice: fields, and a file if it is to be a form."""

    fields: Mapping[str, object]
    files: Mapping[str, bytes] | None = None


class ServerClones(ClonedVoices):
    """The voices in a folder, for one server and model. Any thread may use it."""

    def __init__(
        self,
        folder: Path | None,
        profile: ServerProfile,
        model: str,
        sample_rate: int,
        client: ServerClient,
    ) -> None:
        """Reads and sends nothing. `profile` is that of the model."""
        super().__init__(folder, profile.clone_needs_with(model))
        self._spoken_by = MadeOnce[Clone, SpokenBy](
            lambda clone: spoken_by_clone(profile, model, clone, sample_rate)
        )
        route = profile.clones.route if profile.clones else None
        self._uploads = (
            VoiceUploads(client, profile.title, route, sample_rate)
            if isinstance(route, UploadRoute)
            else None
        )

    def spoken_by(self, clone: Clone) -> SpokenBy:
        """What each request says of a voice. Raises EngineMissing."""
        return self._spoken_by.of(clone)

    def key_of(self, clone: Clone) -> str:
        """All that the server gets of a voice, for keys."""
        language = self._uploads.language_of(clone) if self._uploads else ""
        return f"clone {clone.digest} {language}".rstrip()

    def at_hand(self, clones: Collection[Clone], waiter: Waiter) -> AbstractContextManager[object]:
        """A block in which the server has these voices. Raises EngineFailed if it has not."""
        if not clones or self._uploads is None:
            return nullcontext()
        return self._uploads.at_hand(clones, waiter)


def spoken_by_clone(profile: ServerProfile, model: str, clone: Clone, sample_rate: int) -> SpokenBy:
    """What a request says instead of a voice's own name. Raises EngineMissing."""
    route = profile.clones.route if profile.clones else ""
    if isinstance(route, UploadRoute):
        return SpokenBy({"voice": uploaded_name(route, clone)})
    recording = clone.cleaned_wav(sample_rate)
    if route == "prompt_speech":
        text = {"prompt_text": clone.text} if clone.text else {}
        return SpokenBy({"voice": "", **text}, {"prompt_speech": recording})
    address = f"data:{MEDIA_TYPE};base64,{base64.b64encode(recording).decode('ascii')}"
    if route == "references":
        reference = {"audio_path": address, "text": clone.text}
        return SpokenBy({"voice": NO_VOICE, "references": [reference]})
    # Qwen3-TTS has a task for it and no voice; the other models have neither task.
    how = {"task_type": "Base"} if "Qwen3-TTS" in model else {"voice": NO_VOICE}
    return SpokenBy({**how, "ref_audio": address, "ref_text": clone.text})


def with_kwargs(body: Mapping[str, object]) -> Mapping[str, object]:
    """A body as Xinference takes it: what its requests have no field for is in a text of JSON."""
    own = {name: body[name] for name in XINFERENCE_FIELDS if name in body}
    more = {name: value for name, value in body.items() if name not in own}
    return {**own, "kwargs": json.dumps(more)} if more else own
