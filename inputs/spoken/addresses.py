"""Web addresses in any language: only the host is said.

https://www.example.org/a/b?c=1  ─▶  example.org
"""

from __future__ import annotations

import re

from audiomill.inputs.spoken.rules import Context, Rule, rule

_AFTER = ".,;:!?)]}’'\"”»"  # at the end of an address, these belong to the sentence


def _host(match: re.Match[str], _context: Context) -> str:
    rest = match["rest"]
    return match["host"] + rest[len(rest.rstrip(_AFTER)) :]


RULES: tuple[Rule, ...] = (
    rule(
        "web address",
        r"https?://(?:www\.)?(?P<host>[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)(?P<rest>[!#-;=?-~]*)",
        _host,
        re.IGNORECASE,
    ),
)
