"""The user's folders, and paths as people write them. Loads nothing until asked."""

from __future__ import annotations

from pathlib import Path


def cache_folder() -> Path:
    """The user's folder for what can be made again."""
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("audiomill", appauthor=False))


def data_folder() -> Path:
    """The user's folder for what cannot be made again: voices that were downloaded."""
    from platformdirs import user_data_dir

    return Path(user_data_dir("audiomill", appauthor=False))


def expanded(path: Path) -> Path:
    """`path` with the home folder for "~". Raises ValueError if there is no such user."""
    try:
        return path.expanduser()
    except RuntimeError as error:
        raise ValueError(f"there is no home folder for {path.parts[0]}") from error
