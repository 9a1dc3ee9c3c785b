"""Environments are made, resumed and removed, with a package that lies in a folder."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest

from audiomill.renderers.engine.errors import EngineMissing, WeightsUnfit
from audiomill.renderers.isolated import installing
from audiomill.renderers.isolated.catalogue import CodeSource, isolated_specs
from audiomill.renderers.isolated.environment import Environment, Installed, pinned_packages
from audiomill.renderers.isolated.installing import EnvironmentSetup, import_lack, install, remove
from audiomill.renderers.isolated.models import find_model, model_lock_path
from audiomill.renderers.isolated.package_indexes import uv_variables, uv_variables_from
from support.hub_server import serving
from support.isolated_data import tones_model, tones_options, tones_spec
from support.paths import ROOT, TESTS_PATH

pytestmark = pytest.mark.prove

HOOKED = """
import os, signal, sys
from pathlib import Path
from audiomill.renderers.isolated.environment import Environment
from audiomill.renderers.isolated.installing import install
from support.isolated_data import tones_options, tones_spec

folder, n_lines = Path(sys.argv[1]), int(sys.argv[2])
told = []

def tell(line):
    told.append(line)
    if len(told) == n_lines:
        os.kill(os.getpid(), signal.SIGKILL)

spec = tones_spec(imports=("tones_package",), lock_file=folder / "lock.txt", disk_gib=0.001)
install(Environment(spec, folder / "engines" / "tones"), tones_options(folder / "model"), tell)
print(len(told))
"""


def locked(folder):
    """A lock with the hash of the package that lies in the folder."""
    (wheel,) = (folder / "wheels").iterdir()
    other = "0" * 64  # of another platform
    found = hashlib.sha256(wheel.read_bytes()).hexdigest()
    return f"tones-package==1.0 \\\n    --hash=sha256:{other} \\\n    --hash=sha256:{found}\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A package in a folder, which is all that pip and uv are told of, and a lock that wants it."""
    name = "tones_package-1.0"
    files = {
        "tones_package.py": "SOUND = 1\n",
        f"{name}.dist-info/METADATA": "Metadata-Version: 2.1\nName: tones-package\nVersion: 1.0\n",
        f"{name}.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{name}.dist-info/RECORD": "",
    }
    (tmp_path / "wheels").mkdir()
    with zipfile.ZipFile(tmp_path / "wheels" / f"{name}-py3-none-any.whl", "w") as wheel:
        for path, content in files.items():
            wheel.writestr(path, content)
    for variable in ("PIP_NO_INDEX", "UV_OFFLINE"):
        monkeypatch.setenv(variable, "1")
    for variable in ("PIP_CONFIG_FILE", "UV_CONFIG_FILE"):
        monkeypatch.setenv(variable, os.devnull)
    for variable in ("PIP_FIND_LINKS", "UV_FIND_LINKS"):
        monkeypatch.setenv(variable, str(tmp_path / "wheels"))
    monkeypatch.setattr(installing, "uv_variables", dict)  # pip takes half a second to tell them
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv-cache"))
    (tmp_path / "lock.txt").write_text(locked(tmp_path))
    tones_model(tmp_path / "model")
    return tmp_path


def environment(folder, **choices):
    choices = {"imports": ("tones_package",), "disk_gib": 0.001} | choices
    spec = tones_spec(lock_file=folder / "lock.txt", **choices)
    return Environment(spec, folder / "engines" / "tones")


def installed(folder, **choices):
    told = []
    place = environment(folder, **choices)
    install(place, tones_options(folder / "model"), told.append)
    return place, told


def python(place, code):
    words = [place.python, "-I", "-c", code]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


