"""Books and settings with random damage: refused in a few words, or read as far as they go."""

import io
import json
import random
import shutil
import zipfile
from pathlib import Path

from soak.books import Books
from soak.stores import Stores, damaged_bytes
from support.home import Home
from support.paths import SAMPLES
from support.process_data import outlived

SETTINGS = """engine = "tone"
speed = 1.1
formats = ["mp3", "flac"]

[limits]
chapters = 50

[kokoro]
device = "cpu"
"""


class BadInput:
    """A round damages one file and hands it over."""

    def __init__(self, home: Home, books: Books, stores: Stores, numbers: random.Random) -> None:
        self._numbers = numbers
        self._home = home.with_variables(AUDIOMILL_STORE=stores.folder)
        self._books = [path for path in books.all if path.stat().st_size < 1 << 20]

    def round(self) -> str:
        for name in ("library", "config"):
            shutil.rmtree(self._home.path / name, ignore_errors=True)
        settings = self._numbers.random() < 0.2
        path = self._settings() if settings else self._book()
        source = SAMPLES / "the-lighthouse-mill.md" if settings else path
        run = self._home.run_program(
            "render", source, "--engine", "tone", "--chapters", "1", "--json", "--no-prefect"
        )
        seen = (run.returncode, path.read_bytes()[:200], run.stderr[-3000:])
        assert run.returncode in ((0, 2) if settings else (0, 2, 3)), seen
        assert "Traceback" not in run.stderr, seen
        assert len(run.stderr.splitlines()) < 40, seen
        assert isinstance(json.loads(run.stdout.splitlines()[-1]), dict), seen
        assert outlived(self._home.path) == [], seen
        return f"{'settings' if settings else path.suffix}: {run.returncode}"

    def _settings(self) -> Path:
        path = self._home.path / "config" / "audiomill" / "config.toml"
        path.parent.mkdir(parents=True)
        path.write_bytes(self._damaged(SETTINGS.encode()))
        return path

    def _book(self) -> Path:
        source = self._numbers.choice(self._books)
        path = self._home.path / f"bad{source.suffix}"
        content = source.read_bytes()
        if source.suffix == ".epub" and self._numbers.random() < 0.7:
            content = self._damaged_members(content)
        else:
            content = self._damaged(content)
        path.write_bytes(content)
        return path

    def _damaged(self, content: bytes) -> bytes:
        for _ in range(self._numbers.randint(1, 5)):
            content = damaged_bytes(content, self._numbers)
        return content

    def _damaged_members(self, content: bytes) -> bytes:
        made = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w") as new:
            for name in old.namelist():
                member = old.read(name)
                new.writestr(
                    name, self._damaged(member) if self._numbers.random() < 0.3 else member
                )
        return made.getvalue()

    def end(self) -> dict:
        return {}
