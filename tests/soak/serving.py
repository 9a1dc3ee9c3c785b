"""`audiomill serve` under a schedule of sudden deaths."""

import random
import shutil
import time

import psutil

from soak.books import Books, Wanted
from soak.stores import Stores
from support.home import Home
from support.prefect_api import artifacts_of, log_of
from support.process_data import outlived
from support.served import Served
from support.stopped_runs import decoded

VICTIMS = ("engine", "server", "serve")


class Serving:
    """A round is one run of the deployment; some of its processes are killed meanwhile."""

    def __init__(self, home: Home, books: Books, stores: Stores, numbers: random.Random) -> None:
        self._books, self._numbers = books, numbers
        home = home.with_variables(AUDIOMILL_STORE=stores.folder, AUDIOMILL_WINDOW_S=60)
        self._served = Served(home, books.all[0])
        self._n_killed = 0
        self._held: list[int] = []

    def round(self) -> str:
        # Books of one name share a folder; another edition would get another.
        wanted = self._books.choice(self._numbers)
        expected = self._books.digests(wanted)
        run = self._served.create_run(
            source=str(wanted.book), engine=wanted.engine, formats=[wanted.made], speed=wanted.speed
        )
        killed = [self._kill() for _ in range(self._numbers.choice([0, 0, 1, 1, 2]))]
        ended = self._served.wait_for_end(run)
        seen = (wanted, killed, ended["state"], log_of(self._served.url, run))
        assert ended["state"]["type"] == "COMPLETED", ("state", seen)
        progress = artifacts_of(self._served.url, run)["render-progress"]
        assert [artifact["data"] for artifact in progress] == [100], ("progress", progress, seen)
        self._require_same(wanted, expected, seen)
        self._held.append(self._rss_bytes())
        return f"{len(killed)} killed"

    def _kill(self) -> str:
        time.sleep(self._numbers.uniform(2, 15))
        word = self._numbers.choice(VICTIMS)
        victims = self._served.processes(word)
        for process in victims:
            process.kill()
        if word == "serve":
            self._served.process.communicate()
            self._served.start()
        self._n_killed += bool(victims)
        return word if victims else "nothing"

    def _require_same(self, wanted: Wanted, expected: list[str], seen: object) -> None:
        library = self._served.home.library
        files = sorted(library.rglob(f"*.{wanted.made}"))
        assert decoded({"files": [{"path": path} for path in files]}) == expected, ("samples", seen)
        shutil.rmtree(library)

    def _rss_bytes(self) -> int:
        found = [one for word in VICTIMS[1:] for one in self._served.processes(word)]
        return sum(psutil.Process(one.pid).memory_info().rss for one in found)

    def end(self) -> dict:
        assert self._served.stop() == 0
        assert outlived(self._served.home.path) == []
        return {"killed": self._n_killed, "rss_bytes": self._held[:: max(1, len(self._held) // 8)]}
