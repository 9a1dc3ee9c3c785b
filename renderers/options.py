"""Engine options besides voice and speed. Plain frozen data; loads no engine.

No option is itself part of a shard's key. An option that changes the sound (other weights, lower
precision) is part of the engine's fingerprint, and so of the key.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypeAlias, get_args

Setting: TypeAlias = str | int | float | bool
Settings: TypeAlias = tuple[tuple[str, Setting], ...]
Precision = Literal["float32", "tf32", "bf16", "fp16"]
PRECISIONS: tuple[Precision, ...] = get_args(Precision)
# Switches of PyTorch. The others are those of our own decoder.
PYTORCH_PRECISIONS: tuple[Precision, ...] = ("float32", "tf32")
OnnxPrecision = Literal["float32", "float16", "int8"]
SAMPLE_RATES = (8_000, 48_000)  # Hz, of a server's audio: the least and the most
PAID_ENGINES = ("openai", "fish", "elevenlabs")  # those whose options have a budget


@dataclass(frozen=True, slots=True)
class KokoroOptions:
    """Options of the Kokoro engine."""

    # A folder with config.json, the checkpoint and voices/. None: the official files in the Hugging
    # Face cache, downloaded on first use.
    weights: Path | None = None
    release: str = "v1.0"  # or v1.1-zh
    device: str = "auto"  # every GPU; or cpu, cuda, cuda:1, cuda:0,cuda:1
    # How a GPU multiplies: in full float32, in tf32 (mantissas rounded to ten bits), in bf16 (seven
    # bits) or in fp16 (ten bits, up to 65,504). Sums, phases and statistics are always float32.
    # auto: the fastest without an audible difference; float32 on a CPU.
    precision: Literal["auto", "float32", "tf32", "bf16", "fp16"] = "auto"
    # What auto means on this machine, if a benchmark has measured it; changes no key. None: the
    # default of auto, as above.
    auto_precision: Precision | None = None
    # Most frames of 25 ms in one decoder batch, including padding; 0: what fits into memory. On a
    # CPU, 0 decodes each row by itself, which is fastest there.
    batch_frames: int = 0
    # Processes that convert text to phonemes ahead of the model; 0: none, -1: by number of cores.
    workers: int = -1
    # A file that caches phonemes between runs; None: no cache.
    phonemes: Path | None = None


@dataclass(frozen=True, slots=True)
class KokoroOnnxOptions:
    """Options of the engine kokoro-onnx."""

    # A folder with the published files, or one model with a file of voices beside it. None: those
    # in the user's data folder, fetched on first use.
    model: Path | None = None
    # Which of the published models: kokoro-v1.0.onnx, .fp16.onnx or .int8.onnx. A model that is
    # named as a file is what it is.
    precision: OnnxPrecision = "float32"
    # Segments that are spoken side by side, each on one core; 0: as many as there are cores, and as
    # fit into memory.
    threads: int = 0
    # Processes that convert text to phonemes ahead of the model; 0: none, -1: by number of cores.
    workers: int = -1
    # A file that caches phonemes between runs; None: no cache.
    phonemes: Path | None = None


@dataclass(frozen=True, slots=True)
class IsolatedOptions:
    """Options of an engine that has an environment of its own."""

    engine: str
    # A folder with the model, or a repository of the Hugging Face hub. "": the engine's own.
    model: str = ""
    # An interpreter that has the engine's packages. None: that of `audiomill engines install`.
    python: Path | None = None
    device: str = "auto"  # every GPU; or cpu, cuda, cuda:1, cuda:0,cuda:1
    # Rows that the engine speaks together, if it can. 0: one on a CPU, several on a GPU.
    batch: int = 0
    row_timeout_s: float = 300.0  # and 2 s for each character, after which an engine hangs
    settings: tuple[tuple[str, str | int | float | bool], ...] = ()  # of the engine itself


@dataclass(frozen=True, slots=True)
class ExternalOptions:
    """The settings of an engine of another package, as its table has them."""

    engine: str
    settings: Settings = ()


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """A server that speaks the protocol of OpenAI's `/v1/audio/speech`."""

    profile: str = "openai"  # which server it is; docs/servers.md lists them
    url: str = ""  # "": where the profile's server usually is
    model: str = ""  # "": the profile's
    # The variable of the environment that has the key; "": the profile's.
    key_variable: str = ""
    voices: tuple[str, ...] = ()  # of a server that does not list its voices
    sample_rate: int = 0  # in Hz, of its audio; 0: the profile's
    most_in_flight: int = 64  # texts; fewer if the server likes fewer
    first_in_flight: int = 2  # with how many the search for the right number begins
    # Texts in one call, of a server that has a route for batches (vLLM-Omni). More than one: their
    # sound follows no seed, and they have no times of words, which that route does not take.
    batch: int = 1
    instructions: str = ""  # how to speak, for models that take it
    # Of a paid service, for a million characters, in any currency. 0: that of the profile's model.
    price_per_million: float = 0.0
    budget: float | None = None  # of one run, in that currency; None: no limit


@dataclass(frozen=True, slots=True)
class FishOptions:
    """Fish Audio's service, or a server of fish-speech."""

    profile: Literal["cloud", "local"] = "cloud"
    url: str = ""  # "": where the profile's server usually is
    model: str = ""  # "": the profile's; of a server, only keys name it
    # The variable of the environment that has the key; "": FISH_API_KEY for the service, else none.
    key_variable: str = ""
    # In Hz, of all audio. The service renders at it; a server has that of its model.
    sample_rate: int = 44_100
    most_in_flight: int = 15  # requests; fewer if the server likes fewer
    # For a million bytes of UTF-8, in any currency. 0: that of the service's model.
    price_per_million: float = 0.0
    budget: float | None = None  # of one run, in that currency; None: no limit


