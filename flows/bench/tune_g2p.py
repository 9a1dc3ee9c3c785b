"""The processes of text to phonemes that keep up with the model, for `audiomill bench --tune`."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from audiomill.flows.bench.corpus import BenchText
from audiomill.flows.bench.measure import G2pSpeed
from audiomill.flows.bench.passes import BenchOutput
from audiomill.flows.bench.tune_search import Candidate
from audiomill.renderers.host.remote_object import RemoteError, RemoteObject
from audiomill.renderers.kokoro.front_end import default_workers
from audiomill.renderers.kokoro.options import KokoroOptions

G2P_RESERVE_S = 20.0  # of the time limit, for measuring text to phonemes
# G2P processes together are this many times as fast as the model: texts differ, and a model that
# waits costs more than a process that waits.
G2P_HEADROOM = 1.5


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