# By pip it takes four seconds.
@pytest.mark.parametrize("tool", ["uv", pytest.param("pip", marks=pytest.mark.prove)])
def test_an_environment_has_the_packages_of_the_lock_and_no_others(folder, monkeypatch, tool):
    if tool == "pip":
        monkeypatch.setattr(installing, "find_uv", lambda: None)
    monkeypatch.setattr(installing, "uv_variables", uv_variables)
    monkeypatch.delenv("UV_FIND_LINKS")
    assert "is not installed" in environment(folder).problem()
    (wheel,) = (folder / "wheels").iterdir()
    locked_one = wheel.read_bytes()
    with zipfile.ZipFile(wheel, "a") as changed:  # the index has another file of this name
        changed.writestr("tones_more.py", "SOUND = 2\n")
    with pytest.raises(
        EngineMissing, match=r"(?i)could not be installed(.|\n)*hash(.|\n)*for CPUs"
    ):
        installed(folder)
    assert environment(folder).installed() is None
    wheel.write_bytes(locked_one)
    place, told = installed(folder)
    assert place.problem() == ""
    assert any("1 packages" in line for line in told)
    assert python(place, "import tones_package; print(tones_package.SOUND)") == "1"
    assert import_lack(place) == ""


def test_an_environment_is_made_once_and_what_is_broken_in_it_is_mended(folder):
    place, _ = installed(folder)
    mark = place.venv / "mark"
    mark.touch()
    (folder / "lock.txt").write_text(locked(folder) + "# as before\n")
    assert "with other packages" in place.problem()
    _, told = installed(folder)
    assert place.problem() == ""
    assert mark.exists()
    assert not any("making" in line for line in told)
    place.python.unlink()
    assert "is gone" in place.problem()
    installed(folder)
    assert place.problem() == ""
    assert python(place, "import tones_package; print(1)") == "1"


def test_what_was_deleted_is_told_and_all_of_it_can_be_removed(folder):
    place, _ = installed(folder)
    (module,) = place.venv.rglob("tones_package.py")
    module.unlink()
    assert import_lack(place) == "it has no tones_package"
    assert remove(place)
    assert not place.folder.exists()
    assert not remove(place)


