"""Settings of ours, from the environment and configuration files; Prefect's: `prefect/settings.py`.

The first of these that has a setting wins:

1. the command line
2. `AUDIOMILL_<NAME>` in the environment, nested: `AUDIOMILL_LIMITS__MAX_TEXT_CHARS`
3. `audiomill.toml` in the working folder, nested: `[limits]`
4. `config.toml` in the user's configuration folder
5. for Kokoro, the file of `audiomill bench --tune`, if it applies to this machine
6. the default in this file
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

import platformdirs
from pydantic import BeforeValidator, Field, ValidationError, field_validator
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from audiomill.flows.job import Foreign, UsageError
from audiomill.flows.tuning import tuned_defaults
from audiomill.inputs.book import Limits
from audiomill.inputs.choices.reading import ReadingSettings
from audiomill.inputs.credits.credits import Credits
from audiomill.inputs.credits.template import TemplateInvalid, parse_template
from audiomill.inputs.segmentation.pauses import Pauses
from audiomill.inputs.suggestions import did_you_mean
from audiomill.inputs.toml_text import TomlInvalid, load_toml
from audiomill.outputs.delivery.choices import DeliveryChoices, MasteringChoices, check_bounds
from audiomill.outputs.delivery.profiles import DEFAULT_PROFILE, PROFILES
from audiomill.outputs.formats.registry import split_formats
from audiomill.renderers.engine.tables import engine_tables
from audiomill.renderers.host.folders import cache_folder, data_folder, expanded
from audiomill.renderers.host.waiting import OUTAGE_S
from audiomill.renderers.isolated.specs import isolated_specs
from audiomill.renderers.kokoro.devices import check_device_names, hides_every_gpu
from audiomill.renderers.options import (
    SAMPLE_RATES,
    CosyVoiceServerOptions,
    ElevenLabsOptions,
    EngineOptions,
    ExternalOptions,
    FishOptions,
    IsolatedOptions,
    KokoroOnnxOptions,
    KokoroOptions,
    OrpheusOptions,
    PiperOptions,
    PiperServerOptions,
    ServerOptions,
)

PREFIX = "AUDIOMILL_"  # of settings in the environment
# A secret, which is in no file: what {token} stands for in a podcast's address.
TOKEN_VARIABLE = f"{PREFIX}PODCAST_TOKEN"
MAX_PAUSE_S = 60.0
MAX_NOISE_SCALE = 2.0
SpeechServer: TypeAlias = (
    FishOptions | CosyVoiceServerOptions | PiperServerOptions | ElevenLabsOptions
)
SERVER_BOUNDS = {
    "version": (1, 3),
    "most_in_flight": (1, 1000),
    "sample_rate": SAMPLE_RATES,
    **dict.fromkeys(("stability", "similarity_boost", "style"), (0, 1)),
    "context_chars": (0, 2000),
}
UNKNOWN_KEY = ("extra_forbidden", "unexpected_keyword_argument")  # types of pydantic's errors


def _split_names(names: object) -> object:
    """The names in a variable of the environment, between commas."""
    if isinstance(names, str):
        return [name.strip() for name in names.split(",") if name.strip()]
    return names


def _split_voices(table: object) -> object:
    """A table of settings, with its list of voices in a variable of the environment split."""
    if isinstance(table, dict) and "voices" in table:
        return {**table, "voices": _split_names(table["voices"])}
    return table


@dataclass(frozen=True)
class ArticleSettings:
    """How articles on the web are fetched."""

    # Servers that may be reached although they are not of the public internet, as their addresses
    # name them. In the environment as "wiki.lan,192.168.1.5".
    allowed_hosts: Annotated[tuple[str, ...], BeforeValidator(_split_names)] = ()


class Settings(BaseSettings):
    """Every setting and its default. Options of the command line override them per run."""

    model_config: ClassVar[SettingsConfigDict] = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter="__", frozen=True, extra="forbid"
    )

    # Where finished audio goes.
    library: Path = Path("library")
    # Where rendered segments are kept between runs: a folder or an fsspec URL (s3://bucket/shards).
    store: str = Field(default_factory=lambda: str(cache_folder() / "shards"))
    engine: str = "auto"
    voice: str | None = None
    # Who reads passages in another language: "narrator", or "voice", the engine's own for it.
    foreign: Foreign = "narrator"
    speed: float = Field(default=1.0, gt=0)
    # What the files are made for: a name in PROFILES.
    profile: str = DEFAULT_PROFILE
    # None: as the profile says. In the environment also as "m4b,mp3".
    formats: Annotated[tuple[str, ...] | None, NoDecode] = Field(default=None, min_length=1)
    # Formats of a transcript beside each recording. In the environment also as "vtt,srt".
    transcripts: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split_names)] = ()
    # Seconds of audio that one task renders: the unit of work that a Prefect run shows. None is the
    # engine's default: ten minutes, or 80 where Kokoro pads batches, which then have less padding.
    window_s: float | None = Field(default=None, gt=0)
    # Where windows are rendered: in this process, or by the workers of a Dask cluster.
    executor: Literal["threads", "dask"] = "threads"
    # The cluster's scheduler, for example tcp://10.0.0.1:8786.
    dask_scheduler: str | None = None
    # Seconds without any worker, after which a run on a cluster ends: one that grows on demand
    # needs minutes for the first.
    workers_within_s: float = Field(default=1800.0, gt=0)
    # Seconds without a finished batch, after which a worker's engine counts as hanging.
    stalled_after_s: float = Field(default=600.0, gt=0)
    # Files of pronunciations, of which the later ones win. In the environment as "a.toml,b.csv".
    lexicons: Annotated[tuple[Path, ...], NoDecode, BeforeValidator(_split_names)] = ()
    # How often a segment is rendered again whose audio is faulty, by engines whose takes differ.
    retakes: int = Field(default=2, ge=0, le=9)
    # Whether all speech is checked by recognition, and by which model of Whisper: a size, a name on
    # the Hugging Face Hub, or a folder.
    check_speech: bool = False
    speech_model: str = Field(default="base", min_length=1)
    # For so many seconds a server of speech or a store that does not answer is waited for.
    outage_s: float = Field(default=OUTAGE_S, ge=0)
    limits: Limits = Limits()
    reading: ReadingSettings = ReadingSettings()
    pauses: Pauses = Pauses()
    credits: Credits = Credits()
    delivery: DeliveryChoices = DeliveryChoices()
    mastering: MasteringChoices = MasteringChoices()
    articles: ArticleSettings = ArticleSettings()
    kokoro: KokoroOptions = Field(default_factory=KokoroOptions, validate_default=True)
    kokoro_onnx: KokoroOnnxOptions = Field(default_factory=KokoroOnnxOptions, validate_default=True)
    piper: PiperOptions = Field(default_factory=PiperOptions, validate_default=True)
    # The voices of this engine and the next, and of CosyVoice's server: also as "anna,ben".
    orpheus: Annotated[OrpheusOptions, BeforeValidator(_split_voices)] = Field(
        default_factory=OrpheusOptions, validate_default=True
    )
    openai: Annotated[ServerOptions, BeforeValidator(_split_voices)] = ServerOptions()
    fish: FishOptions = FishOptions()
    cosyvoice_server: Annotated[CosyVoiceServerOptions, BeforeValidator(_split_voices)] = (
        CosyVoiceServerOptions()
    )
    piper_server: PiperServerOptions = PiperServerOptions()
    elevenlabs: ElevenLabsOptions = ElevenLabsOptions()
    # A table for each engine that has an environment of its own, for example [engines.chatterbox].
    # Of an engine of another package, the table has the settings that it declares.
    engines: Annotated[
        tuple[IsolatedOptions | ExternalOptions, ...], BeforeValidator(engine_tables)
    ] = ()
    # Where those environments are. None: in the user's data folder.
    environments: Path | None = None
    # A folder with a folder for each cloned voice. None: `voices` in the user's data folder.
    cloned_voices: Path | None = None

    def engine_options(self) -> EngineOptions:
        """The options of all engines."""
        return EngineOptions(
            kokoro=self.kokoro,
            kokoro_onnx=self.kokoro_onnx,
            piper=self.piper,
            orpheus=self.orpheus,
            openai=self.openai,
            fish=self.fish,
            cosyvoice_server=self.cosyvoice_server,
            piper_server=self.piper_server,
            elevenlabs=self.elevenlabs,
            retakes=self.retakes,
            isolated=self._visible_engines(),
            external=tuple(one for one in self.engines if isinstance(one, ExternalOptions)),
            environments=self.environments,
            cloned_voices=self.voices_folder,
        )

    @property
    def voices_folder(self) -> Path:
        """Where cloned voices are."""
        return self.cloned_voices or data_folder() / "voices"

    def _visible_engines(self) -> tuple[IsolatedOptions, ...]:
        """The options with the GPUs that CUDA_VISIBLE_DEVICES leaves: workers count only those."""
        visible = visible_gpus()
        named = {one.engine: one for one in self.engines if isinstance(one, IsolatedOptions)}
        if visible is None:
            return tuple(named.values())
        n_gpus = 0 if hides_every_gpu(visible) else len(visible.split(","))
        device = ",".join(f"cuda:{number}" for number in range(n_gpus)) or "cpu"
        return tuple(
            replace(one, device=device) if one.device == "auto" else one
            for one in (named.get(name, IsolatedOptions(name)) for name in isolated_specs())
        )

    @field_validator("library")
    @classmethod
    def _expand_home(cls, library: Path) -> Path:
        return expanded(library)

    @field_validator("environments", "cloned_voices")
    @classmethod
    def _expand_folder(cls, folder: Path | None) -> Path | None:
        return expanded(folder) if folder else None

    @field_validator("lexicons")
    @classmethod
    def _expand_lexicons(cls, lexicons: tuple[Path, ...]) -> tuple[Path, ...]:
        return tuple(expanded(path) for path in lexicons)

    @field_validator("kokoro")
    @classmethod
    def _complete_kokoro(cls, kokoro: KokoroOptions) -> KokoroOptions:
        check_device_names(kokoro.device)
        weights = expanded(kokoro.weights) if kokoro.weights else None
        # Planning counts the machine's GPUs, but PyTorch uses visible ones only.
        has_no_gpu = kokoro.device == "auto" and hides_every_gpu(visible_gpus())
        device = "cpu" if has_no_gpu else kokoro.device
        phonemes = kokoro.phonemes or cache_folder() / "phonemes.sqlite"
        return replace(kokoro, weights=weights, device=device, phonemes=phonemes)

    @field_validator("piper")
    @classmethod
    def _complete_piper(cls, piper: PiperOptions) -> PiperOptions:
        for name in ("noise_scale", "noise_w_scale"):
            value = getattr(piper, name)
            if value is not None and not 0 <= value <= MAX_NOISE_SCALE:
                raise ValueError(f"{name} is {value:g}; choose 0 to {MAX_NOISE_SCALE:g}")
        voices = expanded(piper.voices) if piper.voices else data_folder() / "piper"
        return replace(piper, voices=voices)

    @field_validator("kokoro_onnx")
    @classmethod
    def _complete_kokoro_onnx(cls, onnx: KokoroOnnxOptions) -> KokoroOnnxOptions:
        if onnx.threads < 0:
            raise ValueError(f"threads is {onnx.threads}; choose a number, or 0 for one a core")
        model = expanded(onnx.model) if onnx.model else None
        phonemes = onnx.phonemes or cache_folder() / "phonemes.sqlite"
        return replace(onnx, model=model, phonemes=phonemes)

    @field_validator("fish", "cosyvoice_server", "piper_server", "elevenlabs")
    @classmethod
    def _check_server(cls, server: SpeechServer) -> SpeechServer:
        for name, (lowest, highest) in SERVER_BOUNDS.items():
            value = getattr(server, name, lowest)
            if not lowest <= value <= highest:
                raise ValueError(f"{name} is {value}; choose {lowest} to {highest}")
        return server

    @field_validator("orpheus")
    @classmethod
    def _complete_orpheus(cls, orpheus: OrpheusOptions) -> OrpheusOptions:
        bounds = {"temperature": (0.0, 2.0), "top_p": (0.0, 1.0), "repeat_penalty": (1.0, 2.0)}
        for name, (lowest, highest) in bounds.items():
            value = getattr(orpheus, name)
            if not lowest <= value <= highest:
                raise ValueError(f"{name} is {value:g}; choose {lowest:g} to {highest:g}")
        snac = expanded(orpheus.snac) if orpheus.snac else data_folder() / "snac_24khz"
        return replace(orpheus, snac=snac)

    @field_validator("formats", mode="before")
    @classmethod
    def _split_formats(cls, formats: object) -> object:
        return split_formats(formats) if isinstance(formats, str) else formats

    @field_validator("pauses")
    @classmethod
    def _check_pauses(cls, pauses: Pauses) -> Pauses:
        for name in pauses.kinds():
            pause_s = getattr(pauses, name)
            if not 0 <= pause_s <= MAX_PAUSE_S:
                raise ValueError(f"{name} is {pause_s:g}; choose 0 to {MAX_PAUSE_S:g} seconds")
        if not 0 <= pauses.variation <= 1:
            raise ValueError(f"variation is {pauses.variation:g}; choose 0 to 1")
        return pauses

    @field_validator("credits")
    @classmethod
    def _check_credits(cls, credits: Credits) -> Credits:  # noqa: A002  the table's name
        for name in ("opening", "closing"):
            try:
                parse_template(getattr(credits, name) or "")
            except TemplateInvalid as error:
                raise ValueError(f"{name}: {error}") from error
        return credits

    @field_validator("profile")
    @classmethod
    def _check_profile(cls, profile: str) -> str:
        if profile not in PROFILES:
            raise ValueError(f"profile is {profile}; choose one of {', '.join(PROFILES)}")
        return profile

    @field_validator("mastering", "delivery")
    @classmethod
    def _check_numbers(
        cls, choices: MasteringChoices | DeliveryChoices
    ) -> MasteringChoices | DeliveryChoices:
        check_bounds(choices)
        return choices

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003  the library's signature
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The sources by priority. Neither .env nor secret files are read."""
        files = [path for path in _config_files() if _is_there(path)]
        tables = dict(chain.from_iterable(_load(path).items() for path in files))
        toml = InitSettingsSource(settings_cls, tables)
        return (init_settings, env_settings, toml, _TunedSource(settings_cls))


