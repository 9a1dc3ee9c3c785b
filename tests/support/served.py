"""`audiomill serve`, running, and what its server tells of its runs."""

import shutil
import signal
from pathlib import Path

import psutil

from audiomill.flows.prefect import attempts
from support.home import Home, files_below
from support.prefect_api import ENDED, ask, free_port, get, keep_password
from support.process_data import TIMEOUT_S, command_line, wait_until

DEPLOYMENTS = Path(__file__).with_name("served.yaml").read_text("utf-8")


class Served:
    """`audiomill serve` in a home of its own, with one deployment: of one book, if not told."""

    def __init__(
        self,
        home: Home,
        book: Path | None = None,
        arguments: tuple[object, ...] = (),
        deployment: str = "render-audiobook/book",
    ) -> None:
        self.home = home.with_variables(PREFECT_RUNNER_POLL_FREQUENCY=1)  # not ten seconds
        self.arguments, self.deployment = arguments, deployment
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/api"
        self.log = home.path / "serve.log"
        keep_password(home.path / "prefect")
        (home.path / "prefect.yaml").write_text(DEPLOYMENTS.format(source=book))
        self.start()

    def start(self) -> None:
        self.log.write_text("")
        with self.log.open("a") as log:
            self.process = self.home.start(
                "serve", *self.arguments, "--port", self.port, stderr=log
            )
        wait_until(lambda: "Serving" in self.log.read_text(), self.process)

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        self.process.communicate(timeout=TIMEOUT_S)
        return self.process.returncode

    def clear(self) -> None:
        """Leave nothing of the runs, once their processes have ended."""
        wait_until(lambda: not self.processes("engine"))
        for folder in (self.home.store, self.home.library):
            shutil.rmtree(folder, ignore_errors=True)

    def end(self) -> None:
        """Kill what is left of it."""
        self.process.kill()
        self.process.communicate()
        for process in self.processes("engine"):
            process.kill()

    def create_run(self, **parameters: object) -> dict:
        deployment = get(self.url, f"deployments/name/{self.deployment}")
        return ask(
            self.url,
            f"deployments/{deployment['id']}/create_flow_run",
            state={"type": "SCHEDULED"},
            parameters=parameters,
        )

    def state_of(self, run: dict) -> dict:
        return get(self.url, f"flow_runs/{run['id']}")["state"]

    def wait_until_under_way(self, n_shards: int = 1) -> None:
        wait_until(lambda: self.n_shards() >= n_shards, self.process)

    def n_shards(self) -> int:
        return len(files_below(self.home.store, ".shard"))

    def wait_for_end(self, run: dict) -> dict:
        """The run once it has ended, and no further attempt is due, as after a crash."""
        wait_until(lambda: self._has_ended(run), self.process, 0.5)
        return get(self.url, f"flow_runs/{run['id']}")

    def _has_ended(self, run: dict) -> bool:
        state = self.state_of(run)
        is_over = state["type"] != "CRASHED" or state["name"] == attempts.GIVEN_UP
        return state["type"] in ENDED and is_over

    def processes(self, word: str) -> list[psutil.Process]:
        """The processes of this home with a word of that name, or one that ends in `.word`."""
        home = self.home.path
        return [
            process
            for process in psutil.process_iter()
            if any(word == part.rpartition(".")[2] for part in command_line(process, home))
        ]