@dataclass(frozen=True, slots=True)
class CosyVoiceServerOptions:
    """CosyVoice's own server."""

    url: str = "http://127.0.0.1:50000"
    # Of the model that the server has: 1 (22,050 Hz), 2 or 3 (24,000 Hz). It does not tell.
    version: int = 2
    model: str = ""  # what keys name as the model; change it when the server's changes
    voices: tuple[str, ...] = ()  # speakers of the model; (): those that version 1 comes with
    most_in_flight: int = 8  # requests; fewer if the server likes fewer
    instructions: str = ""  # how to speak, for models that take it


@dataclass(frozen=True, slots=True)
class PiperServerOptions:
    """Piper's HTTP server."""

    url: str = "http://127.0.0.1:5000"
    # Of all audio, in Hz. Voices of another rate are resampled.
    sample_rate: int = 22_050


@dataclass(frozen=True, slots=True)
class ElevenLabsOptions:
    """ElevenLabs' service."""

    model: str = "eleven_flash_v2_5"
    url: str = "https://api.elevenlabs.io"  # or that of a region where data must stay
    key_variable: str = "ELEVENLABS_API_KEY"  # of the environment
    sample_rate: Literal[16_000, 22_050, 24_000, 44_100, 48_000] = 24_000
    # How the voice speaks: from 0 to 1. They stand in for those that the account has for a voice.
    stability: float = 0.5
    similarity_boost: float = 0.75
    style: float = 0.0
    use_speaker_boost: bool = True
    # Whether the service writes numbers as words, which is done here for some languages.
    normalization: Literal["auto", "on", "off"] = "auto"
    # Of the text before and after a segment, by which the model chooses how to say it. 0: none, so
    # that a change in one segment costs no other one.
    context_chars: int = 0
    most_in_flight: int = 32  # requests; fewer if the account may have fewer
    price_per_million: float = 0.0  # characters, in any currency. 0: that of the model
    budget: float | None = None  # of one run, in that currency; None: no limit


@dataclass(frozen=True, slots=True)
class PiperOptions:
    """Options of the Piper engine."""

    # A folder with voices, `NAME.onnx` and `NAME.onnx.json`, at any depth. None: no voices.
    voices: Path | None = None
    # Of all its audio, in Hz. Voices of another rate are resampled.
    sample_rate: Literal[16_000, 22_050, 24_000, 44_100, 48_000] = 22_050
    # How much the sound and the pace vary. None: as each voice's config says, mostly 0.667 and 0.8.
    noise_scale: float | None = None
    noise_w_scale: float | None = None


@dataclass(frozen=True, slots=True)
class OrpheusOptions:
    """Options of the Orpheus engine."""

    url: str = "http://127.0.0.1:8080"  # of llama-server
    key_variable: str = "LLAMA_API_KEY"  # of the environment, with what --api-key names
    # What keys name as the model. "": the file that the server has loaded, which is asked for.
    model: str = ""
    snac: Path | None = None  # a folder with config.json and pytorch_model.bin of SNAC at 24 kHz
    device: str = "cpu"  # of SNAC: cpu, cuda or cuda:1
    voices: tuple[str, ...] = ()  # of a model of one's own: "anna", or "anna:de"
    temperature: float = 0.6
    top_p: float = 0.9
    repeat_penalty: float = 1.1


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """The options of each engine that has any."""

    kokoro: KokoroOptions = field(default_factory=KokoroOptions)
    kokoro_onnx: KokoroOnnxOptions = field(default_factory=KokoroOnnxOptions)
    piper: PiperOptions = field(default_factory=PiperOptions)
    orpheus: OrpheusOptions = field(default_factory=OrpheusOptions)
    openai: ServerOptions = field(default_factory=ServerOptions)
    fish: FishOptions = field(default_factory=FishOptions)
    cosyvoice_server: CosyVoiceServerOptions = field(default_factory=CosyVoiceServerOptions)
    piper_server: PiperServerOptions = field(default_factory=PiperServerOptions)
    elevenlabs: ElevenLabsOptions = field(default_factory=ElevenLabsOptions)
    # How often a segment is rendered again whose audio is faulty, by engines whose takes differ.
    retakes: int = 2
    isolated: tuple[IsolatedOptions, ...] = ()  # of those that the settings name
    external: tuple[ExternalOptions, ...] = ()  # of engines of other packages, which have a table
    environments: Path | None = None  # the folder of their environments; None: in the user's data
    cloned_voices: Path | None = None  # the folder with a folder for each; None: there are none

    def budget_of(self, engine: str) -> float | None:
        """The most that one run with the engine may cost; None if there is no limit."""
        return getattr(self, engine).budget if engine in PAID_ENGINES else None

    def with_budget(self, engine: str, budget: float | None) -> EngineOptions:
        """With a budget for one of `PAID_ENGINES`."""
        return replace(self, **{engine: replace(getattr(self, engine), budget=budget)})

    def isolated_of(self, engine: str) -> IsolatedOptions:
        """The options of one engine with an environment of its own."""
        found = (one for one in self.isolated if one.engine == engine)
        return next(found, IsolatedOptions(engine))

    def settings_of(self, engine: str, defaults: Settings) -> dict[str, Setting]:
        """The settings of an engine of another package: its defaults, and its table over them."""
        found = (one.settings for one in self.external if one.engine == engine)
        return dict(defaults) | dict(next(found, ()))
