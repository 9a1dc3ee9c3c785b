"""Where uv finds packages: what the user has configured for pip, if nothing is for uv.

uv reads no configuration of pip's. Somebody whose packages come from a mirror has told pip so.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path

import platformdirs

from audiomill.renderers.host.foreign_process import run_program

# pip's names, and the variables of uv that mean the same.
VARIABLES = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "cert": "SSL_CERT_FILE",
}
UV_FILES = (
    Path(platformdirs.user_config_dir("uv", appauthor=False)) / "uv.toml",
    Path("/etc/uv/uv.toml"),
)
_LINE = re.compile(r"^[\w:]*\.(?P<name>[\w-]+)='(?P<value>.*)'$")


def uv_variables() -> Mapping[str, str]:
    """Variables for uv, from the configuration of this interpreter's pip."""
    if any(path.exists() for path in UV_FILES):
        return {}
    lines: list[str] = []
    words = (sys.executable, "-m", "pip", "config", "list")
    return uv_variables_from(lines) if run_program(words, lines.append) == 0 else {}


def uv_variables_from(lines: list[str]) -> dict[str, str]:
    """The same from the lines of `pip config list`, of which the later ones win."""
    found = (match for line in lines if (match := _LINE.match(line.strip())))
    settings = {match["name"]: match["value"].replace("\\n", " ").split() for match in found}
    variables = {
        variable: ("," if name == "find-links" else " ").join(settings[name])
        for name, variable in VARIABLES.items()
        if settings.get(name)
    }
    # As pip does it: the best version of all indexes, not of the first that has the package.
    return (
        {**variables, "UV_INDEX_STRATEGY": "unsafe-best-match"}
        if "UV_INDEX" in variables
        else variables
    )
