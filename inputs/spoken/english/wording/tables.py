"""What tables of English rules are written with: words that are always said."""

from __future__ import annotations

import re

from audiomill.inputs.spoken.rules import Context, Say


def always(spoken: str) -> Say:
    """What says the same for every match."""

    def say(_match: re.Match[str], _context: Context) -> str:
        return spoken

    return say


def like(spoken: str, printed: str) -> str:
    """`spoken` with a capital if `printed` has one."""
    return spoken[0].upper() + spoken[1:] if printed[0].isupper() else spoken
