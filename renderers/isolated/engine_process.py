"""One worker: a process with an engine in it, from its start to its end. Knows no retries.

    EngineProcess(launch) ─ load ─▶ hello
    speak(rows) ───────────────────▶ the samples of each row, in order, as soon as they are there

Whatever is wrong with the process is WorkerFault, after which it has ended: it died, it hangs, it
sent rubbish, or it said that it failed.
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from audiomill.renderers.engine.protocol import Samples
from audiomill.renderers.host.child_process import ChildDied
from audiomill.renderers.host.foreign_process import ForeignProcess
from audiomill.renderers.isolated.catalogue import SAFE_TORCH, Settings
from audiomill.renderers.isolated.protocol import (
    Hello,
    Message,
    MessageParser,
    Rubbish,
    SpokenRow,
    hello_of,
    request_line,
    samples_of,
)

READ_S = 0.1  # between two looks at the clock, and at whether the run was stopped
SILENT_S = 60.0  # without any message: even a busy engine lets its process say that it is alive
LOAD_S = 1800.0  # for a model: from a slow disk, onto a slow machine
CANCEL_S = 0.5  # for an engine to end what it is at, before it is ended
SHOWN_LINES, SHOWN_CHARACTERS = 4, 200  # of what the engine has printed, in an error
PROGRAM = Path(__file__).with_name("worker_program.py")
UNBUFFERED = {"PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8:backslashreplace"}


class WorkerFault(Exception):
    """The worker is of no more use, and has ended. The message is a part of a sentence.

    `kind` is what it said: "memory", "missing", "weights", "error"; or "died", "hangs", "rubbish".
    """

    def __init__(self, kind: str, reason: str, lines: Sequence[str] = ()) -> None:
        super().__init__(reason)
        self.kind = kind
        self.lines = tuple(lines)

    def shown(self, hint: str = "") -> str:
        """The reason, what to do, and the last lines that the engine has printed."""
        lines = [line for line in self.lines if line.strip() not in str(self)][-SHOWN_LINES:]
        printed = "".join(f"\n    {line[:SHOWN_CHARACTERS]}" for line in lines)
        return f"{self}.{hint}{f' It printed:{printed}' if printed else ''}"


@dataclass(frozen=True, slots=True)
class Launch:
    """How a worker is started. Plain data."""

    python: Path  # the interpreter with the engine's packages
    script: Path
    model: str  # a folder
    device: str  # cpu, cuda, cuda:1
    settings: Settings = ()
    rows_per_call: int = 1
    row_timeout_s: float = 300.0  # for a row of no text, without a sign of progress
    char_timeout_s: float = 2.0  # more for each character


@dataclass(frozen=True, slots=True)
class Clock:
    """The time, and what is called often: it raises when the run is stopped."""

    now_s: Callable[[], float]
    check: Callable[[], None]


class EngineProcess:
    """A running worker whose model is loaded. One thread at a time may use it."""

    def __init__(self, launch: Launch, clock: Clock) -> None:
        """Waits until the model is loaded. Raises WorkerFault, and what the clock raises."""
        self._launch = launch
        self._parser = MessageParser()
        self._waiting: list[Message] = []
        self._rubbish: Rubbish | None = None  # what came after `_waiting`
        self._id = 0
        self._is_usable = True
        try:
            self._process = start_worker(launch.python, launch.script)
        except OSError as error:
            raise WorkerFault("missing", f"{launch.python} cannot be started ({error})") from error
        try:
            settings = dict(launch.settings)
            where = {"model": launch.model, "device": launch.device, "safe_torch": SAFE_TORCH}
            self._send(clock, "load", settings=settings, **where)
            with self._checked():
                self.hello: Hello = hello_of(self._reply(clock, LOAD_S, ("hello",)))
        except BaseException:
            self.kill()
            raise

    @property
    def pid(self) -> int:
        """Of the process, and of its group."""
        return self._process.pid

    def speak(self, rows: Sequence[SpokenRow], clock: Clock) -> Iterator[Samples]:
        """The samples of each row, in order.

        Raises WorkerFault, after which the rows that came are good; and what the clock raises,
        after which the worker is only kept if it stops at once.
        """
        self._id += 1
        size = self._launch.rows_per_call
        messages = [row.as_message() for row in rows]
        self._send(clock, "render", id=self._id, rows=messages, rows_per_call=size)
        try:
            for number in range(len(rows)):
                longest_s = self._timeout_s(rows[number : number + size])
                yield self._row(number, clock, longest_s)
            self._reply(clock, self._launch.row_timeout_s, ("done",))
        except WorkerFault:
            raise
        except BaseException:  # the run is stopped, or nobody wants the rest
            self._cancel()
            raise

    def kill(self) -> None:
        """End it at once, with all that it has started."""
        self._is_usable = False
        self._process.kill()

    @property
    def is_usable(self) -> bool:
        """False once it has been ended."""
        return self._is_usable

    def _timeout_s(self, rows: Sequence[SpokenRow]) -> float:
        n_characters = sum(len(row.text) for row in rows)
        return self._launch.row_timeout_s + self._launch.char_timeout_s * n_characters

    def _row(self, number: int, clock: Clock, longest_s: float) -> Samples:
        message = self._reply(clock, longest_s, ("row", "done"))
        with self._checked():
            if message.op == "done":
                raise Rubbish("it sent fewer rows than it was asked for")
            if message.number("id") != self._id:
                raise Rubbish("it sent a row of another batch")
            if message.number("index") != number:
                raise Rubbish(f"it sent row {message.number('index')} instead of row {number}")
            return samples_of(message, self.hello.sample_rate)

    def _cancel(self) -> None:
        """Stop what it is at; end it if it does not stop at once."""
        deadline_s = time.monotonic() + CANCEL_S

        def check() -> None:
            if time.monotonic() > deadline_s:
                raise TimeoutError

        clock = Clock(time.monotonic, check)
        try:
            self._send(clock, "cancel", id=self._id)
            self._reply(clock, LOAD_S, ("cancelled", "done"), skip="row")
        except (WorkerFault, TimeoutError):
            self.kill()

    def _send(self, clock: Clock, op: str, **content: object) -> None:
        started_s = clock.now_s()

        def check() -> None:
            clock.check()
            if clock.now_s() - started_s > SILENT_S:
                raise self._fault("hangs", "it reads no requests")

        try:
            self._process.send(request_line(op, **content), check)
        except ChildDied as error:
            raise self._fault(*_death(error)) from error

    def _reply(
        self, clock: Clock, longest_s: float, expected: Sequence[str], skip: str = ""
    ) -> Message:
        """The next message of one of these kinds. Raises WorkerFault for any other."""
        started_s = heard_s = clock.now_s()
        while True:
            clock.check()
            if self._waiting:
                message = self._waiting.pop(0)
                heard_s = clock.now_s()
                if message.op in ("alive", skip):
                    continue
                if message.op not in expected:
                    raise self._unexpected(message)
                return message
            if self._rubbish is not None:
                raise self._fault("rubbish", str(self._rubbish)) from self._rubbish
            if clock.now_s() - started_s > longest_s:
                raise self._fault("hangs", f"it has done nothing for {longest_s:.0f} s")
            if clock.now_s() - heard_s > SILENT_S:
                raise self._fault("hangs", f"it has given no sign of life for {SILENT_S:.0f} s")
            self._read()

    def _unexpected(self, message: Message) -> WorkerFault:
        with self._checked():
            if message.op != "failed":
                raise Rubbish(f"it sent {message.op!r:.40} where nothing of the kind was due")
            kind, reason = message.text("kind"), message.text("reason")
        return self._fault(kind or "error", reason.rstrip(".") or "it failed without a reason")

    def _read(self) -> None:
        try:
            data = self._process.read(READ_S)
        except ChildDied as error:
            raise self._fault(*_death(error)) from error
        try:
            for message in self._parser.feed(data):
                self._waiting.append(message)
        except Rubbish as error:  # what came before it is good
            self._rubbish = error

    def _fault(self, kind: str, reason: str) -> WorkerFault:
        """The fault. Ends the process, so that the last of what it printed is there."""
        self.kill()
        return WorkerFault(kind, reason, self._process.last_lines())

    @contextmanager
    def _checked(self) -> Generator[None]:
        """Turn Rubbish into a fault."""
        try:
            yield
        except Rubbish as error:
            raise self._fault("rubbish", str(error)) from error


def start_worker(python: Path, script: Path) -> ForeignProcess:
    """A worker that has loaded nothing yet. Raises OSError."""
    # -I: neither the user's packages nor ours, and not our folder.
    return ForeignProcess([python, "-I", PROGRAM, script], UNBUFFERED)


def fetch_model(python: Path, script: Path, repository: str, revision: str = "") -> Path:
    """The folder of a model of the Hugging Face hub; the engine's own libraries download it.

    Raises WorkerFault.
    """
    process = start_worker(python, script)
    parser = MessageParser()
    try:
        what = {"repository": repository, "revision": revision}
        process.send(request_line("fetch", what=what))
        while True:
            for message in parser.feed(process.read(READ_S)):
                if message.op == "fetched":
                    return Path(message.text("path"))
                if message.op == "failed":
                    reason = message.text("reason").rstrip(".")
                    raise WorkerFault(message.text("kind"), reason)
    except ChildDied as error:
        raise WorkerFault(*_death(error), process.last_lines()) from error
    except Rubbish as error:
        raise WorkerFault("rubbish", str(error), process.last_lines()) from error
    finally:
        process.kill()


def _death(error: ChildDied) -> tuple[str, str]:
    """The kind of fault, and the reason."""
    if error.exit_code == -signal.SIGKILL and sys.platform == "linux":
        return "memory", f"{error}, perhaps for want of memory"
    return "died", str(error)
