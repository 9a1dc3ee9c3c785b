"""`--forks N`: tests run in N forks of the process that has collected them.

What tests import is imported and collected once, where each worker of pytest-xdist does it for
itself. All tests of a file run in one fork, which makes their fixtures and models once.
"""

import atexit
import os
import signal
import sys
import traceback
import warnings
import weakref
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from multiprocessing.util import _exit_function  # ends processes that a fork has started
from tempfile import TemporaryFile

import pytest

# What a fork says besides hooks with their arguments: it asks for a file, or has run all.
NEXT_FILE, DONE = "next file", "done"
BROKEN = 70  # the exit code of a fork that ends by an error which is no test's

Files = list[list[pytest.Item]]


def pytest_addoption(parser):
    parser.addoption("--forks", type=int, default=0, help="run the tests in as many forks")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    """All tests; None leaves it to pytest, which also tells what could not be collected."""
    options = session.config.option
    if not options.forks or options.collectonly or session.testsfailed:
        return None
    session.config.pluginmanager.get_plugin("terminalreporter").showfspath = False
    by_path: dict[os.PathLike, list[pytest.Item]] = {}
    for item in session.items:
        by_path.setdefault(item.path, []).append(item)
    session.config._tmp_path_factory.getbasetemp()  # which the forks share
    left, forks = deque(range(len(by_path))), []
    try:
        for _ in range(min(options.forks, len(by_path))):
            forks.append(Fork(session, [*by_path.values()], forks))
        _follow(session, forks, left)
    finally:
        for fork in forks:
            fork.end()
    return True


def _follow(session, forks: list["Fork"], left: deque[int]) -> None:
    """Give the forks what is left, and tell what comes of it, until all have ended."""
    while forks:
        ready = wait([fork.connection for fork in forks])
        for fork in [one for one in forks if one.connection in ready]:
            if not fork.follow(left):
                forks.remove(fork)
            if session.shouldfail:
                raise session.Failed(session.shouldfail)


class Fork:
    """A fork that runs files of tests, as the first process sees it."""

    def __init__(self, session: pytest.Session, files: Files, others: list["Fork"]) -> None:
        self._config, self._test = session.config, "before its first test"
        self.connection, ours = Pipe()
        with warnings.catch_warnings(action="ignore"):  # of the threads of libraries
            self._process = os.fork()
        if not self._process:
            for fork in [*others, self]:
                fork.connection.close()
            _run_and_exit(session, files, len(others), ours)
        ours.close()

    def follow(self, left: deque[int]) -> bool:
        """Take its next message; False if that was the last."""
        hook = self._config.hook
        try:
            name, told = self.connection.recv()
        except EOFError:
            name, told = DONE, False
        if name == DONE:
            _, status = os.waitpid(self._process, 0)
            if status or not told:
                raise pytest.Session.Interrupted(f"a process of tests ended, in {self._test}")
        elif name == NEXT_FILE:
            self.connection.send(left.popleft() if left else None)
        elif name == "pytest_runtest_logreport":
            report = hook.pytest_report_from_serializable(config=self._config, data=told)
            hook.pytest_runtest_logreport(report=report)
        else:
            self._test = told["nodeid"]
            getattr(hook, name)(**told)
        return name != DONE

    def end(self) -> None:
        """Interrupt it, as Ctrl-C does."""
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(self._process, signal.SIGINT)
            os.waitpid(self._process, 0)


class Reports:
    """Tells the first process what comes of tests, in place of the terminal."""

    def __init__(self, config: pytest.Config, connection: Connection) -> None:
        self._config, self._connection = config, connection

    def pytest_runtest_logstart(self, nodeid, location):
        told = {"nodeid": nodeid, "location": location}
        self._connection.send(("pytest_runtest_logstart", told))

    def pytest_runtest_logreport(self, report):
        hook = self._config.hook
        told = hook.pytest_report_to_serializable(config=self._config, report=report)
        self._connection.send(("pytest_runtest_logreport", told))

    def pytest_runtest_logfinish(self, nodeid, location):
        told = {"nodeid": nodeid, "location": location}
        self._connection.send(("pytest_runtest_logfinish", told))


def _run_and_exit(session, files: Files, number: int, connection: Connection) -> None:
    """Run what the first process gives, and end without taking apart what it has imported."""
    code = BROKEN
    try:
        _forget_exits()
        _separate(session.config, number, connection)
        _run(session, _items(files, connection))
        atexit._run_exitfuncs()
        connection.send((DONE, True))
        code = 0
    except Exception:  # noqa: BLE001
        traceback.print_exc(file=sys.__stderr__)
    finally:
        os._exit(code)


def _forget_exits() -> None:
    """Leave to the first process what it does at its end: it removes folders, for all."""
    atexit._clear()
    weakref.finalize._registry.clear()
    weakref.finalize._registered_with_atexit = False
    atexit.register(_exit_function)


def _separate(config: pytest.Config, number: int, connection: Connection) -> None:
    """Give this fork a folder of its own, files for what tests print, and no terminal."""
    manager, factory = config.pluginmanager, config._tmp_path_factory
    manager.unregister(name="terminalreporter")
    manager.register(Reports(config, connection))
    capture = manager.get_plugin("capturemanager")
    capture.suspend_global_capture()
    for stream in filter(None, (capture._global_capturing.out, capture._global_capturing.err)):
        with TemporaryFile() as own:  # loggers keep the stream, so it is the file that changes
            os.dup2(own.fileno(), stream.tmpfile.fileno())
    capture.resume_global_capture()
    factory._basetemp = factory.mktemp(f"fork{number}", numbered=False)


def _run(session, items: Iterator[pytest.Item]) -> None:
    """Each test, while the next one is known: what they share is kept between them."""
    item = next(items, None)
    try:
        while item:
            following = next(items, None)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            item = following
    finally:
        session._setupstate.teardown_exact(None)  # all that is left of an interrupted test


def _items(files: Files, connection: Connection) -> Iterator[pytest.Item]:
    """The tests of each file that the first process names."""
    while True:
        connection.send((NEXT_FILE, None))
        if (at := connection.recv()) is None:
            return
        yield from files[at]
