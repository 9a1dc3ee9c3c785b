"""Books rendered from the command line by runs that are stopped at random."""

import random
import shutil
import signal
import time

from soak.books import Books, Wanted, report_of
from soak.stores import Stores
from support.home import Home
from support.process_data import TIMEOUT_S, has_imported, outlived, wait_until
from support.stopped_runs import decoded, leftovers

# The program answers to signals from before it imports this.
STARTED = "audiomill.flows.job"

SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


class CommandRuns:
    """A round makes one file, in up to four runs that are stopped and one that is not."""

    def __init__(self, home: Home, books: Books, stores: Stores, numbers: random.Random) -> None:
        self._home, self._books, self._stores, self._numbers = home, books, stores, numbers
        self._n_stopped = 0

    def round(self) -> str:
        wanted = self._books.choice(self._numbers)
        expected = self._books.digests(wanted)
        home = self._home.with_variables(
            AUDIOMILL_WINDOW_S=60, **self._stores.variables(self._numbers)
        )
        options = ["--prefect"] if self._numbers.random() < 0.05 else ["--no-prefect"]
        for _ in range(self._numbers.randint(0, 4)):
            self._stop(home, (*wanted.arguments, *options))
        self._finish(home, wanted, options, expected)
        where = "S3" if home.variables["AUDIOMILL_STORE"].startswith("s3:") else "folder"
        return f"{wanted.engine}, {where}, {'Prefect' if '--prefect' in options else 'direct'}"

    def _stop(self, home: Home, arguments: tuple) -> None:
        number = self._numbers.choice(SIGNALS)
        log = home.path / "imports.log"
        with log.open("w") as imports:
            process = home.with_variables(PYTHONPROFILEIMPORTTIME=1).start(
                "render", *arguments, stderr=imports
            )
            wait_until(lambda: process.poll() is not None or has_imported(log, STARTED))
            time.sleep(self._numbers.expovariate(1 / 3))
            process.send_signal(number)
            process.communicate(timeout=TIMEOUT_S)
        words = "\n".join(
            line for line in log.read_text().splitlines() if "import time" not in line
        )
        assert process.returncode in (0, 130, -signal.SIGKILL), (arguments, number, words)
        assert "Traceback" not in words, (arguments, number, words)
        assert outlived(home.path) == [], (arguments, number)
        self._n_stopped += process.returncode != 0

    def _finish(self, home: Home, wanted: Wanted, options: list[str], expected: list[str]) -> None:
        run = home.run_program("render", *wanted.arguments, *options, "--json")
        assert run.returncode == 0, (wanted, run.returncode, run.stderr)
        assert "Traceback" not in run.stderr, (wanted, run.stderr)
        report = report_of(run.stdout)
        parts = report["rendered"] + report["cached"] + report["repeated"]
        assert parts == report["segments"], report
        assert decoded(report) == expected, (wanted, report)
        assert outlived(home.path) == [], wanted
        library = Home(home.path, {"AUDIOMILL_STORE": str(home.library)})
        assert leftovers(library) == [], (wanted, leftovers(library))
        shutil.rmtree(home.library)

    def end(self) -> dict:
        return {"stopped": self._n_stopped, "damaged_shards": self._stores.n_damaged}
