"""`audiomill serve` on a server of its own: its runs survive every crash."""

import json
import signal
from pathlib import Path
from shutil import copytree

import psutil
import pytest

from support.book_data import write_book
from support.home import Home
from support.prefect_api import (
    ENDED,
    artifacts_of,
    ask,
    free_port,
    get,
    log_of,
)
from support.process_data import TIMEOUT_S, wait_until

pytestmark = pytest.mark.longest

DEPLOYMENTS = """
deployments:
  - name: book
    entrypoint: audiomill.flows.audiobook.render_audiobook
    tags: [night]
    parameters:
      source: {source}
      engine: tone
      formats: [flac]
"""


class Served:
    """`audiomill serve` in a home of its own, with one deployment of a long book."""

    def __init__(self, home: Home, n_chapters: int, n_sentences: int) -> None:
        self.home = home
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/api"
        self.log = home.path / "serve.log"
        book = write_book(home.path / "book.md", n_chapters, n_sentences)
        (home.path / "prefect.yaml").write_text(DEPLOYMENTS.format(source=book))
        self.start()

    def start(self) -> None:
        self.log.write_text("")
        with self.log.open("a") as log:
            self.process = self.home.start("serve", "--port", self.port, stderr=log)
        wait_until(lambda: "Serving" in self.log.read_text(), self.process)

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        self.process.communicate(timeout=TIMEOUT_S)
        return self.process.returncode

    def create_run(self) -> dict:
        deployment = get(self.url, "deployments/name/render-audiobook/book")
        return ask(
            self.url,
            f"deployments/{deployment['id']}/create_flow_run",
            state={"type": "SCHEDULED"},
        )

    def state_of(self, run: dict) -> dict:
        return get(self.url, f"flow_runs/{run['id']}")["state"]

    def wait_until_under_way(self, n_shards: int = 1) -> None:
        wait_until(lambda: self.n_shards() >= n_shards, self.process)

    def n_shards(self) -> int:
        return len(list(self.home.store.rglob("*.shard"))) if self.home.store.exists() else 0

    def wait_for_end(self, run: dict) -> dict:
        """The run once it has ended, and no further attempt is due."""
        wait_until(lambda: self.state_of(run)["type"] in ENDED, self.process, 0.5)
        return get(self.url, f"flow_runs/{run['id']}")

    def processes(self, word: str) -> list[psutil.Process]:
        return [
            process
            for process in psutil.process_iter()
            if any(word == part.rpartition(".")[2] for part in _words(process, self.home.path))
        ]


def _words(process: psutil.Process, home: Path) -> list[str]:
    try:
        return process.cmdline() if process.environ().get("HOME") == str(home) else []
    except psutil.Error:
        return []


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    """A Prefect home with a new database, which takes long to create."""
    home = Home(tmp_path_factory.mktemp("database"), {})
    book = home.path / "book.md"
    book.write_text("# One\n\nA short text.\n")
    assert home.run("render", book, "--engine", "tone", "--prefect").returncode == 0
    return home.path / "prefect"


@pytest.fixture
def served(home, database):
    copytree(database, home.path / "prefect")
    served = Served(home, 6, 400)
    yield served
    if served.process.poll() is None:
        served.process.kill()
        served.process.communicate()
    for process in served.processes("engine"):
        process.kill()


def require_whole_book(served: Served, run: dict) -> None:
    assert run["state"]["type"] == "COMPLETED", [*log_of(served.url, run), served.log.read_text()]
    summary = json.loads((served.home.library / "A Book" / "report.json").read_text())
    assert summary["rendered"] + summary["cached"] + summary["repeated"] == summary["segments"]
    assert served.n_shards() == summary["segments"] - summary["repeated"]


@pytest.mark.prove
@pytest.mark.parametrize("victim", ["engine", "prefect_server", "serve", "all"])
def test_a_run_outlives_a_sudden_death(served, victim):
    run = served.create_run()
    served.wait_until_under_way(20)
    assert served.state_of(run)["type"] == "RUNNING"
    words = ["engine", "prefect_server", "serve"] if victim == "all" else [victim]
    victims = [process for word in words for process in served.processes(word)]
    assert victims
    for process in victims:
        process.kill()
    if victim in ("serve", "all"):
        served.process.communicate()
        served.start()
    require_whole_book(served, served.wait_for_end(run))
    progress = artifacts_of(served.url, run)["render-progress"]
    assert [artifact["data"] for artifact in progress] == [100]
