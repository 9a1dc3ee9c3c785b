"""Settings of ours, from the environment and configuration files.

Those of Prefect are in `prefect_server/settings.py`.

The first of these that has a setting wins:

1. the command line
2. `AUDIOMILL_<NAME>` in the environment, nested: `AUDIOMILL_LIMITS__MAX_TEXT_CHARS`
3. `audiomill.toml` in the working folder, nested: `[limits]`
4. `config.toml` in the user's configuration folder
5. what an engine has found to be best on this machine: `audiomill bench --tune`
6. the default: here, or where the folder of an engine declares it
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field, ValidationError, create_model, field_validator
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from audiomill.flows.engine_settings import (
    DefaultsHere,
    named_tables,
    options_of,
    split_names,
    table_fields,
)
from audiomill.flows.errors import UsageError
from audiomill.flows.job import Foreign
from audiomill.flows.setting_sources import (
    check_variables,
    has_variables,
    tables_in_files,
    where_to_look,
)
from audiomill.flows.variables import PREFIX
from audiomill.inputs.messages import did_you_mean
from audiomill.inputs.metadata.credit_templates import TemplateInvalid, parse_template
from audiomill.inputs.metadata.credits import Credits
from audiomill.inputs.model.book import Limits
from audiomill.inputs.reading.choices import ReadingSettings
from audiomill.inputs.segmentation.pauses import Pauses
from audiomill.outputs.checking.profiles import (
    DEFAULT_PROFILE,
    PROFILES,
    DeliveryChoices,
    MasteringChoices,
    check_bounds,
)
from audiomill.outputs.formats.registry import split_formats
from audiomill.renderers.engine.options import EngineOptions, OwnOptions
from audiomill.renderers.host.folders import cache_folder, data_folder, expanded
from audiomill.renderers.host.waiting import OUTAGE_S

MAX_PAUSE_S = 60.0
UNKNOWN_KEY = ("extra_forbidden", "unexpected_keyword_argument")  # types of pydantic's errors


@dataclass(frozen=True)
class ArticleSettings:
    """How articles on the web are fetched."""

    # Servers that may be reached although they are not of the public internet, as their addresses
    # name them. In the environment as "wiki.lan,192.168.1.5".
    allowed_hosts: Annotated[tuple[str, ...], BeforeValidator(split_names)] = ()


class GeneralSettings(BaseSettings):
    """Every setting and its default, but for those of engines."""

    model_config: ClassVar[SettingsConfigDict] = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="__",
        frozen=True,
        extra="forbid",
        defer_build=True,  # of three classes, only the last one is ever used
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
    transcripts: Annotated[tuple[str, ...], NoDecode, BeforeValidator(split_names)] = ()
    # Seconds of audio that one task renders: the unit of work that a Prefect run shows. None is the
    # engine's default: ten minutes, or 80 where Kokoro pads batches, which then have less padding.
    window_s: float | None = Field(default=None, gt=0)
    # Where windows are rendered: in this process, by the workers of a Dask cluster, or by a server
    # of speech (`audiomill serve --speech`), whose key is in a file where it wants one.
    executor: Literal["threads", "dask", "server"] = "threads"
    speech_server: str = "http://127.0.0.1:8880"
    speech_key_file: Path | None = None
    # The cluster's scheduler, for example tcp://10.0.0.1:8786.
    dask_scheduler: str | None = None
    # Seconds without any worker, after which a run on a cluster ends: one that grows on demand
    # needs minutes for the first.
    workers_within_s: float = Field(default=1800.0, gt=0)
    # Seconds without a finished batch, after which a worker's engine counts as hanging.
    stalled_after_s: float = Field(default=600.0, gt=0)
    # Files of pronunciations, of which the later ones win. In the environment as "a.toml,b.csv".
    lexicons: Annotated[tuple[Path, ...], NoDecode, BeforeValidator(split_names)] = ()
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
    # A table for each engine that has an environment of its own, for example [engines.chatterbox].
    # Of an engine of another package, the table has the settings that it declares.
    engines: Annotated[tuple[OwnOptions, ...], BeforeValidator(named_tables)] = ()
    # Where those environments are. None: in the user's data folder.
    environments: Path | None = None
    # A folder with a folder for each cloned voice. None: `voices` in the user's data folder.
    cloned_voices: Path | None = None

    @property
    def voices_folder(self) -> Path:
        """Where cloned voices are."""
        return self.cloned_voices or data_folder() / "voices"

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
        # To look for each field, where the environment has none, takes most of the time.
        environment = (env_settings,) if has_variables() else ()
        toml = InitSettingsSource(settings_cls, tables_in_files())
        return (init_settings, *environment, toml, DefaultsHere(settings_cls))


class Settings(create_model("EngineTables", __base__=GeneralSettings, **table_fields())):
    """Every setting and its default. Options of the command line override them per run."""

    def engine_options(self) -> EngineOptions:
        """The options of all engines."""
        return EngineOptions(
            own=options_of(self, self.engines),
            retakes=self.retakes,
            environments=self.environments,
            cloned_voices=self.voices_folder,
        )


def load_settings() -> Settings:
    """The settings in force. Raises UsageError, which names every invalid setting."""
    check_variables(Settings.model_fields)
    try:
        return Settings()
    except ValidationError as error:
        problems = "; ".join(_describe(details) for details in error.errors())
        hints = "".join(_hint(details) for details in error.errors())
        stop = "" if problems.endswith((".", "?")) else "."
        raise UsageError(f"Wrong setting: {problems}{stop}{hints}{where_to_look()}") from error
    except SettingsError as error:
        raise UsageError(f"Wrong setting: {error.__cause__ or error} ({error})") from error
    except OSError as error:
        raise UsageError(f"Settings cannot be read: {error}.") from error
    # Of a variable: nested too deep, or a number of thousands of digits.
    except (RecursionError, ValueError) as error:
        raise UsageError(f"Wrong setting: {error}.{where_to_look()}") from error


def _describe(details: ErrorDetails) -> str:
    name = ".".join(str(part) for part in details["loc"])
    if details["type"] in UNKNOWN_KEY:
        return f"there is no {name}"
    return f"{name}: {details['msg'].removeprefix('Value error, ')}"


def _hint(details: ErrorDetails) -> str:
    """The probable meaning of an unknown key, or of a value that is none of the allowed ones."""
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
