"""The recording of a cloned voice within a request for speech.

    vLLM-Omni      {"ref_audio": "data:audio/wav;base64,…", "ref_text": "…"}
    SGLang-Omni    {"references": [{"audio_path": "data:audio/wav;base64,…", "text": "…"}]}

Sources: docs/serving/speech_api.md of vllm-omni and docs/cookbook/fishaudio_s2_pro.md of
sglang-omni, in late 2026; the checks of sglang-omni's requests take data URLs.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping

from audiomill.renderers.reference_voices.clones import Clone
from audiomill.renderers.servers.profiles import ServerProfile

# Of Qwen3-TTS, only Base models clone; the server refuses a recording with any other.
NO_CLONING = ("CustomVoice", "VoiceDesign")
NO_VOICE = "default"  # what both servers want as the voice of a request with a recording


def can_clone(profile: ServerProfile, model: str) -> bool:
    """Whether the server takes recordings with this model."""
    return bool(profile.clones) and not any(kind in model for kind in NO_CLONING)


def reference_fields(
    profile: ServerProfile, model: str, clone: Clone, sample_rate: int
) -> Mapping[str, object]:
    """What a request says instead of a voice's name. Raises EngineMissing."""
    wav = base64.b64encode(clone.wav(sample_rate)).decode("ascii")
    address = f"data:audio/wav;base64,{wav}"
    if profile.clones == "references":
        reference = {"audio_path": address, "text": clone.text}
        return {"voice": NO_VOICE, "references": [reference]}
    # Qwen3-TTS has a task for it and no voice; the other models have neither task.
    how = {"task_type": "Base"} if "Qwen3-TTS" in model else {"voice": NO_VOICE}
    return {**how, "ref_audio": address, "ref_text": clone.text}
