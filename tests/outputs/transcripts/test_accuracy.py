"""Sentences start where an independent aligner of words to speech hears them (PocketSphinx).

The aligner gets the finished file, paragraph by paragraph, and the printed words: no time of ours.
"""

import re
from pathlib import Path

import av
import numpy as np
import pytest
import scipy.signal

from audiomill.outputs.ffmpeg.decoding import decode
from support.book_data import book_job, rendered
from support.transcript_data import PLAIN_TEXT, ReadCue, read_vtt

RATE = 16_000  # of the acoustic model
FRAME = RATE // 100  # its frames
PARAGRAPH_FRAMES = 60  # a silence of 0.6 s; a sentence's is 0.44 s at most, a paragraph's 0.72 s
SILENT = 1e-4
NOISE = 1e-3  # as in a recording; the model does not know digital silence
WORD = re.compile("[a-z']+")


def speech_of(path: Path) -> np.ndarray:
    with av.open(str(path)) as opened:
        rate = opened.streams.audio[0].rate
    return scipy.signal.resample_poly(np.concatenate(list(decode(path))), RATE, rate)


def paragraphs_of(speech: np.ndarray) -> tuple[list[tuple[int, int]], np.ndarray]:
    """The frames of each paragraph, divided by long silences, and the frames that have sound."""
    frames = speech[: speech.size // FRAME * FRAME].reshape(-1, FRAME)
    loud = np.flatnonzero(np.abs(frames).max(axis=1) > SILENT)
    last = loud[:-1][np.diff(loud) > PARAGRAPH_FRAMES]
    starts = [0, *(last + PARAGRAPH_FRAMES // 2)]
    return list(zip(starts, [*starts[1:], len(frames)], strict=True)), loud


def heard_starts(path: Path, text: str) -> list[float]:
    """The start of each word in milliseconds, as the aligner finds it.

    It sometimes begins a word in the digital silence before it, where no word can be: then the
    word begins with the next sound.
    """
    from pocketsphinx import Decoder, get_model_path

    decoder = Decoder(
        hmm=get_model_path("en-us/en-us"),
        dict=get_model_path("en-us/cmudict-en-us.dict"),
        lm=None,
        loglevel="FATAL",
        samprate=RATE,
        **dict.fromkeys(("beam", "wbeam", "pbeam"), 1e-80),
    )
    speech = speech_of(path)
    places, loud = paragraphs_of(speech)
    noisy = speech + np.random.default_rng(1).normal(0, NOISE, speech.size)
    pcm = (noisy * 32767).clip(-32768, 32767).astype("<i2")
    starts = []
    for (first, end), words in zip(places, text.split("\n\n"), strict=True):
        expected = WORD.findall(words.lower())
        decoder.set_align_text(" ".join(expected))
        decoder.start_utt()
        decoder.process_raw(pcm[first * FRAME : end * FRAME].tobytes(), full_utt=True)
        decoder.end_utt()
        found = [one for one in decoder.seg() if one.word[0] not in "<["]
        assert [re.sub(r"\(.*", "", one.word) for one in found] == expected
        starts += [first + one.start_frame for one in found]
    return [10.0 * loud[np.searchsorted(loud, start)] for start in starts]


def errors_ms(cues: list[ReadCue], starts: list[float]) -> list[float]:
    """How much later each cue starts than its first word is heard."""
    numbers = np.cumsum([0, *(len(WORD.findall(cue.text.lower())) for cue in cues)])
    assert numbers[-1] == len(starts)
    return [cue.start_ms - starts[at] for cue, at in zip(cues, numbers, strict=False)]


@pytest.mark.prove
def test_sentences_start_where_an_aligner_hears_them(tmp_path, record_property):
    choices = {"engine": "espeak", "voice": "en-us", "transcripts": ["vtt"], "split": True}
    job = book_job(tmp_path, PLAIN_TEXT, **choices)
    files = rendered(job).files
    chapters = re.split(r"(?m)^# ", PLAIN_TEXT)[1:]
    errors = []
    for audio, transcript, text in zip(files[::2], files[1::2], chapters, strict=True):
        _, cues = read_vtt(transcript.path.read_text())
        errors += errors_ms(cues, heard_starts(audio.path, text.strip()))
    sizes = np.abs(errors)
    record_property("median, p90 and worst (ms)", np.percentile(sizes, (50, 90, 100)).tolist())
    assert len(errors) > 60
    assert np.median(sizes) < 60
    assert np.percentile(sizes, 90) < 120
