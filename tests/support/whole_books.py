"""What of a finished M4B shows that it is whole."""

import json
from pathlib import Path

import pytest
from mutagen.mp4 import MP4

from audiomill.outputs.encoding.decoding import decode

AAC_FRAME = 1024  # samples


def assert_whole(report: dict) -> None:
    """Assert that it is one M4B with the chapters of `write_book`, as long as the report says."""
    (file,) = report["files"]
    assert (file["format"], Path(file["path"]).suffix) == ("m4b", ".m4b")
    full = json.loads(Path(report["report"]).read_text())
    book, told = MP4(file["path"]), full["work"]["chapters"]
    titles = [chapter["title"] for chapter in told]
    assert [chapter.title for chapter in book.chapters] == titles
    assert titles == [f"Chapter the {n + 1}th" for n in range(len(titles))]
    n_samples = sum(block.size for block in decode(Path(file["path"])))
    assert n_samples / book.info.sample_rate == pytest.approx(report["audio_s"], abs=0.001)
    assert report["audio_s"] == pytest.approx(sum(one["duration_s"] for one in told), abs=0.05)
    first_frames_s = 2 * AAC_FRAME / book.info.sample_rate  # which are before the audio
    assert book.info.length == pytest.approx(report["audio_s"], abs=first_frames_s)
    assert report["audio_s"] > 5
