"""A request's audio while it grows, sentence by sentence, at the rate of its voice."""

from __future__ import annotations

import numpy as np

from audiomill.renderers.engine.protocol import Samples, WordTiming
from audiomill.renderers.engine.text_process import Part
from audiomill.renderers.piper.child import PhonemeText
from audiomill.renderers.piper.model import PiperModel, PiperScales
from audiomill.renderers.piper.voices import PiperSpeaker
from audiomill.renderers.piper.words import SpokenSentence, word_timings
from audiomill.renderers.takes.seeds import seed_of


class PiperUtterance:
    """A request's audio while it grows, sentence by sentence."""

    def __init__(self, model: PiperModel, speaker: PiperSpeaker, scales: PiperScales) -> None:
        self._model, self._speaker, self._scales = model, speaker, scales
        self._pieces: list[Samples] = []

    def samples(self) -> Samples:
        """All that has been said, at the voice's own rate."""
        return np.concatenate(self._pieces) if self._pieces else np.zeros(0, np.float32)

    def add(self, text: str, part: Part[PhonemeText], key: str) -> list[WordTiming]:
        """Say a part of `text`. The times of its words; none if the graph does not tell them."""
        if part.answer is None:
            return []
        spoken = [self._say(phonemes, key) for phonemes in part.answer.sentences]
        known = [one for one in spoken if one is not None]
        if len(known) < len(spoken):
            return []
        rate = self._speaker.file.sample_rate
        return [
            WordTiming(one.start + part.start, one.end + part.start, one.start_s, one.end_s)
            for one in word_timings(text[part.start : part.end], known, part.answer.alone, rate)
        ]

    def _say(self, phonemes: tuple[str, ...], key: str) -> SpokenSentence | None:
        ids = self._model.ids(phonemes)
        start_s = sum(piece.size for piece in self._pieces) / self._speaker.file.sample_rate
        seed = seed_of(key, part=len(self._pieces))
        speech = self._model.speak(ids, self._scales, self._speaker.number, seed)
        self._pieces.append(speech.samples)
        if speech.durations is None:
            return None
        return SpokenSentence(phonemes, ids, speech.durations, start_s)