def test_an_installation_goes_on_after_a_kill_at_any_step(folder):
    path = os.pathsep.join((TESTS_PATH, str(ROOT.parent)))
    environment_ = os.environ | {"PYTHONPATH": path}
    words = [sys.executable, "-c", HOOKED, folder]
    for n_lines in (1, 2, 2):  # before the venv, before its packages, before they are looked at
        run = subprocess.run([*words, str(n_lines)], env=environment_, capture_output=True)
        assert run.returncode == -9, run.stderr
        assert environment(folder).problem()
    run = subprocess.run([*words, "99"], env=environment_, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert environment(folder).problem() == ""


def test_a_package_that_cannot_be_had_is_told_with_the_tools_own_words(folder):
    (folder / "lock.txt").write_text(f"tones-package==2.0 --hash=sha256:{'0' * 64}\n")
    with pytest.raises(EngineMissing, match=r"uv failed. The same command goes on(.|\n)*2\.0"):
        installed(folder)
    assert "is not fully installed" in environment(folder).problem()


def test_a_package_without_a_hash_is_refused(folder):
    (folder / "lock.txt").write_text("tones-package==1.0\n")
    with pytest.raises(EngineMissing, match=r"(?i)could not be installed(.|\n)*hash"):
        installed(folder)


def test_every_package_of_every_lock_has_hashes_and_no_lock_an_address():
    for spec in isolated_specs().values():
        text = spec.lock.read_text()
        packages = [line for line in pinned_packages(spec.lock).splitlines() if "==" in line]
        assert re.search(r"://|git\+", text) is None, spec.name
        requirements = re.split(r"\n(?=\S)", text.strip())
        without = [one for one in requirements if "==" in one and "--hash=sha256:" not in one]
        assert without == [], spec.name
        assert len(requirements) == len(packages) > 20
        # PyTorch's GPU libraries too, which it asks for by version only.
        assert sum(one.startswith(("nvidia-", "triton==")) for one in requirements) >= 13


def test_a_package_that_cannot_be_imported_is_no_installation(folder):
    with pytest.raises(EngineMissing, match=r"(.|\n)*No module named 'something_else'"):
        installed(folder, imports=("tones_package", "something_else"))
    assert environment(folder).installed() is None


def test_a_full_disk_is_noticed_before_anything_is_made(folder):
    with pytest.raises(EngineMissing, match=r"needs 9999999 GiB, and .* GiB left"):
        installed(folder, disk_gib=9_999_999.0)
    assert not environment(folder).folder.exists()


def test_a_python_that_nobody_has_is_named(folder, monkeypatch):
    monkeypatch.setattr(installing, "find_uv", lambda: None)
    with pytest.raises(EngineMissing, match=r"needs Python 3\.97 to 3\.98"):
        installed(folder, pythons=(97, 98))


def test_code_of_a_repository_is_checked_out_at_its_commit(folder):
    origin = folder / "origin"
    git = ("git", "-C", str(origin), "-c", "user.name=a", "-c", "user.email=a@b.c")
    subprocess.run(["git", "init", "-q", str(origin)], check=True)
    (origin / "inner").mkdir()
    for number in (1, 2):
        (origin / "inner" / "own_code.py").write_text(f"NUMBER = {number}\n")
        subprocess.run([*git, "add", "-A"], check=True)
        subprocess.run([*git, "commit", "-q", "-m", "x"], check=True)
    subprocess.run([*git, "config", "uploadpack.allowAnySHA1InWant", "true"], check=True)
    words = [*git, "rev-parse", "HEAD~1"]
    first = subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
    source = CodeSource(origin.as_uri(), first, (".", "inner"))
    place, _ = installed(folder, source=source, imports=("tones_package", "own_code"))
    assert python(place, "import own_code; print(own_code.NUMBER)") == "1"
    installed(folder, source=source, imports=("own_code",))  # again, with all of it there


def test_a_folder_of_a_person_is_neither_removed_nor_installed_into(folder):
    place = environment(folder)
    (place.folder / "venv").mkdir(parents=True)
    mine = place.folder / "notes.txt"
    mine.write_text("mine")
    for act in (remove, lambda one: install(one, tones_options(folder / "model"), print)):
        with pytest.raises(EngineMissing, match=r"is no environment .* it has notes\.txt"):
            act(place)
        assert mine.read_text() == "mine"


def test_uv_is_told_what_pip_is_configured_with():
    lines = [
        "global.index-url='https://mirror.example/simple'",
        "global.extra-index-url='https://a.example/s https://b.example/s'",
        ":env:.find-links='/one /two'",
        "global.timeout='60'",
        "something else",
    ]
    assert uv_variables_from(lines) == {
        "UV_DEFAULT_INDEX": "https://mirror.example/simple",
        "UV_INDEX": "https://a.example/s https://b.example/s",
        "UV_FIND_LINKS": "/one,/two",
        "UV_INDEX_STRATEGY": "unsafe-best-match",
    }
    assert uv_variables_from([]) == {}


COMMIT = "0123456789abcdef0123456789abcdef01234567"
FILES = {"config.json": b"{}", "weights/model.pt": b"w" * 100_000}


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """A hub that the engine's own process takes for the real one."""
    with serving(monkeypatch, tmp_path) as server:
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        monkeypatch.setenv("HF_HOME", str(tmp_path / "huggingface"))
        monkeypatch.setenv("HF_HUB_OFFLINE", "0")
        monkeypatch.setenv("HF_HUB_DISABLE_XET", "1")
        yield server


def fetched(place, told=None):
    """The models of an engine, fetched by this interpreter: it has the hub's client."""
    options = replace(tones_options(place.folder), model="")
    setup = EnvironmentSetup(place, print if told is None else told.append, None)
    done = place.installed() or Installed(place.wanted, "3.11")
    with mock.patch.object(Environment, "python", Path(sys.executable)):
        return installing._fetch_models(setup, options, done)


def found(place):
    return find_model(place.spec, replace(tones_options(place.folder), model=""), place)


def test_a_model_is_downloaded_and_known_by_its_commit(folder, hub):
    hub.publish("nobody/tones", COMMIT, FILES)
    place = environment(folder)
    done = fetched(place)
    assert Path(done.models["nobody/tones"]).name == COMMIT
    model = found(place)
    assert model.identity == f"nobody/tones {COMMIT[:16]}"
    assert model.is_official
    assert (model.folder / "weights" / "model.pt").read_bytes() == FILES["weights/model.pt"]
    hub.files.clear()  # it is here: nothing is asked for again
    assert found(place) == model


def test_a_model_stays_the_one_of_the_first_installation(folder, hub):
    """The hub has another one since, and this machine has lost the first."""
    hub.publish("nobody/tones", COMMIT, FILES)
    place = environment(folder)
    first = fetched(place).models
    hub.publish("nobody/tones", "f" * 40, FILES | {"weights/model.pt": b"evil"})
    shutil.rmtree(folder / "huggingface")
    remove(place)
    assert fetched(place).models == first
    assert found(place).identity == f"nobody/tones {COMMIT[:16]}"
    model_lock_path(place).unlink()  # --accept-models
    assert Path(fetched(place).models["nobody/tones"]).name == "f" * 40


def test_a_model_whose_files_are_others_is_not_loaded(folder, hub):
    hub.publish("nobody/tones", COMMIT, FILES)
    hub.publish("nobody/more", COMMIT, FILES)
    place = environment(folder, more_models=("nobody/more",))
    for repository, path in fetched(place).models.items():
        weights, code = Path(path) / "weights" / "model.pt", Path(path) / "run_me.py"
        blob = weights.resolve()
        weights.unlink()
        assert f"{repository} is not as it was" in refusal(place)
        assert "weights/model.pt gone" in refusal(place)
        weights.write_bytes(b"v" * 100_000)
        assert "weights/model.pt changed" in refusal(place)
        assert "audiomill engines install tones --accept-models" in refusal(place)
        weights.unlink()
        weights.symlink_to(blob)
        code.write_text("import os")
        assert "run_me.py new" in refusal(place)
        code.unlink()
        assert found(place)
    weights.write_bytes(b"evil")
    with pytest.raises(WeightsUnfit, match=r"more is not as it was.*: weights/model\.pt changed"):
        fetched(place)


def refusal(place):
    with pytest.raises(WeightsUnfit) as caught:
        found(place)
    return str(caught.value)


def test_a_model_that_a_package_finds_by_its_name_is_looked_at_too(folder, hub):
    for one in ("nobody/tones", "nobody/more"):
        hub.publish(one, COMMIT, FILES)
    place = environment(folder, more_models=("nobody/more",))
    folder_ = Path(fetched(place).models["nobody/more"])
    other = folder_.with_name("f" * 40)
    shutil.copytree(folder_, other)
    (folder_.parents[1] / "refs" / "main").write_text(other.name)
    assert found(place)  # another commit with the same files
    (other / "config.json").write_bytes(b"{ }")
    with pytest.raises(WeightsUnfit, match=r"more is not as it was .*: config\.json changed"):
        found(place)


def test_a_damaged_list_of_models_is_named(folder, hub):
    hub.publish("nobody/tones", COMMIT, FILES)
    place = environment(folder)
    fetched(place)
    model_lock_path(place).write_text("[]")
    with pytest.raises(WeightsUnfit, match=r"tones\.models\.json.* cannot be read"):
        found(place)


def test_files_that_can_run_code_are_said_aloud(folder, hub):
    trusting = {spec.name for spec in isolated_specs().values() if spec.loads_code}
    assert trusting == {"cosyvoice", "melotts", "spark-tts", "styletts2"}
    hub.publish("nobody/tones", COMMIT, FILES)
    (folder / "lock.txt").write_text(f"torch==2.5.1 \\\n    --hash=sha256:{'0' * 64}\n")
    told = []
    fetched(environment(folder), told)
    assert sum("You trust those who publish nobody/tones" in line for line in told) == 1


def test_a_model_that_nobody_may_have_is_told(folder, hub):
    with pytest.raises(EngineMissing, match=r"model nobody/tones could not be downloaded: Repo"):
        fetched(environment(folder))
