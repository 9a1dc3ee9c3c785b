"""The engine `cosyvoice-server`: CosyVoice's own server, its versions, and the forms it takes.

    voice ─▶ one sentence is spoken ─▶ is it whole, of the right version, and speech?
    request ─▶ form ─▶ headerless samples of 16 bits, whole frames of them

The server lists no voices, and begins to answer before it looks one up: the reply to an unknown one
ends at once. It has no seed. There is one route for each way to name a voice:

    /inference_sft            a speaker of the model
    /inference_zero_shot      a recording with its text
    /inference_cross_lingual  a recording alone
    /inference_instruct       a speaker, and how to speak: version 1
    /inference_instruct2      a recording, and how to speak: versions 2 and 3

The last step of each model makes whole frames of samples: 256 in version 1 (upsampling by 8 and 8,
and a hop of 4), 480 in versions 2 and 3 (8, 5, 3, and 4). So the length of a reply, which is
headerless, shows which version made it, and with that its rate. The server tells neither.

Sources: CosyVoice of 2026-03: `runtime/python/fastapi/server.py`, `hifigan/generator.py`, the files
`cosyvoice*.yaml`, `example.py`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from audiomill.renderers.cosyvoice.options import CosyVoiceServerOptions
from audiomill.renderers.engine.errors import EngineFailed, UnknownVoice, reason_of
from audiomill.renderers.engine.protocol import EngineLimits, Rendered, Request, Samples, Voice
from audiomill.renderers.host.threads import MadeOnce
from audiomill.renderers.servers.audio import samples_in
from audiomill.renderers.servers.calls import Call, Server
from audiomill.renderers.servers.patience import RequestFails
from audiomill.renderers.servers.references import SentReference
from audiomill.renderers.servers.remote_renderer import IMPATIENT, RemoteRenderer
from audiomill.renderers.servers.replies import Reply, ServerFailing
from audiomill.renderers.servers.voices import named_voices

# Version of the requests; increment by hand when they change so that the sound does.
SOUND = 1
TITLE = "CosyVoice's server"
# Every voice is heard with it first. It takes about 5 s to say.
TEST_TEXT = "The quick brown fox jumps over the lazy dog, and then it slept for a while."
TEST_S = (2.5, 15.0)
TEST_FAULTS = 2  # that show that it is the voice, and not the connection
ROUTES = "/openapi.json"
CLONES_FAIL = (
    "Its recording must be a WAV file of 30 s at most, at 16,000 Hz or more. Servers of 2025-12 and"
    " later fail with every recording, until their server.py no longer calls load_wav"
    " (github.com/QwenAudio/CosyVoice/issues/1794)."
)
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


class CosyVoiceServerRenderer(RemoteRenderer):
    """Renders with the server, from any number of threads."""

    name = "cosyvoice-server"
    title = "CosyVoice"

    def __init__(
        self,
        options: CosyVoiceServerOptions,
        references: Sequence[SentReference] = (),
        n_retakes: int = 0,
    ) -> None:
        """Sends nothing. `references`: cloned voices."""
        self._options = options
        self._version = VERSIONS[options.version]
        self._references = {one.voice.name: one for one in references}
        self._hearing = MadeOnce(self._hear)
        server = Server(TITLE, options.url.rstrip("/"), "")
        limits, rate = limits_of(options), self._version.sample_rate
        super().__init__(server, limits, rate, n_retakes=n_retakes)

    def ask_voices(self) -> tuple[Voice, ...]:
        """Those of the settings or of the version, and cloned ones. Raises EngineFailed."""
        options = self._options
        speakers = named_voices(options.voices) if options.voices else self._version.voices
        cloned = (one.voice for one in self._references.values())
        found = tuple(sorted((*speakers, *cloned), key=lambda voice: voice.name))
        if not found:
            raise EngineFailed(
                f"{TITLE} lists no voices, and CosyVoice {options.version} comes with none. Name"
                ' those that you have added to its model, for example voices = ["anna"] under'
                " [cosyvoice_server] in the settings."
            )
        self._client.send(Call("GET", ROUTES), _check_routes, IMPATIENT)
        return found

    def known_voice(self, name: str) -> str:
        """The name, unchanged, of a voice that the server has spoken with. Raises UnknownVoice."""
        super().known_voice(name)
        self._hearing.of(name)
        return name

    def fingerprint(self, voice: str) -> str:
        """The version, the model that the settings name, how to speak, and a cloned voice's digest.

        Raises UnknownVoice, EngineFailed.
        """
        self.known_voice(voice)
        reference = self._references.get(voice)
        said = f"{self._options.instructions}\n{reference.digest if reference else ''}"
        digest = hashlib.sha256(said.encode()).hexdigest()[:16]
        return f"cosyvoice {self._version.number} sound {SOUND} {self._options.model} {digest}"

    def call_of(self, request: Request, take: int = 0) -> Call:  # noqa: ARG002 - no seed
        """A form for the route of the voice's kind."""
        return self._call(request.spoken, request.voice)

    def _call(self, text: str, voice: str) -> Call:
        form = self.form_of(text, voice)
        return Call("POST", form.path, n_chars=len(text), form=form.fields, files=form.files)

    def form_of(self, text: str, voice: str) -> SpeechForm:
        """What is sent for `text`."""
        if reference := self._references.get(voice):
            return cloned_form(text, reference, self._options.instructions, self._version)
        return speaker_form(text, voice, self._options.instructions)

    def spoken_in(self, reply: Reply, request: Request) -> Rendered:  # noqa: ARG002
        """Headerless samples, a whole number of frames."""
        return Rendered(self._samples(reply))

    def _samples(self, reply: Reply) -> Samples:
        samples = samples_in(reply, TITLE, self.sample_rate, is_pcm=True, table="cosyvoice_server")
        versions = made_by(samples.size)
        if not versions or len(reply.content) % 2:
            raise ServerFailing("audio that was cut off: it is no whole number of frames")
        if self._version.number not in versions:
            likely = versions[0]
            raise EngineFailed(
                f"{TITLE} sends audio of CosyVoice {' or '.join(map(str, versions))}, which has"
                f" {VERSIONS[likely].sample_rate} Hz and not {self.sample_rate}. Set version ="
                f" {likely} under [cosyvoice_server] in the settings."
            )
        return samples

    def _hear(self, voice: str) -> None:
        """Have the voice say a sentence. Raises UnknownVoice, EngineFailed."""
        call = replace(self._call(TEST_TEXT, voice), max_faults=TEST_FAULTS)
        try:
            samples = self._client.send(call, self._samples, IMPATIENT).value
        except RequestFails as error:
            raise UnknownVoice(self._no_voice(voice, reason_of(error))) from error
        duration_s = samples.size / self.sample_rate
        if not TEST_S[0] <= duration_s <= TEST_S[1]:
            raise EngineFailed(
                f"{TITLE} says a sentence of {len(TEST_TEXT)} letters with {voice} in"
                f" {duration_s:.1f} s at {self.sample_rate} Hz. Look at version under"
                " [cosyvoice_server] in the settings, and at the server's log."
            )

    def _no_voice(self, voice: str, reason: str) -> str:
        if voice in self._references:
            return f"{TITLE} cannot speak with the cloned voice {voice!r}. {CLONES_FAIL}"
        return (
            f"{TITLE} has no voice {voice!r}: it ends its reply at once ({reason}). Name those that"
            " its model has: voices under [cosyvoice_server] in the settings."
        )


