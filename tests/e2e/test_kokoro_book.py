"""The sample book in Kokoro's voice: all of it is there, and nothing of it is silent."""

import json
from itertools import accumulate
from pathlib import Path

import numpy as np
import pytest
from mutagen.mp4 import MP4

from audiomill.outputs.ffmpeg.decoding import decode
from audiomill.renderers.kokoro.model.config import SAMPLE_RATE
from audiomill.renderers.store.store import open_store
from support.kokoro_home import with_kokoro
from support.stopped_runs import shards

AUDIBLE = 0.003  # RMS: -50 dBFS


@pytest.mark.prove
def test_a_complete_book(home, sample_epub):
    speaking = with_kokoro(home, "narrow")
    arguments = (sample_epub, "--engine", "kokoro", "--speed", "4", "--format", "m4b")
    report = speaking.render(*arguments)
    planned = speaking.json("inspect", sample_epub)
    full = json.loads(Path(report["report"]).read_text())
    assert report["rendered"] == report["segments"] == planned["segments"] > 100
    assert report["skipped"] == len(planned["skipped"])
    assert not any("says nothing" in warning for warning in report["warnings"])

    (file,) = report["files"]
    book = MP4(file["path"])
    told = full["work"]["chapters"]
    titles = [chapter["title"] for chapter in planned["chapters"]]
    starts = [0.0, *accumulate(chapter["duration_s"] for chapter in told)]
    assert [chapter.title for chapter in book.chapters] == titles
    assert [chapter["title"] for chapter in told] == titles
    assert [chapter.start for chapter in book.chapters] == pytest.approx(starts[:-1], abs=0.01)
    n_samples = sum(block.size for block in decode(Path(file["path"])))
    assert n_samples / SAMPLE_RATE == pytest.approx(starts[-1], abs=0.01)
    assert n_samples / SAMPLE_RATE == pytest.approx(report["audio_s"], abs=0.001)
    assert book.info.length == pytest.approx(report["audio_s"], abs=0.1)  # and the first AAC frame

    store = open_store(str(speaking.store))
    spoken = [store.get(path.stem).samples for path in shards(speaking)]
    assert len(spoken) == report["rendered"]
    assert min(np.sqrt(np.mean(one.astype(float) ** 2)) for one in spoken) > AUDIBLE
    assert speaking.render(*arguments)["rendered"] == 0
