"""The variables of the environment that decide what a book sounds like. Imports nothing slow."""

from __future__ import annotations

import os

PREFIX = "AUDIOMILL_"  # of settings in the environment
# Where our settings and voices are, and weights that a hub keeps.
_PLACES = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "HF_HOME", "HF_HUB_CACHE")


def deciding_variables() -> list[tuple[str, str]]:
    """Their names and values, in order."""
    return sorted(one for one in os.environ.items() if one[0] in _PLACES or _is_ours(one[0]))


def _is_ours(name: str) -> bool:
    return name.upper().startswith(PREFIX)