def _check_routes(reply: Reply) -> None:
    """Raise EngineFailed if it is another server."""
    if b"/inference_sft" not in reply.content:
        raise EngineFailed(
            f"What answers is not {TITLE}: it has no /inference_sft. Look at url under"
            " [cosyvoice_server] in the settings."
        )


def limits_of(options: CosyVoiceServerOptions) -> EngineLimits:
    """The limits of the server, which itself splits what has more than 80 tokens."""
    return EngineLimits(
        max_length=240,
        max_rows=1,
        chars_per_s=14.0,
        exact_bits=16,
        speeds=(1.0, 1.0),  # it takes none
        n_at_once=options.most_in_flight,
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
    instruct_field = {"instruct_text": f"{instructions}{PROMPT_END}"}
    return SpeechForm("/inference_instruct", {**fields, **instruct_field})


def cloned_form(
    text: str, reference: SentReference, instructions: str, version: CosyVoiceVersion
) -> SpeechForm:
    """`text` as the recording sounds."""
    files = {"prompt_wav": reference.recording}
    # Version 3 knows from these words where the text begins.
    prompt = f"{version.prompt}{PROMPT_END}" if version.prompt else ""
    if instructions:
        instruction = f"{version.prompt} {instructions}".strip() + PROMPT_END
        fields = {"tts_text": text, "instruct_text": instruction}
        return SpeechForm("/inference_instruct2", fields, files)
    if reference.text:
        fields = {"tts_text": text, "prompt_text": f"{prompt}{reference.text}"}
        return SpeechForm("/inference_zero_shot", fields, files)
    return SpeechForm("/inference_cross_lingual", {"tts_text": f"{prompt}{text}"}, files)
