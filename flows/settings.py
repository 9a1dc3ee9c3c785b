"""Settings: the only place that reads the environment and configuration files.

A setting comes from, first match wins: the command line, `AUDIOMILL_<NAME>` in the environment,
`audiomill.toml` in the working folder, `config.toml` in the user's configuration folder, what was
tuned for this machine, the default written here. Nested ones are
`AUDIOMILL_LIMITS__MAX_TEXT_CHARS` or `[limits]` in TOML.
"""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar

import platformdirs
from pydantic import Field, ValidationError, field_validator
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from audiomill.flows.job import UsageError
from audiomill.flows.tuning import stand_ins
from audiomill.inputs.book import Limits
from audiomill.inputs.segmentation.segments import Pauses
from audiomill.outputs.audio.mastering import Mastering
from audiomill.renderers.kokoro.devices import hides_all
from audiomill.renderers.options import KokoroOptions

CONFIG_FILES = (
    Path(platformdirs.user_config_dir("audiomill", appauthor=False)) / "config.toml",
    Path("audiomill.toml"),
)

CACHE = Path(platformdirs.user_cache_dir("audiomill", appauthor=False))
PHONEMES = CACHE / "phonemes.sqlite"  # what Kokoro remembers of how texts are pronounced
TUNED = CACHE / "tuned.json"  # what `audiomill bench --tune` has chosen for this machine

MAX_PAUSE_S = 60.0
TARGETS_LUFS = (-40.0, -6.0)
CEILINGS_DBTP = (-20.0, 0.0)


class Settings(BaseSettings):
    """Everything that can be set outside the command line, with its default."""

    model_config: ClassVar[SettingsConfigDict] = SettingsConfigDict(
        env_prefix="AUDIOMILL_", env_nested_delimiter="__", frozen=True, extra="forbid"
    )

    # Where finished audio goes.
    library: Path = Path("library")
    # Where rendered segments are kept between runs: a folder or an fsspec URL (s3://bucket/shards).
    store: str = str(CACHE / "shards")
    engine: str = "auto"
    voice: str | None = None
    speed: float = Field(default=1.0, gt=0)
    # In the environment also as "m4b,mp3".
    formats: Annotated[tuple[str, ...], NoDecode] = Field(default=("m4b",), min_length=1)
    # Audio that one task renders: the unit of work that a Prefect run shows. None: what the engine
    # wants, ten minutes; 80 where Kokoro speaks in padded batches, less of which is padding then.
    window_s: float | None = Field(default=None, gt=0)
    limits: Limits = Limits()
    pauses: Pauses = Pauses()
    mastering: Mastering = Mastering()
    kokoro: KokoroOptions = KokoroOptions(phonemes=PHONEMES)

    @field_validator("library")
    @classmethod
    def _at_home(cls, library: Path) -> Path:
        return library.expanduser()

    @field_validator("kokoro")
    @classmethod
    def _placed(cls, kokoro: KokoroOptions) -> KokoroOptions:
        weights = kokoro.weights.expanduser() if kokoro.weights else None
        # A plan goes by the GPUs that the machine has; PyTorch sees which of them are hidden.
        is_blind = kokoro.device == "auto" and hides_all(os.environ.get("CUDA_VISIBLE_DEVICES"))
        device = "cpu" if is_blind else kokoro.device
        return replace(kokoro, weights=weights, device=device, phonemes=kokoro.phonemes or PHONEMES)

    @field_validator("formats", mode="before")
    @classmethod
    def _listed(cls, formats: object) -> object:
        return tuple(re.findall(r"[^\s,]+", formats)) if isinstance(formats, str) else formats

    @field_validator("pauses")
    @classmethod
    def _bearable(cls, pauses: Pauses) -> Pauses:
        for name, pause_s in asdict(pauses).items():
            if not 0 <= pause_s <= MAX_PAUSE_S:
                raise ValueError(f"{name} is {pause_s:g}; choose 0 to {MAX_PAUSE_S:g} seconds")
        return pauses

    @field_validator("mastering")
    @classmethod
    def _audible(cls, mastering: Mastering) -> Mastering:
        bounds = {"target_lufs": TARGETS_LUFS, "ceiling_dbtp": CEILINGS_DBTP}
        for name, (least, most) in bounds.items():
            level = getattr(mastering, name)
            if not least <= level <= most:
                raise ValueError(f"{name} is {level:g}; choose {least:g} to {most:g}")
        return mastering

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003  the library's signature
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Environment before files; neither .env nor secret files."""
        files = [path for path in CONFIG_FILES if path.is_file()]
        toml = TomlConfigSettingsSource(settings_cls, files)
        return (init_settings, env_settings, toml, _TunedSource(settings_cls))


class _TunedSource(PydanticBaseSettingsSource):
    """What was tuned, as long as it holds: after all that anybody has set."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:  # noqa: ARG002
        """Nothing, field by field."""
        return None, field_name, False

    def __call__(self) -> dict[str, Any]:
        """What stands in for defaults."""
        asked = self.current_state.get("kokoro", {})
        found = stand_ins(TUNED, asked) if isinstance(asked, dict) else {}
        return {"kokoro": found} if found else {}


def load_settings() -> Settings:
    """The settings in force. Raises UsageError naming each one that is wrong."""
    try:
        return Settings()
    except ValidationError as error:
        problems = "; ".join(_problem(one) for one in error.errors())
        raise UsageError(f"Wrong setting: {problems}.{_asked_where()}") from error
    except SettingsError as error:
        raise UsageError(f"Wrong setting: {error.__cause__ or error} ({error})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"A file is not valid TOML: {error}.{_asked_where()}") from error


def _problem(problem: ErrorDetails) -> str:
    name = ".".join(str(part) for part in problem["loc"])
    if problem["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
        return f"there is no {name}"
    return f"{name}: {problem['msg']}"


def _asked_where() -> str:
    """Where to look for what is wrong."""
    files = [f", {path.absolute()}" for path in CONFIG_FILES if path.is_file()]
    return f" Look in AUDIOMILL_* in the environment{''.join(files)}."


def prefect_api_url() -> str | None:
    """The Prefect API that the environment or the active profile names, without importing Prefect.

    Source: Prefect's settings order; the profiles file is `$PREFECT_HOME/profiles.toml`.
    """
    if url := os.environ.get("PREFECT_API_URL"):
        return url
    home = Path(os.environ.get("PREFECT_HOME", "~/.prefect")).expanduser()
    path = Path(os.environ.get("PREFECT_PROFILES_PATH", home / "profiles.toml"))
    try:
        profiles = tomllib.loads(path.read_text("utf-8"))
        name = os.environ.get("PREFECT_PROFILE", profiles.get("active", ""))
        return str(profiles["profiles"][name]["PREFECT_API_URL"])
    except (OSError, ValueError, KeyError, TypeError):
        return None  # no profile, none with an API, or none that we can read


def quiet_prefect(api_url: str | None = None) -> None:
    """Set Prefect's own environment before its first import: no telemetry, this API.

    Prefect reads these at import, so they must be in the environment and not in an argument.
    """
    os.environ.setdefault("DO_NOT_TRACK", "1")
    os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
    # Errors are told once, by us, in a line; the server keeps the runs' states.
    os.environ.setdefault("PREFECT_LOGGING_LEVEL", "CRITICAL")
    if api_url:
        os.environ["PREFECT_API_URL"] = api_url