class _TunedSource(PydanticBaseSettingsSource):
    """The tuned settings of Kokoro, if they apply. The source of the lowest priority."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:  # noqa: ARG002
        """Unused: `__call__` returns all fields at once."""
        return None, field_name, False

    def __call__(self) -> dict[str, Any]:
        """The tuned settings that replace defaults."""
        kokoro = self.current_state.get("kokoro", {})  # as set by sources of higher priority
        tuned = tuned_defaults(tuned_file(), kokoro) if isinstance(kokoro, dict) else {}
        return {"kokoro": tuned} if tuned else {}


def tuned_file() -> Path:
    """The file with the choice of `audiomill bench --tune` for this machine."""
    return cache_folder() / "tuned.json"


def own_lexicons() -> tuple[Path, ...]:
    """The lexicon in the user's configuration folder, if there is one: `lexicon.toml`."""
    path = _config_files()[0].with_name("lexicon.toml")
    return (path,) if _is_there(path) else ()


def _config_files() -> tuple[Path, Path]:
    """The user's file and that of the current folder, which wins."""
    user = Path(platformdirs.user_config_dir("audiomill", appauthor=False))
    return user / "config.toml", Path("audiomill.toml")


def _load(path: Path) -> Mapping[str, Any]:
    """The settings in a file. Raises UsageError."""
    try:
        return load_toml(path)
    except TomlInvalid as error:
        raise UsageError(error.at(path.absolute())) from error
    except OSError as error:
        reason = error.strerror or error
        raise UsageError(f"Settings: {path.absolute()} cannot be read: {reason}.") from error


