"""The key of a service, from the variable of the environment that the settings name.

It is read when a request is sent, and kept nowhere: not in options, reports or messages.
"""

from __future__ import annotations

import os


def key_in(variable: str) -> str:
    """The key in a variable of the environment; "" without one."""
    return os.environ.get(variable, "").strip() if variable else ""
