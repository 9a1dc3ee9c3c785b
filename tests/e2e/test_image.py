"""The Dockerfile's steps, taken in an empty folder: without Docker, root or a network."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import distribution, entry_points
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from setuptools import find_packages

from support.examples import first_often
from support.paths import ROOT
from support.process_data import TIMEOUT_S, wait_until


@dataclass
class Image:
    """A stage of the Dockerfile as far as it has been built below `root`, instead of `/`."""

    root: Path
    context: Path  # the files that COPY copies
    python: Path  # stands for the one of the base image
    user: str = "root"
    directory: str = "/"
    variables: dict[str, str] = field(default_factory=dict)
    command: list[str] = field(default_factory=list)

    def path(self, inside: str) -> Path:
        """Where the path inside the image is on this machine."""
        return self.root / inside.lstrip("/")

    def run(self, command: list[str], **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the image, which is looked up in its PATH, in its working directory."""
        options = {"capture_output": True, "text": True, "timeout": TIMEOUT_S}
        return subprocess.run(**self._start(command, variables), **options)

    def start(self, command: list[str], **variables: str) -> subprocess.Popen[bytes]:
        """Such a program, running; its words go to `log` in the image's root."""
        with self.path("/log").open("a") as log:
            return subprocess.Popen(**self._start(command, variables), stdout=log, stderr=log)

    def _start(self, command: list[str], variables: dict[str, str]) -> dict[str, Any]:
        search = self.variables["PATH"].replace("/audiomill/", f"{self.root}/audiomill/")
        environment = {
            **self.variables,
            "PATH": f"{search}:{os.environ['PATH']}",
            "HOME": str(self.path(self.variables["HOME"])),
            **variables,
        }
        program = shutil.which(command[0], path=environment["PATH"])
        assert program, f"{command[0]} is not in PATH"
        words = [program, *command[1:]]
        return {"args": words, "cwd": self.path(self.directory), "env": environment}


Instruction = tuple[str, str]  # the keyword and what follows


def stages(dockerfile: str) -> dict[str, list[Instruction]]:
    """The instructions of each stage, after those of the stages that it begins from."""
    lines = [line for line in dockerfile.splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    found: dict[str, list[Instruction]] = {}
    current: list[Instruction] = []
    for line in filter(None, map(str.strip, joined.splitlines())):
        keyword, _, rest = line.partition(" ")
        if keyword == "FROM":
            base, _, name = rest.partition(" AS ")
            current = found[name] = [*found.get(base, ())]
        current.append((keyword, rest.strip()))
    return found


def build(image: Image, instructions: list[Instruction], **variables: str) -> None:
    """Take the steps of a stage, but for those of root. A step that fails is an error."""
    for keyword, rest in instructions:
        match keyword:
            case "FROM" | "VOLUME":
                pass
            case "USER":
                image.user = rest
            case "WORKDIR":
                image.directory = rest
                image.path(rest).mkdir(parents=True, exist_ok=True)
            case "ENV":
                for word in shlex.split(rest):
                    name, _, value = word.partition("=")
                    image.variables[name] = value.removesuffix(":$PATH")
            case "COPY":
                assert [word for word in rest.split() if not word.startswith("--")] == [".", "."]
                shutil.copytree(image.context, image.path(image.directory), dirs_exist_ok=True)
            case "RUN" if image.user == "root":
                pass
            case "RUN":
                run = image.run(["sh", "-c", rest], PYTHON=str(image.python), **variables)
                assert run.returncode == 0, f"{rest}\n{run.stdout}{run.stderr}"
            case "CMD":
                image.command = json.loads(rest)
            case _:
                raise AssertionError(f"the tests do not know {keyword}")


def is_ignored(path: str, patterns: list[str]) -> bool:
    """Whether a file is left out by the lines of a .dockerignore, which may begin with `**/`."""
    parts = path.split("/")
    parents = ["/".join(parts[:n]) for n in range(1, len(parts) + 1)]
    return any(_matches(parent, pattern) for parent in parents for pattern in patterns)


def _matches(path: str, pattern: str) -> bool:
    anywhere = "(?:.*/)?" if pattern.startswith("**/") else ""
    name = re.escape(pattern.removeprefix("**/")).replace(r"\*", "[^/]*")
    return re.fullmatch(anywhere + name, path) is not None


STAGES = stages((ROOT / "Dockerfile").read_text())
IGNORED = [
    line
    for line in (ROOT / ".dockerignore").read_text().splitlines()
    if line and not line.startswith("#")
]
INSTALLED = sysconfig.get_path("purelib")


@pytest.fixture(scope="module")
def context(tmp_path_factory) -> Path:
    """The files that Docker would get, also those that git does not know yet."""
    folder = tmp_path_factory.mktemp("context")
    for parent, folders, files in os.walk(ROOT):
        here = Path(parent).relative_to(ROOT)
        folders[:] = [name for name in folders if not is_ignored(str(here / name), IGNORED)]
        for name in files:
            if not is_ignored(str(here / name), IGNORED):
                (folder / here).mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / here / name, folder / here / name)
    return folder


