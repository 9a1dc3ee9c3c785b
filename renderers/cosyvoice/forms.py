"""The forms that CosyVoice's own server takes: one route for each way to name a voice.

    /inference_sft            a speaker of the model
    /inference_zero_shot      a recording with its text
    /inference_cross_lingual  a recording alone
    /inference_instruct       a speaker, and how to speak: version 1
    /inference_instruct2      a recording, and how to speak: versions 2 and 3

Source: CosyVoice of 2026-03, `runtime/python/fastapi/server.py` and `example.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audiomill.renderers.cosyvoice.versions import PROMPT_END, CosyVoiceVersion
from audiomill.renderers.servers.references import SentReference


@dataclass(frozen=True, slots=True)
class SpeechForm:
    """One request."""

    path: str
    fields: Mapping[str, str]
    files: Mapping[str, bytes] | None = None


def speaker_form(text: str, speaker: str, instructions: str) -> SpeechForm:
    """`text` by a speaker of the model."""
    fields = {"tts_text": text, "spk_id": speaker}
    if not instructions:
        return SpeechForm("/inference_sft", fields)
    told = {"instruct_text": f"{instructions}{PROMPT_END}"}
    return SpeechForm("/inference_instruct", {**fields, **told})


def cloned_form(
    text: str, reference: SentReference, instructions: str, version: CosyVoiceVersion
) -> SpeechForm:
    """`text` as the recording sounds."""
    files = {"prompt_wav": reference.wav}
    # Version 3 knows from these words where the text begins.
    prompt = f"{version.prompt}{PROMPT_END}" if version.prompt else ""
    if instructions:
        told = f"{version.prompt} {instructions}".strip() + PROMPT_END
        fields = {"tts_text": text, "instruct_text": told}
        return SpeechForm("/inference_instruct2", fields, files)
    if reference.text:
        fields = {"tts_text": text, "prompt_text": f"{prompt}{reference.text}"}
        return SpeechForm("/inference_zero_shot", fields, files)
    return SpeechForm("/inference_cross_lingual", {"tts_text": f"{prompt}{text}"}, files)
