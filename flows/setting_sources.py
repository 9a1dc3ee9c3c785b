"""Where settings come from: files in TOML, and variables of the environment."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import platformdirs

from audiomill.flows.errors import UsageError
from audiomill.flows.variables import PREFIX
from audiomill.inputs.messages import did_you_mean
from audiomill.inputs.toml_text import TomlInvalid, load_toml

# A secret, which is in no file: what {token} stands for in a podcast's address.
TOKEN_VARIABLE = f"{PREFIX}PODCAST_TOKEN"


def tables_in_files() -> dict[str, Any]:
    """The settings in the files, those of the current folder over the user's. Raises UsageError."""
    return dict(chain.from_iterable(_load(path).items() for path in files_here()))


def files_here() -> list[Path]:
    """The files that there are. Raises OSError if that cannot be known."""
    return [path for path in _config_files() if _is_there(path)]


def own_lexicons() -> tuple[Path, ...]:
    """The lexicon in the user's configuration folder, if there is one: `lexicon.toml`."""
    path = _own_lexicon()
    return (path,) if _is_there(path) else ()


def places_of_settings() -> tuple[Path, ...]:
    """The files that decide something where they are; they need not be there."""
    return *_config_files(), _own_lexicon()


def check_variables(names: Iterable[str]) -> None:
    """Raise UsageError for a variable that looks like a setting, and is none of `names`."""
    known = [TOKEN_VARIABLE, *(f"{PREFIX}{name.upper()}" for name in names)]
    for variable in os.environ:
        name = variable.upper().partition("__")[0]
        if name.startswith(PREFIX) and name not in known and not name.startswith(f"{PREFIX}TEST_"):
            hint = did_you_mean(name, known, n=1)
            raise UsageError(f"Wrong setting: there is no setting {variable}.{hint}")


def has_variables() -> bool:
    """Whether the environment has a variable whose name begins as those of our settings do."""
    return any(variable.upper().startswith(PREFIX) for variable in os.environ)


def where_to_look() -> str:
    """The places where an invalid setting may come from."""
    files = [f", {path.absolute()}" for path in files_here()]
    return f" Look in AUDIOMILL_* in the environment{''.join(files)}."


def named_ffmpeg() -> str | None:
    """The ffmpeg that the environment names, if any: `IMAGEIO_FFMPEG_EXE`."""
    return os.environ.get("IMAGEIO_FFMPEG_EXE") or None


def visible_gpus() -> str | None:
    """CUDA_VISIBLE_DEVICES, which chooses and orders GPUs; None if it is not set."""
    return os.environ.get("CUDA_VISIBLE_DEVICES")


def podcast_token() -> str:
    """The value of {token} in a podcast's address; "" if the environment has none."""
    return os.environ.get(TOKEN_VARIABLE, "")


def _config_files() -> tuple[Path, Path]:
    """The user's file and that of the current folder, which wins."""
    user = Path(platformdirs.user_config_dir("audiomill", appauthor=False))
    return user / "config.toml", Path("audiomill.toml")


def _own_lexicon() -> Path:
    return _config_files()[0].with_name("lexicon.toml")


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
