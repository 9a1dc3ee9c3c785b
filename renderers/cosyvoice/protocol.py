"""Forms that CosyVoice's own server takes, and audio that the versions of its models send.

There is one route for each way to name a voice:

    /inference_sft            a speaker of the model
    /inference_zero_shot      a recording with its text
    /inference_cross_lingual  a recording alone
    /inference_instruct       a speaker, and how to speak: version 1
    /inference_instruct2      a recording, and how to speak: versions 2 and 3

The last step of each model makes whole frames of samples: 256 in version 1 (upsampling by 8 and 8,
and a hop of 4), 480 in versions 2 and 3 (8, 5, 3, and 4). So the length of a reply, which is
headerless, shows which version made it, and with that its rate. The server tells none of it.

Sources: CosyVoice of 2026-03: `runtime/python/fastapi/server.py`, `hifigan/generator.py`, the files
`cosyvoice*.yaml`, `example.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from audiomill.renderers.engine.protocol import Voice
from audiomill.renderers.servers.references import SentReference

PROMPT_END = "<|endofprompt|>"
# Of CosyVoice-300M-SFT, and of CosyVoice 2 as Xinference has it.
SPEAKERS = (
    Voice("中文女", "zh", "female", "Chinese"),
    Voice("中文男", "zh", "male", "Chinese"),
    Voice("日语男", "ja", "male", "Japanese"),
    Voice("粤语女", "yue", "female", "Cantonese"),
    Voice("英文女", "en", "female", "English"),
    Voice("英文男", "en", "male", "English"),
    Voice("韩语女", "ko", "female", "Korean"),
)


@dataclass(frozen=True, slots=True)
class CosyVoiceVersion:
    """One version."""

    number: int
    sample_rate: int  # Hz
    frame: int  # samples, of which every reply has a whole number
    voices: tuple[Voice, ...] = ()  # speakers that its model for named speakers comes with
    prompt: str = ""  # before what is said of the voice


VERSIONS: Mapping[int, CosyVoiceVersion] = MappingProxyType(
    {
        1: CosyVoiceVersion(1, 22_050, 256, SPEAKERS),
        2: CosyVoiceVersion(2, 24_000, 480),
        3: CosyVoiceVersion(3, 24_000, 480, prompt="You are a helpful assistant."),
    }
)


def made_by(n_samples: int) -> tuple[int, ...]:
    """The versions that may have made so many samples; () if the audio was cut off."""
    return tuple(one.number for one in VERSIONS.values() if n_samples % one.frame == 0)


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
    files = {"prompt_wav": reference.recording}
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