def _is_there(path: Path) -> bool:
    """Whether there is anything at `path`. Raises OSError if that cannot be known."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def load_settings() -> Settings:
    """The settings in force. Raises UsageError, which names every invalid setting."""
    _check_variables()
    try:
        return Settings()
    except ValidationError as error:
        problems = "; ".join(_describe(details) for details in error.errors())
        hints = "".join(_hint(details) for details in error.errors())
        raise UsageError(f"Wrong setting: {problems}.{hints}{_where_to_look()}") from error
    except SettingsError as error:
        raise UsageError(f"Wrong setting: {error.__cause__ or error} ({error})") from error
    except OSError as error:
        raise UsageError(f"Settings cannot be read: {error}.") from error
    # Of a variable: nested too deep, or a number of thousands of digits.
    except (RecursionError, ValueError) as error:
        raise UsageError(f"Wrong setting: {error}.{_where_to_look()}") from error


def _check_variables() -> None:
    """Raise UsageError for a variable that looks like a setting, and is none."""
    known = [TOKEN_VARIABLE, *(f"{PREFIX}{name.upper()}" for name in Settings.model_fields)]
    for variable in os.environ:
        name = variable.upper().partition("__")[0]
        if name.startswith(PREFIX) and name not in known and not name.startswith(f"{PREFIX}TEST_"):
            hint = did_you_mean(name, known, n=1)
            raise UsageError(f"Wrong setting: there is no setting {variable}.{hint}")


def _describe(details: ErrorDetails) -> str:
    name = ".".join(str(part) for part in details["loc"])
    if details["type"] in UNKNOWN_KEY:
        return f"there is no {name}"
    return f"{name}: {details['msg'].removeprefix('Value error, ')}"


def _hint(details: ErrorDetails) -> str:
    """What was probably meant by an unknown key, or by a value that is none of the allowed ones."""
    if details["type"] in UNKNOWN_KEY:
        *table, key = (str(part) for part in details["loc"])
        return did_you_mean(key, _keys_of(table), n=1)
    if details["type"] == "literal_error":
        allowed = re.findall(r"'([^']*)'", details.get("ctx", {}).get("expected", ""))
        return did_you_mean(str(details["input"]), allowed, n=1)
    return ""


def _keys_of(table: Sequence[str]) -> Iterable[str]:
    """The settings of a table, for example of ["pauses"]; those of no table for []."""
    if not table:
        return Settings.model_fields
    default = Settings.model_fields[table[0]].get_default(call_default_factory=True)
    return [field.name for field in fields(default)] if is_dataclass(default) else ()


def _where_to_look() -> str:
    """The places where an invalid setting may come from."""
    files = [f", {path.absolute()}" for path in _config_files() if _is_there(path)]
    return f" Look in AUDIOMILL_* in the environment{''.join(files)}."


def named_ffmpeg() -> str | None:
    """The ffmpeg that the environment names, if any: `IMAGEIO_FFMPEG_EXE`."""
    return os.environ.get("IMAGEIO_FFMPEG_EXE") or None


def visible_gpus() -> str | None:
    """CUDA_VISIBLE_DEVICES, which chooses and orders GPUs; None if it is not set."""
    return os.environ.get("CUDA_VISIBLE_DEVICES")


def podcast_token() -> str:
    """What {token} stands for in a podcast's address; "" if the environment has none."""
    return os.environ.get(TOKEN_VARIABLE, "")
