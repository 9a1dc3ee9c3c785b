"""A user's machine in one folder, and the command line as a user runs it."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from support.forked_run import PROGRAM, ForkedProcess, program_of, run_forked
from support.paths import TESTS_PATH
from support.process_data import TIMEOUT_S

AUDIOMILL = ("-m", "audiomill")
# A player that keeps in the home what it is given to play.
HEARING = '#!/bin/sh\nexec /bin/cat > "$HOME/heard.wav"\n'


@dataclass(frozen=True)
class Home:
    """A user's machine: library, store and settings in one folder, nothing of the real one.

    `imports` are packages that its programs need. Unless they are None, another program than the
    command line itself runs as a fork, too.
    """

    path: Path
    variables: dict[str, str]
    program: tuple[str, ...] = AUDIOMILL
    imports: tuple[str, ...] | None = None

    @property
    def library(self) -> Path:
        return self.path / "library"

    @property
    def store(self) -> Path:
        return self.path / "store"

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT")}
        return kept | {
            "HOME": str(self.path),
            "XDG_CACHE_HOME": str(self.path / "cache"),
            "XDG_CONFIG_HOME": str(self.path / "config"),
            "AUDIOMILL_LIBRARY": str(self.library),
            "AUDIOMILL_STORE": str(self.store),
            "PREFECT_HOME": str(self.path / "prefect"),
            "PYTHONWARNINGS": "default",
            "PYTHONUNBUFFERED": "1",
            "PYTHONPATH": TESTS_PATH,
            **self.variables,
        }

    def start(self, *arguments: object, **options) -> subprocess.Popen:
        """`audiomill …`, running."""
        return subprocess.Popen(
            [sys.executable, *self.program, *map(str, arguments)],
            cwd=options.pop("cwd", self.path),
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=options.pop("stderr", subprocess.PIPE),
            text=True,
            **options,
        )

    def start_forked(self, *arguments: object) -> ForkedProcess:
        """`audiomill …`, running, as a fork that has imported what it needs; its words are lost."""
        with Path(os.devnull).open("w") as nowhere:
            files = (nowhere.fileno(), nowhere.fileno())
            words = [*map(str, arguments)]
            imports = self.imports or ()
            return ForkedProcess(words, self.path, self.environment, files, self._source, imports)

    @property
    def _source(self) -> str:
        if self.program == AUDIOMILL:
            return PROGRAM
        *option, program = self.program
        if option == ["-m"]:
            return program_of(program)
        return program if option else Path(program).read_text()

    def run(self, *arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess:
        """`audiomill …`, done."""
        can_fork = self.program == AUDIOMILL or self.imports is not None
        if can_fork and not any(map(_is_read_at_start, self.variables)):
            words, folder = [*map(str, arguments)], cwd or self.path
            return run_forked(words, folder, self.environment, self._source, self.imports or ())
        return self.run_program(*arguments, cwd=cwd or self.path)

    def run_program(self, *arguments: object, **options) -> subprocess.CompletedProcess:
        """`audiomill …`, done, as a program that imports all it needs."""
        with self.start(*arguments, **options) as process:
            try:
                out, err = process.communicate(timeout=TIMEOUT_S)
            finally:
                process.kill()  # leaving waits for it, however long
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def json(self, *arguments: object) -> Any:
        """What `audiomill … --json` prints, which must succeed."""
        run = self.run(*arguments, "--json")
        assert run.returncode == 0, run.stderr
        return json.loads(run.stdout.splitlines()[-1])

    def render(self, *arguments: object) -> dict:
        return self.json("render", *arguments)

    def refused(self, code: int, *arguments: object) -> str:
        """What `audiomill …` writes to stderr. It must fail with this code, without a traceback."""
        run = self.run(*arguments)
        assert run.returncode == code, (arguments, run.stderr)
        assert "Traceback" not in run.stderr
        return run.stderr

    def refused_in_a_line(self, code: int, *arguments: object) -> str:
        """As `refused`, in one line."""
        words = self.refused(code, *arguments)
        assert words.count("\n") == 1, words
        return words

    def with_variables(self, **variables: object) -> "Home":
        added = {key: str(value) for key, value in variables.items()}
        return replace(self, variables=self.variables | added)

    def with_player(self, script: str) -> "Home":
        """The same, where this script plays sounds, and is the only program that can be found."""
        player = self.path / "programs" / "aplay"
        player.parent.mkdir()
        player.write_text(script)
        player.chmod(0o755)
        return self.with_variables(PATH=player.parent)

    def with_engine(self, engine: str, **table: object) -> "Home":
        """The same, whose engine has this table of settings."""
        prefix = f"AUDIOMILL_{engine.replace('-', '_').upper()}__"
        named = {f"{prefix}{name.upper()}": value for name, value in table.items()}
        return self.with_variables(AUDIOMILL_ENGINE=engine, **named)


def files_below(folder: Path, ending: str) -> list[Path]:
    """The files below a folder whose names end so; none where it is not there.

    Other processes may remove folders meanwhile, at which `Path.rglob` would fail.
    """
    found = ((at, name) for at, _, names in os.walk(folder) for name in names)
    return [Path(at, name) for at, name in found if name.endswith(ending)]


def _is_read_at_start(variable: str) -> bool:
    """Whether Python itself reads the variable, before a fork could set it."""
    return variable.startswith(("PYTHON", "LC_", "LANG"))
