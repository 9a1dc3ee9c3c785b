"""Each file of tests is imported and collected by one worker of pytest-xdist: the one that runs it.

    the workers collect     tests/a/test_b.py::together with others, or alone
    a worker that takes it  imports the file, collects its tests, runs them and reports each

Otherwise each worker would import every file, and make an item of every test, before the first one
runs.
"""

import gc
import re
from collections.abc import Iterator
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

LATE = "late_files"  # what a worker is told
LONGEST = b"mark.longest"
ALONE = "alone"
# A library that takes a second or more to import is needed by one worker only, as are the models
# that tests make: the files whose path, or a line of what they import, is like this.
TORCH = r"^(import|from) (torch|support\.kokoro_(tiny|reference|plain|home)|e2e\.engine_stands)\b"
TOGETHER = {
    # They mostly wait, for programs. All of torch in one worker took longer than the others had.
    "programs with torch": rf"\Atests/e2e/[\s\S]*{TORCH}",
    "torch": rf"^tests/renderers/(kokoro|orpheus)/|{TORCH}",
    "prefect": r"^tests/(flows/prefect/|flows/prefect_server/test_server_lifetime"
    r"|flows/test_options|flows/pipeline/test_suspects"
    r"|e2e/flow_runs/|e2e/test_(recipes|serve|serve_podcast)\.py)",
    "piper": r"^tests/renderers/piper/",
    "espeak": r"^tests/renderers/espeak/",
    "scipy": r"^(import|from) (scipy|pyloudnorm|support\.acx_by_hand)\b",
}


class WholeFile(pytest.Item):
    """All tests of a file. While one of them runs, this has its name: pytest-xdist compares it with
    that of each report.
    """

    running: pytest.Item | None = None

    @property
    def nodeid(self) -> str:
        return self.running.nodeid if self.running else super().nodeid

    def runtest(self) -> None:
        raise NotImplementedError("a file is run by run_all")

    def run_all(self, after: pytest.Item | None) -> None:
        """Collect the tests and run them. `after` is what this worker runs next.

        It may hold no test, so the last test here leaves nothing but what lasts for the session.
        """
        tests = self._collected()
        end = after and WholeFile.from_parent(self.session, name=after.name)
        for test, following in zip(tests, [*tests, end][1:], strict=True):
            if self.session.shouldfail or self.session.shouldstop:
                return
            self.running = test
            try:
                self.config.hook.pytest_runtest_protocol(item=test, nextitem=following)
            finally:
                self.running = None

    def _collected(self) -> list[pytest.Item]:
        """Garbage is not looked for meanwhile, which takes an eighth of the time."""
        file = self.parent
        assert isinstance(file, LateFile)
        assert file.parent is not None
        gc.disable()
        try:
            module = pytest.Module.from_parent(file.parent, path=file.path)
            tests = [*self.session.genitems(module)]
            self.config.hook.pytest_collection_modifyitems(
                session=self.session, config=self.config, items=tests
            )
        finally:
            gc.enable()
        return tests


class LateFile(pytest.File):
    """A file of tests that is not imported."""

    def collect(self) -> Iterator[WholeFile]:
        source = self.path.read_bytes()
        whole = WholeFile.from_parent(self, name=_together(self.nodeid, source.decode()))
        if LONGEST in source:
            whole.add_marker("longest")
        yield whole


class LateWorker:
    """What a worker does: it collects files, and the tests of those that it is given."""

    @pytest.hookimpl
    def pytest_pycollect_makemodule(self, module_path, parent) -> LateFile:
        return LateFile.from_parent(parent, path=module_path)

    @pytest.hookimpl(wrapper=True)
    def pytest_collection_modifyitems(self, items) -> Any:
        """No file is left out, whichever marks are asked for: those are of its tests."""
        files = [item for item in items if isinstance(item, WholeFile)]
        result = yield
        if files:
            items[:] = sorted(files, key=lambda file: file.get_closest_marker("longest") is None)
        return result

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item, nextitem) -> bool | None:
        if not isinstance(item, WholeFile):
            return None
        item.run_all(nextitem)
        return True


class ByLibrary(LoadFileScheduling):
    """A worker takes a file of tests, or all that need the same large library."""

    def __init__(self, config, log, started: dict[str, str]) -> None:
        super().__init__(config, log)
        self.n_done = 0
        self._started = started

    def _split_scope(self, nodeid: str) -> str:
        path, _, together = nodeid.partition("::")
        return path if together == ALONE else together

    def mark_test_complete(self, node, item_index, duration=0) -> None:
        super().mark_test_complete(node, item_index, duration)
        self.n_done += 1

    def remove_node(self, node) -> str | None:
        """The test that was running where a process ended, not only its file."""
        crashed = super().remove_node(node)
        return self._started.get(_file_of(crashed), crashed) if crashed else None


class LateFiles:
    """What the process does that gives files to workers.

    Nobody knows how many tests there are before the last file is imported. So how far a run has
    come is told in files.
    """

    def __init__(self) -> None:
        self._started: dict[str, str] = {}  # the newest test of each file
        self._reported: set[str] = set()

    def pytest_sessionstart(self, session) -> None:
        self._session = session

    @pytest.hookimpl(optionalhook=True)  # of pytest-xdist
    def pytest_configure_node(self, node) -> None:
        node.workerinput[LATE] = True

    @pytest.hookimpl(optionalhook=True)  # of pytest-xdist
    def pytest_xdist_make_scheduler(self, config, log) -> ByLibrary:
        self._scheduler = ByLibrary(config, log, self._started)
        return self._scheduler

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self) -> Any:
        """A run in which no test ran has failed: files were collected, but they are no tests."""
        result = yield
        self._session.testscollected = len(self._reported)
        return result

    def pytest_runtest_logstart(self, nodeid) -> None:
        self._started[_file_of(nodeid)] = nodeid

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report) -> None:
        self._reported.add(report.nodeid)
        n_files, n_done = len(self._scheduler.collection), self._scheduler.n_done
        self._session.testscollected = len(self._reported) * n_files // max(1, n_done)


def collect_late(config: pytest.Config) -> None:
    """Let files be collected so in a run with `--dist loadfile` that names no single tests."""
    if hasattr(config, "workerinput"):
        if config.workerinput.get(LATE):
            config.pluginmanager.register(LateWorker())
    elif config.getoption("dist", "no") == "loadfile" and not any("::" in a for a in config.args):
        config.pluginmanager.register(LateFiles())


def _together(path: str, source: str) -> str:
    """With which others a worker runs a file."""
    told = f"{path}\n{source}"
    found = (one for one, like in TOGETHER.items() if re.search(like, told, re.MULTILINE))
    return next(found, ALONE)


def _file_of(nodeid: str) -> str:
    return nodeid.partition("::")[0]
