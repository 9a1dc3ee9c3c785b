"""Kokoro's limits for planning, without loading PyTorch."""

import pytest

from audiomill.renderers.kokoro.front_end import joins_sentences
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.renderer import uses_padded_batches
from audiomill.renderers.kokoro.weights.releases import RUN_ON_VOICES, V1_0
from support.case_files import each_row


@pytest.mark.parametrize(
    ("options", "pads"),
    [
        (KokoroOptions(device="cpu"), False),
        (KokoroOptions(device="cpu,cpu"), False),
        (KokoroOptions(device="cpu", batch_frames=4096), True),
        (KokoroOptions(device="cuda:1"), True),
        (KokoroOptions(device="cuda:0,cuda:1"), True),
    ],
)
def test_rows_are_padded_on_a_gpu_or_if_batch_frames_is_set(options, pads):
    assert uses_padded_batches(options) == pads


@each_row
def test_voices_without_pauses_speak_each_sentence_apart(voice, apart):
    assert joins_sentences(voice) == apart


def test_the_voices_without_pauses_are_of_the_release():
    assert set(V1_0.voices) >= RUN_ON_VOICES
