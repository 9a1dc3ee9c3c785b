"""What a server of speech tells of itself, in the format of Prometheus. Nothing of a text is in it.

requests   counted by path and status as their answers begin
rows       read from the schedulers when somebody asks
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import accumulate

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from audiomill.flows.speech.row_counts import ROWS_METRIC, RowCounts
from audiomill.flows.speech.speaking import TextSpeaker

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
FIRST_AUDIO_S = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
BATCH_ROWS = (1, 2, 4, 8, 16, 32)
CLIENT_LEFT = "499"  # what proxies note for a client that has gone before its answer


class SpeechMetrics:
    """The metrics of one server."""

    def __init__(self, speaker: TextSpeaker) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(_SpeakerCollector(speaker))
        self.requests = Counter(
            "audiomill_speech_requests",
            "Requests by path and status.",
            ("path", "status"),
            registry=self._registry,
        )
        self.texts = Gauge(
            "audiomill_speech_texts", "Texts that are being said.", registry=self._registry
        )
        self.first_audio = Histogram(
            "audiomill_speech_first_audio_seconds",
            "From a request to the first part of its audio.",
            buckets=FIRST_AUDIO_S,
            registry=self._registry,
        )

    def text(self) -> bytes:
        """All of them, in the format of MEDIA_TYPE."""
        return generate_latest(self._registry)


class _SpeakerCollector(Collector):
    """Reads what the speaker and its schedulers have counted."""

    def __init__(self, speaker: TextSpeaker) -> None:
        self._speaker = speaker

    def collect(self) -> Iterable[Metric]:
        audio = CounterMetricFamily(
            "audiomill_speech_audio_seconds", "Seconds of audio that clients have taken."
        )
        audio.add_metric((), self._speaker.audio_s)
        waiting = GaugeMetricFamily(
            "audiomill_speech_rows_waiting",
            "Sentences that wait for their batch.",
            labels=("engine",),
        )
        for engine, n_rows in self._speaker.n_waiting_by_engine.items():
            waiting.add_metric((engine,), n_rows)
        return (audio, waiting, *_of_rows(self._speaker.row_counts))


def _of_rows(counts: Mapping[str, RowCounts]) -> tuple[Metric, Metric]:
    rows = CounterMetricFamily(
        ROWS_METRIC,
        "Sentences: rendered, from the store, failed, or dropped before their batch.",
        labels=("engine", "outcome"),
    )
    batches = HistogramMetricFamily(
        "audiomill_speech_batch_rows", "Rows of a batch.", labels=("engine",)
    )
    for engine, one in counts.items():
        outcomes = {
            "rendered": one.n_rendered,
            "stored": one.n_stored,
            "failed": one.n_failed,
            "dropped": one.n_dropped,
        }
        for outcome, n_rows in outcomes.items():
            rows.add_metric((engine, outcome), n_rows)
        batches.add_metric((engine,), *_histogram(one.batches))
    return rows, batches


def _histogram(sizes: Mapping[int, int]) -> tuple[list[tuple[str, float]], float]:
    """The cumulated buckets of batches by size, and the sum of their rows."""
    edges = (*BATCH_ROWS, float("inf"))
    within = [
        sum(n for size, n in sizes.items() if low < size <= high)
        for low, high in zip((0, *edges), edges, strict=False)  # the last edge ends no other
    ]
    names = (*(f"{float(edge)}" for edge in BATCH_ROWS), "+Inf")
    buckets = [(name, float(n)) for name, n in zip(names, accumulate(within), strict=True)]
    return buckets, float(sum(size * n for size, n in sizes.items()))


class CountedRequests:
    """An application whose requests are counted; paths that it has not are one."""

    def __init__(self, app: ASGIApp, metrics: SpeechMetrics, paths: frozenset[str]) -> None:
        self._app, self._metrics, self._paths = app, metrics, paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, and count."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        statuses: list[str] = []

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                statuses.append(str(int(message["status"])))
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            folder = scope["path"].rpartition("/")[0]
            known = (one for one in (scope["path"], folder) if one in self._paths)
            path = next(known, "other")
            self._metrics.requests.labels(path, *(statuses or (CLIENT_LEFT,))).inc()
