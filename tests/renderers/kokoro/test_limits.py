"""Kokoro's limits for planning, without loading PyTorch."""

from audiomill.renderers.kokoro.front_end import joins_sentences
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.renderer import uses_padded_batches
from audiomill.renderers.kokoro.weights.releases import RUN_ON_VOICES, V1_0
from support.case_files import each_row


@each_row
def test_rows_are_padded_on_a_gpu_or_if_batch_frames_is_set(options, pads):
    assert uses_padded_batches(KokoroOptions(**options)) == pads


@each_row
def test_voices_without_pauses_speak_each_sentence_apart(voice, apart):
    assert joins_sentences(voice) == apart


def test_the_voices_without_pauses_are_of_the_release():
    assert set(V1_0.voices) >= RUN_ON_VOICES
