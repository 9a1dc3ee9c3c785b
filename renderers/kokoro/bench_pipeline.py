"""Upstream's whole pipeline, from text to samples, as a benchmark drives it.

Source: `KPipeline` in kokoro/pipeline.py. It writes no file: its way ends at samples in memory.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import partial

from renderers.kokoro.bench_device import TorchDevice
from renderers.kokoro.bench_upstream import load_kmodel, quiet_log
from renderers.kokoro.config import SAMPLE_RATE
from renderers.kokoro.files import find_files
from renderers.kokoro.g2p_versions import ENGLISH_MODEL, is_tagged
from renderers.kokoro.loading import ready_device
from renderers.kokoro.mixing import parse_mix
from renderers.kokoro.official import V1_0, release_named
from renderers.kokoro.voices import VoiceTable
from renderers.options import KokoroOptions
from renderers.shard import EngineMissing
from renderers.trial import Line, Made, Turn


class PipelineTrial(TorchDevice):
    """`KPipeline` on one device. A line is text: a sentence, or all that stands in a paragraph."""

    sample_rate = SAMPLE_RATE

    def __init__(self, options: KokoroOptions, voice: str) -> None:
        """Raises EngineMissing, WeightsUnfit, UnknownVoice."""
        code = parse_mix(voice).language.code
        if code in "ab" and not is_tagged():
            raise EngineMissing(
                f"KPipeline needs {ENGLISH_MODEL}, which is not installed and would be fetched"
            )
        release = release_named(options.release)
        files = find_files(options.weights, release)
        device = ready_device(options)
        super().__init__(device)
        # The pack is named by its path: a bare name would be looked for on the Hub.
        self._pack = str(VoiceTable(options.weights, release).pack(voice).path)
        quiet_log()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # theirs, about what is deprecated
            try:
                from kokoro import KPipeline
            except ImportError as error:
                raise EngineMissing(f"the kokoro package cannot be loaded: {error}") from error
            model = load_kmodel(files.config, files.weights).to(device)
            self._pipeline = KPipeline(code, V1_0.repo, model)

    def turns(self, lines: Sequence[Line], batch_frames: int) -> Sequence[Turn]:  # noqa: ARG002
        """See `Trial`: it has no batches."""
        return [Turn((n,), partial(self._speak, line.said)) for n, line in enumerate(lines)]

    def _speak(self, text: str) -> Made:
        results = self._pipeline(text, self._pack, split_pattern=None)
        return Made(sum(len(one.audio) for one in results if one.audio is not None))
