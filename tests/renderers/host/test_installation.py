"""The command that adds an extra fits how the package was installed."""

import json
import sys
from importlib.metadata import Distribution
from pathlib import Path

import pytest

from audiomill.renderers.host.installation import (
    Installation,
    installation_of,
    this_installation,
)
from support.case_files import each_row_apart
from support.paths import ROOT

# As the tools wrote them for an installation with an extra.
RECEIPTS = {
    "pipx_metadata.json": '{"main_package": {"package_or_url": "audiomill[s3]"}}',
    "uv-receipt.toml": '[tool]\nrequirements = [{ name = "audiomill", extras = ["s3"] }]\n',
}


def installed(folder: Path, installer: str = "pip", origin: dict | None = None, mark: str = ""):
    """An environment in `folder`, with the files that an installer leaves."""
    info = folder / "site-packages" / "audiomill-0.1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Name: audiomill\nVersion: 0.1.0\n")
    (info / "INSTALLER").write_text(f"{installer}\n")
    if origin is not None:
        (info / "direct_url.json").write_text(json.dumps(origin))
    if mark:
        (folder / mark).write_text(RECEIPTS.get(mark, ""))
    return installation_of(Distribution.at(info), folder, folder / "site-packages" / "audiomill")


def test_a_checkout_is_set_up_by_make(tmp_path):
    (tmp_path / "Makefile").touch()
    found = Installation(tmp_path / ".venv", tmp_path, "pip", tmp_path.as_uri(), is_editable=True)
    assert found.hint("kokoro") == "Install what it needs: make setup EXTRAS=kokoro"
    assert found.hint() == "Install what it needs: make setup"
    # Imported from where it lies, and installed nowhere.
    assert Installation(Path("/usr"), tmp_path).hint("s3").endswith("make setup EXTRAS=s3")


def test_a_checkout_in_another_environment_is_installed_by_pip(tmp_path):
    origin = {"url": tmp_path.as_uri(), "dir_info": {"editable": True}}
    env = tmp_path / "an env"
    hint = installed(env, origin=origin).hint("kokoro")
    python = f"'{env}/bin/python'"
    assert hint.endswith(f": {python} -m pip install -e '{tmp_path}[kokoro]'")


@each_row_apart
def test_each_tool_has_its_own_command(tmp_path, mark, installer, origin, command):
    hint = installed(tmp_path, installer, origin, mark).hint("kokoro")
    assert hint == f"Install what it needs: {command.format(python=tmp_path / 'bin' / 'python')}"


def test_in_an_image_another_image_is_named(tmp_path):
    found = installed(tmp_path, mark=".audiomill-image")
    assert "make image-cuda" in found.hint("kokoro")
    assert "EXTRAS=s3" in found.hint("s3")
    assert "make image" in found.repair_hint("imageio-ffmpeg")
    assert "touch .venv/.audiomill-image" in (ROOT / "Dockerfile").read_text()


@pytest.mark.parametrize(("installer", "option"), [("pip", "--force-"), ("uv", "--")])
def test_a_broken_package_is_installed_again_in_this_environment(tmp_path, installer, option):
    hint = installed(tmp_path, installer).repair_hint("espeakng-loader")
    assert str(tmp_path / "bin" / "python") in hint
    assert hint.endswith(f"{option}reinstall espeakng-loader")


def test_this_environment_is_known():
    assert this_installation().prefix == Path(sys.prefix)
    assert this_installation().installer


def test_no_message_names_a_way_to_install_besides():
    """Only one file knows them; the README and the Makefile speak of a checkout."""
    files = [path for room in ("inputs", "renderers", "outputs", "flows")
             for path in (ROOT / room).rglob("*.py")]  # fmt: skip
    named = {
        path.name
        for path in files
        if any(words in path.read_text() for words in ("make setup", "pip install"))
    }
    assert named == {"installation.py"}
