"""Reads the Dockerfile, and takes the steps of the project in a folder, without Docker or root."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support.process_data import TIMEOUT_S


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
