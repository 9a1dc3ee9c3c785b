"""A transcript as a SubRip file (SRT), which has no specification: ffmpeg's reader is the measure.

Lines end with a line feed alone, as in ffmpeg's own files: players take both ends, but some
programs for podcasts look for two line feeds between cues. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from audiomill.outputs.text import one_line
from audiomill.outputs.transcripts.captions import lines, speaker_lead
from audiomill.outputs.transcripts.cues import TranscriptCue, timestamp

# SubRip has no escapes. An invisible character inside keeps players from taking these for tags,
# for positions ({\an8}) or for times.
WORD_JOINER = "\N{WORD JOINER}"
_MARKUP = re.compile(r"<(?=[/\w])|\{(?=\\)|--(?=>)")


def srt_text(cues: Iterable[TranscriptCue], sample_rate: int) -> str:
    """The file. A speaker stands before his text, with a colon: SubRip has no other place."""
    return "\n".join(_cue(number, cue, sample_rate) for number, cue in enumerate(cues, 1))


def _cue(number: int, cue: TranscriptCue, sample_rate: int) -> str:
    start, end = (timestamp(at, sample_rate, ",") for at in (cue.start, cue.end))
    said = speaker_lead(one_line(cue.speaker)) + cue.text
    text = _MARKUP.sub(lambda match: match[0] + WORD_JOINER, lines(said))
    return f"{number}\n{start} --> {end}\n{text}\n"
