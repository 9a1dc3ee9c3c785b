"""The processes of text to phonemes that keep up with the model, for `audiomill bench --tune`."""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import ceil

from audiomill.flows.bench.corpus import CORPUS, BenchText
from audiomill.flows.bench.kokoro import phonemizer
from audiomill.flows.bench.measure import ReportProgress
from audiomill.flows.bench.passes import BenchOutput
from audiomill.flows.bench.texts import read, sentences_of
from audiomill.flows.bench.tune_search import Candidate
from audiomill.renderers.host.remote_object import RemoteError, RemoteObject
from audiomill.renderers.kokoro.front_end import default_workers
from audiomill.renderers.kokoro.options import KokoroOptions

G2P_MEASURE_S = 4.0
G2P_RESERVE_S = 20.0  # of the time limit, for measuring text to phonemes
# G2P processes together are this many times as fast as the model: texts differ, and a model that
# waits costs more than a process that waits.
G2P_HEADROOM = 1.5


class G2pSpeed:
    """Measures text to phonemes on the corpus. Needs the full installation."""

    def __init__(self, options: KokoroOptions, voice: str, report: ReportProgress) -> None:  # noqa: ARG002
        """Loads the G2P. Raises EngineMissing, WeightsUnfit, ImportError."""
        blocks = sentences_of(read(CORPUS)).values()
        # Without duplicates: the phonemizer remembers what it has seen.
        self._sentences = list(dict.fromkeys(sentence for block in blocks for sentence in block))
        self._to_rows = phonemizer(voice, options)

    def characters_per_s(self) -> float:
        """Characters of spoken text per second of processor time: others may use the cores too."""
        start_s = time.process_time()
        n_chars = 0
        for sentence in self._sentences:
            self._to_rows(sentence)
            n_chars += len(sentence)
            if time.process_time() - start_s > G2P_MEASURE_S:
                break
        return n_chars / max(time.process_time() - start_s, 1e-9)


@dataclass(frozen=True, slots=True)
class G2pRate:
    """The rates of text to phonemes and of synthesis, in characters per second."""

    g2p_per_s: float | str  # of one process, or why it was not measured
    synthesis_per_s: float
    default_workers: int

    @property
    def sentence(self) -> str:
        """Both rates as a sentence."""
        if isinstance(self.g2p_per_s, str):
            return f"Text to phonemes was not measured: {self.g2p_per_s}."
        return (
            f"One process turns {self.g2p_per_s:,.0f} characters a second into phonemes,"
            f" {self.synthesis_per_s:,.0f} are spoken; by the cores there are"
            f" {self.default_workers}."
        )


def workers_needed(synthesis_per_s: float, g2p_per_s: float, default: int, cores: int) -> int:
    """The number of G2P processes that keep ahead of a model, by rates in characters per second.

    -1, the default, if `default` processes do: more would only take memory.
    """
    needed = min(ceil(G2P_HEADROOM * synthesis_per_s / g2p_per_s), cores)
    return needed if needed > default else -1


def measure_g2p(
    options: KokoroOptions,
    text: BenchText,
    chosen: Candidate,
    left_s: float,
    output: BenchOutput,
) -> G2pRate:
    """The rates with the best candidate. G2P is measured if `left_s` is enough."""
    n_chars = sum(line.n_chars for line in text.lines(chosen.variant.chunking))
    g2p_per_s = _g2p_per_s(options, text, left_s, output)
    return G2pRate(g2p_per_s, n_chars / chosen.median_s, default_workers())


def _g2p_per_s(
    options: KokoroOptions, text: BenchText, left_s: float, output: BenchOutput
) -> float | str:
    """The characters per second of one G2P process, or why they were not measured."""
    if left_s < G2P_RESERVE_S / 2:
        return "there was no time left"
    output.say("turning text into phonemes")
    try:
        with RemoteObject(G2pSpeed, options, text.voice) as remote:
            return float(remote.call("characters_per_s"))
    except RemoteError as error:
        return str(error)
