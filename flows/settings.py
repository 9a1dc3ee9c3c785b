"""Settings: the only place that reads the environment and configuration files.

A setting comes from, first match wins: the command line, `AUDIOMILL_<NAME>` in the environment,
`audiomill.toml` in the working folder, `config.toml` in the user's configuration folder, the
default written here. Nested ones are `AUDIOMILL_LIMITS__MAX_TEXT_CHARS` or `[limits]` in TOML.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import ClassVar

import platformdirs
from pydantic import Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from flows.job import UsageError
from inputs.limits import Limits
from inputs.segments import Pauses
from outputs.mastering import Mastering

CONFIG_FILES = (
    Path(platformdirs.user_config_dir("audiomill", appauthor=False)) / "config.toml",
    Path("audiomill.toml"),
)


class Settings(BaseSettings):
    """Everything that can be set outside the command line, with its default."""

    model_config: ClassVar[SettingsConfigDict] = SettingsConfigDict(
        env_prefix="AUDIOMILL_", env_nested_delimiter="__", frozen=True, extra="forbid"
    )

    # Where finished audio goes.
    library: Path = Path("library")
    # Where rendered segments are kept between runs: a folder or an fsspec URL (s3://bucket/shards).
    store: str = str(Path(platformdirs.user_cache_dir("audiomill", appauthor=False)) / "shards")
    engine: str = "auto"
    voice: str | None = None
    speed: float = Field(default=1.0, gt=0)
    formats: tuple[str, ...] = Field(default=("m4b",), min_length=1)
    # Audio that one task renders: the unit of work that a Prefect run shows.
    window_s: float = Field(default=600.0, gt=0)
    limits: Limits = Limits()
    pauses: Pauses = Pauses()
    mastering: Mastering = Mastering()

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
        return (init_settings, env_settings, TomlConfigSettingsSource(settings_cls, files))


def load_settings() -> Settings:
    """The settings in force. Raises UsageError naming each one that is wrong."""
    try:
        return Settings()
    except ValidationError as error:
        problems = (
            f"{'.'.join(str(part) for part in problem['loc'])}: {problem['msg']}"
            for problem in error.errors()
        )
        raise UsageError(f"Wrong setting: {'; '.join(problems)}") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"A configuration file is not valid TOML: {error}") from error


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
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return None
    name = os.environ.get("PREFECT_PROFILE", profiles.get("active", ""))
    url = profiles.get("profiles", {}).get(name, {}).get("PREFECT_API_URL")
    return str(url) if url else None


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
