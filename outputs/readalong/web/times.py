"""The times of a section of a page, as a script: browsers read no other file from a disk. Pure.

    readalong.times(3, {"audio": ["audio/….m4a"], "clips": [[0, 1200, 4310, [0, 2, 0, 1, 4, 310]]]})

A clip: its audio file, start and end in milliseconds; then three integers for each word: UTF-16
units from the end of the word before, or the start of the clip's text, to it; its length;
milliseconds from the start of the word before, or of the clip, to its own. A fifth member, 1, says
that the clip goes on with the sentence of the one before.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from audiomill.outputs.readalong.document_audio import PieceClip


@dataclass(frozen=True, slots=True)
class SpanText:
    """The text of a clip on the page: of each character that it prints, where it stands there.

    Positions are UTF-16 units, which browsers count. `ends[i]` is where character i ends.
    """

    starts: tuple[int, ...]
    ends: tuple[int, ...]


def times_script(
    section: int,
    audio: Sequence[str],
    clips: Sequence[PieceClip],
    texts: Sequence[SpanText | None],
    sample_rate: int,
) -> bytes:
    """The script of a section. `audio` are the pieces' names, `texts` those of the clips.

    A clip whose text is not known (None) has no words.
    """
    used = sorted({one.piece for one in clips})
    content = {
        "audio": [audio[piece] for piece in used],
        "clips": [
            clip_times(one, used.index(one.piece), text, sample_rate)
            for one, text in zip(clips, texts, strict=True)
        ],
    }
    return f"readalong.times({section}, {json.dumps(content, separators=(',', ':'))});\n".encode()


def clip_times(
    one: PieceClip, piece: int, text: SpanText | None, sample_rate: int
) -> list[int | list[int]]:
    """The times of a clip of the audio file with the number `piece`."""
    words = [number for word in _words(one, text, sample_rate) for number in word] if text else []
    is_continued = [1] if one.clip.is_continued else []
    return [piece, one.start_ms, one.end_ms, words, *is_continued]


def _words(one: PieceClip, text: SpanText, sample_rate: int) -> Iterator[tuple[int, int, int]]:
    found = [(0, 0, one.start_ms)]
    for word in one.clip.words:
        if one.clip.n_chars == len(text.ends):
            after_ms = round(1000 * (word.start - one.clip.start) / sample_rate)
            start_ms = min(max(found[-1][2], one.start_ms + after_ms), one.end_ms)
            found.append((text.starts[word.first], text.ends[word.last - 1], start_ms))
    for (_, end, before_ms), (first, last, start_ms) in pairwise(found):
        yield first - end, last - first, start_ms - before_ms
