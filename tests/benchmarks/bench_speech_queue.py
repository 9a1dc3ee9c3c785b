"""What listeners of a server of speech wait for: `python tests/benchmarks/bench_speech_queue.py`.

Computes with a clock of its own, so that figures are the same on every machine: the queue of the
server, an engine that is so many times as fast as real time, and clients that all come from one
address. Each has texts of two sentences said, one after the other, as `audiomill bench --serve`
does. An engine on a CPU takes two rows at a time, a fast one 32.

Prints the table of docs/design/speech-server.md: for each PATIENCE_S of the queue the time to first
audio (p50, p95) and the longest standstill of a player, in seconds. Not a test: nothing passes or
fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import count, product
from random import Random
from typing import NamedTuple
from unittest import mock

from audiomill.flows.bench.statistics import quantile
from audiomill.flows.speech import row_queue
from audiomill.flows.speech.row_queue import RowQueue, WaitingRow, WantedSegment
from audiomill.renderers.engine.protocol import Request

SPEEDS, LISTENERS = (2, 4, 8, 50), (1, 4, 16, 64)
PATIENCES_S = (0.0, 5.0, 10.0, 30.0)
N_SENTENCES, SENTENCE_S = 2, (3.5, 7.0)
LEAST_TEXTS, TEXTS_PER_LISTENER = 200, 8
FAST, N_FAST_ROWS, N_ROWS = 20, 32, 2


class Waited(NamedTuple):
    """Seconds."""

    first_p50_s: float
    first_p95_s: float
    still_s: float


@dataclass
class Text:
    """A text of one client, and when each sentence of it was rendered."""

    came_s: float
    durations_s: Sequence[float]
    rendered_s: dict[int, float] = field(default_factory=dict)

    @property
    def first_s(self) -> float:
        return self.rendered_s[0] - self.came_s

    @property
    def still_s(self) -> float:
        longest_s, played_until_s = 0.0, self.rendered_s[0]
        for number, duration_s in enumerate(self.durations_s):
            longest_s = max(longest_s, self.rendered_s[number] - played_until_s)
            played_until_s = max(played_until_s, self.rendered_s[number]) + duration_s
        return longest_s


class Served:
    """Clients of one queue, and a clock that the engine moves."""

    def __init__(self, speed: float) -> None:
        self._random, self._speed = Random(1), speed
        self._queue, self._now_s, self._numbers = RowQueue(), 0.0, count()
        self._rows: dict[str, tuple[Text, int]] = {}

    def ask(self) -> None:
        """A client sends its next text."""
        text = Text(self._now_s, [self._random.uniform(*SENTENCE_S) for _ in range(N_SENTENCES)])
        wanted = list[WantedSegment]()
        for number, duration_s in enumerate(text.durations_s):
            key = str(next(self._numbers))
            self._rows[key] = text, number
            wanted.append(WantedSegment(Request(key, key, "voice", 1.0), Future(), duration_s))
        self._queue.add(wanted, "proxy", self._now_s)

    def whole_texts(self) -> Iterator[Text]:
        """Render all that waits, and yield each text whose last sentence is there."""
        n_rows = N_FAST_ROWS if self._speed >= FAST else N_ROWS
        while rows := self._queue.take(n_rows, self._now_s):
            self._now_s += sum(map(self._duration_s, rows)) / self._speed
            for row in rows:
                self._queue.finish(row, self._now_s)
                text, number = self._rows[row.request.key]
                text.rendered_s[number] = self._now_s
                if len(text.rendered_s) == len(text.durations_s):
                    yield text

    def _duration_s(self, row: WaitingRow) -> float:
        text, number = self._rows[row.request.key]
        return text.durations_s[number]


def waited(speed: float, n_listeners: int, patience_s: float) -> Waited:
    """What so many clients wait for."""
    n_texts = max(LEAST_TEXTS, TEXTS_PER_LISTENER * n_listeners)
    served, texts = Served(speed), list[Text]()
    with mock.patch.object(row_queue, "PATIENCE_S", patience_s):
        for _ in range(n_listeners):
            served.ask()
        for text in served.whole_texts():
            texts.append(text)
            if len(texts) + n_listeners <= n_texts:
                served.ask()
    firsts_s = [one.first_s for one in texts]
    return Waited(
        quantile(firsts_s, 0.5),
        quantile(firsts_s, 0.95),
        max(one.still_s for one in texts),
    )


def table() -> Iterator[str]:
    """The lines of the table."""
    yield _line("engine, × real time", "in flight", *(f"{one:g} s" for one in PATIENCES_S))
    yield _line(*["---"] * (2 + len(PATIENCES_S)))
    for speed, n_listeners in product(SPEEDS, LISTENERS):
        found = [waited(speed, n_listeners, one) for one in PATIENCES_S]
        yield _line(str(speed), str(n_listeners), *map(_cell, found))


def _cell(one: Waited) -> str:
    return f"{one.first_p50_s:.1f}, {one.first_p95_s:.1f}, {one.still_s:.1f}"


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    for line in table():
        print(line)
