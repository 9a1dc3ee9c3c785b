"""How audiomill was installed here, and so the command that adds to it.

    .venv of a checkout   make setup EXTRAS=kokoro
    pipx, uv tool         their own command, with what they installed from
    pip, uv               into this environment
    one of our images     a new image

Reads files of the environment; changes nothing.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import unquote, urlsplit

NAME = "audiomill"
CHECKOUT = Path(__file__).parents[2]
# Files in the root of an environment: the Dockerfile writes the first, the tools the others.
IMAGE_MARK, PIPX_MARK, UV_TOOL_MARK = ".audiomill-image", "pipx_metadata.json", "uv-receipt.toml"


@dataclass(frozen=True, slots=True)
class Installation:
    """An environment with audiomill in it."""

    prefix: Path  # of the environment
    checkout: Path  # of the code; only a checkout has a Makefile
    installer: str = ""  # by its INSTALLER file: pip or uv; "" if the code is only imported
    url: str = ""  # what was installed, if not a release from an index
    is_editable: bool = False

    def hint(self, extra: str = "") -> str:
        """A sentence that says how to add an extra, for example "kokoro"; "" is what all need."""
        if self._has(IMAGE_MARK):
            return _image_hint(extra)
        return f"Install what it needs: {self._command(extra)}"

    def repair_hint(self, package: str) -> str:
        """A sentence that says how to install one of the required packages again."""
        if self._has(IMAGE_MARK):
            return "Build the image again: make image"
        if self.installer == "uv":
            return f"Install it again: {self._uv_pip()} --reinstall {package}"
        return f"Install it again: {self._pip()} --force-reinstall {package}"

    def _command(self, extra: str) -> str:
        if self._has(PIPX_MARK):
            kept = _extras_of_pipx(self.prefix / PIPX_MARK)
            return f"pipx install --force {self._requirement(extra, *kept)}"
        if self._has(UV_TOOL_MARK):
            kept = _extras_of_uv(self.prefix / UV_TOOL_MARK)
            return f"uv tool install --force {self._requirement(extra, *kept)}"
        is_set_up_by_make = not self.installer or self.prefix == self.checkout / ".venv"
        if is_set_up_by_make and (self.checkout / "Makefile").is_file():
            return f"make setup EXTRAS={extra}" if extra else "make setup"
        pip = self._uv_pip() if self.installer == "uv" else self._pip()
        return f"{pip} {'-e ' if self.is_editable else ''}{self._requirement(extra)}"

    def _requirement(self, *extras: str) -> str:
        """What pip and others take to mean this package with extras, quoted for a shell."""
        names = ",".join(sorted({*extras} - {""}))
        added = f"[{names}]" if names else ""
        parts = urlsplit(self.url)
        if parts.scheme == "file" and Path(unquote(parts.path)).is_dir():
            return shlex.quote(f"{unquote(parts.path)}{added}")
        return shlex.quote(f"{NAME}{added} @ {self.url}" if self.url else f"{NAME}{added}")

    def _has(self, mark: str) -> bool:
        return (self.prefix / mark).is_file()

    def _pip(self) -> str:
        return f"{shlex.quote(str(self._python))} -m pip install"

    def _uv_pip(self) -> str:
        return f"uv pip install --python {shlex.quote(str(self._python))}"

    @property
    def _python(self) -> Path:
        return self.prefix / "bin" / "python"


def _image_hint(extra: str) -> str:
    if extra == "kokoro":
        return "This image does not have it; make image-cuda builds one that has."
    return (
        f"This image does not have it: let its Dockerfile run `make setup EXTRAS={extra}`, and"
        " build it again."
    )


def _extras_of_pipx(path: Path) -> list[str]:
    """The extras that pipx has installed, which a new installation must name again."""
    main = json.loads(path.read_text("utf-8")).get("main_package", {})
    found = re.search(r"\[([\w,\- ]+)\]", str(main.get("package_or_url", "")))
    return found[1].replace(" ", "").split(",") if found else []


def _extras_of_uv(path: Path) -> list[str]:
    """The extras that uv has installed, which a new installation must name again."""
    requirements = tomllib.loads(path.read_text("utf-8")).get("tool", {}).get("requirements", [])
    return [extra for one in requirements if one["name"] == NAME for extra in one.get("extras", [])]


@cache
def this_installation() -> Installation:
    """The environment of this process."""
    prefix = Path(sys.prefix)
    try:
        return installation_of(distribution(NAME), prefix, CHECKOUT)
    except PackageNotFoundError:
        return Installation(prefix, CHECKOUT)


def installation_of(found: Distribution, prefix: Path, checkout: Path) -> Installation:
    """An installation, by the files that its installer left (`INSTALLER`, `direct_url.json`)."""
    installer = (found.read_text("INSTALLER") or "pip").strip()
    origin = json.loads(found.read_text("direct_url.json") or "{}")
    url = origin.get("url", "")
    if "vcs_info" in origin:
        url = f"{origin['vcs_info']['vcs']}+{url}"
    is_editable = bool(origin.get("dir_info", {}).get("editable"))
    return Installation(prefix, checkout, installer, url, is_editable)