@pytest.fixture(scope="module")
def image(request, context, tmp_path_factory) -> Image:
    """The stage named by the test's parameter, built. Its tests share it."""
    folder = tmp_path_factory.mktemp(request.param)
    made = Image(folder / "root", context, Path(sys.executable))
    made.path("/home/audiomill").mkdir(parents=True)
    # pip installs the project alone, built by our setuptools. What else it needs is the test's.
    offline = {"PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder)}
    pack_wheel("setuptools", folder)
    build(made, STAGES[request.param], **offline)
    return made


def pack_wheel(project: str, folder: Path) -> None:
    """Put the wheel of an installed project into `folder`."""
    installed = distribution(project)
    name = f"{project}-{installed.version}-py3-none-any.whl"
    with zipfile.ZipFile(folder / name, "w") as wheel:
        for file in installed.files or ():
            if ".." not in file.parts and "__pycache__" not in file.parts:
                wheel.write(installed.locate_file(file), str(file))


def test_every_package_is_in_the_image(context):
    """setup.py takes what it finds, and would not miss a folder."""
    folders = find_packages(str(ROOT), include=["inputs*", "renderers*", "outputs*", "flows*"])
    assert folders
    for name in folders:
        assert context.joinpath(*name.split("."), "__init__.py").is_file(), name
    assert (context / "setup.py").is_file()
    project = tomllib.loads((context / "pyproject.toml").read_text())
    assert (context / project["project"]["readme"]).is_file()


@pytest.mark.parametrize("image", first_often(["cpu", "cuda"], 1), indirect=True)
def test_a_book_is_rendered_in_the_image_as_it_is_built(image, sample_epub):
    """From the folder of the books, as a user with only the image's HOME."""
    shutil.copy(sample_epub, image.path("/books"))
    run = image.run(
        ["audiomill", "render", sample_epub.name, "--engine", "tone", "--chapters", "1"],
        PYTHONPATH=INSTALLED,
    )
    assert run.returncode == 0, run.stderr
    (path,) = run.stdout.split("\n")[:-1]
    assert image.path("/books").joinpath(path).stat().st_size > 10_000
    assert image.path("/home/audiomill/.cache/audiomill/shards").is_dir()
    shown = image.run(image.command, PYTHONPATH=INSTALLED)
    assert "usage: audiomill" in shown.stdout


@pytest.mark.parametrize("name", ["cpu", "cuda"])
def test_only_packages_and_a_user_need_root(name):
    user = "root"
    for keyword, rest in STAGES[name]:
        if keyword == "USER":
            user = rest
        elif keyword == "RUN" and user == "root":
            programs = {step.split()[0] for step in rest.split("&&")}
            assert programs <= {"apt-get", "rm", "useradd", "install"}
    assert user == "audiomill"


@pytest.mark.parametrize("name", ["cpu", "cuda"])
def test_a_worker_of_prefect_can_start_its_own_command(name):
    """It starts `prefect flow-run execute`, which `make setup` puts beside our own program."""
    keywords = [keyword for keyword, _ in STAGES[name]]
    assert "ENTRYPOINT" not in keywords
    assert keywords.count("CMD") == 1
    assert "PATH=/audiomill/.venv/bin:$PATH" in dict(STAGES["base"])["ENV"]
    assert Path(sys.executable).with_name("prefect").exists()


DOCKER = [
    shlex.split(line)
    for line in (ROOT / "docs" / "containers.md").read_text().splitlines()
    if line.startswith("docker ")
]


@pytest.mark.parametrize("words", DOCKER, ids=" ".join)
def test_a_container_of_the_readme_starts_our_program(words):
    (at,) = (
        at for at, word in enumerate(words) if word.startswith("audiomill:") and "/" not in word
    )
    stage = words[at].partition(":")[2]
    assert f"--target {stage} --tag {words[at]} ." in (ROOT / "Makefile").read_text()
    assert words[at + 1] == "audiomill"
    volumes = json.loads(dict(STAGES[stage])["VOLUME"])
    for option, value in pairwise(words[:at]):
        assert option != "-v" or value.rpartition(":")[2] in volumes
    assert ("--gpus" in words) == (stage == "cuda")


def test_the_image_for_gpus_has_what_they_need():
    text = "\n".join(f"{keyword} {rest}" for keyword, rest in STAGES["cuda"])
    assert "NVIDIA_VISIBLE_DEVICES=all" in text
    assert "NVIDIA_DRIVER_CAPABILITIES=compute,utility" in text
    assert {"gcc", "libc6-dev"} <= set(text.split())
    assert "kokoro" in extras("cuda")


def extras(stage: str) -> set[str]:
    """The extras that the image is set up with."""
    (found,) = re.findall(r"make setup EXTRAS=(\S+)", str(STAGES[stage]))
    return set(found.split(","))


@pytest.mark.parametrize("name", ["cpu", "cuda"])
def test_an_image_has_what_a_cluster_needs(name):
    """`make setup` refuses extras that do not exist; these bring `dask scheduler`, and s3://."""
    needs = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert {"dask", "s3"} <= extras(name) <= needs.keys()
    assert [need.split(">")[0] for need in needs["dask"] + needs["s3"]] == ["distributed", "s3fs"]
    assert "dask" in entry_points(group="console_scripts").names
    assert "scheduler" in entry_points(group="dask_cli").names


@pytest.mark.prove
@pytest.mark.parametrize("image", ["cpu"], indirect=True)
def test_the_image_is_a_cluster(image, sample_epub):
    """Scheduler, worker and render, each a program of the image."""
    shutil.copy(sample_epub, image.path("/books"))
    file = image.path("/books/scheduler.json")
    listens = [
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--no-dashboard",
        "--scheduler-file",
        str(file),
    ]
    # The image's Python, with the packages of the test instead of those that pip would install.
    scheduler = image.start(["python", "-m", "dask", "scheduler", *listens], PYTHONPATH=INSTALLED)
    with ended(scheduler):
        wait_until(file.exists, scheduler)
        address = wait_until(lambda: json.loads(file.read_text() or "{}"))["address"]
        variables = {"PYTHONPATH": INSTALLED, "AUDIOMILL_DASK_SCHEDULER": address}
        with ended(image.start(["audiomill", "worker", "--engine", "tone"], **variables)):
            words = ["--engine", "tone", "--chapters", "1", "--executor", "dask"]
            words += ["--store", "new", "--out", "rendered"]
            run = image.run(["audiomill", "render", sample_epub.name, *words], **variables)
            assert run.returncode == 0, run.stderr
    assert [*image.path("/books").glob("rendered/**/*.m4b")]


@contextmanager
def ended(process):
    """Until the block ends, `process` runs."""
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def test_an_image_gets_no_more_than_it_needs(context):
    """Nothing that git ignores, and neither tests nor history."""
    names = {path.name for path in context.iterdir()}
    assert not names & {".git", ".ci", ".venv", ".python", "library", "build", "tests", "docs"}
    assert {"pyproject.toml", "constraints.txt", "Makefile", "find_python.sh"} <= names
    assert {"prefect.yaml", "README.md", "inputs", "renderers", "outputs", "flows"} <= names
    git_ignores = (ROOT / ".gitignore").read_text().split()
    kept = [line for line in git_ignores if not is_ignored(line.strip("/"), IGNORED)]
    assert kept == []
