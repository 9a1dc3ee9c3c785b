"""Reads transcripts back, strictly, and texts for tests of them."""

import re
from dataclasses import dataclass
from pathlib import Path

# https://www.w3.org/TR/webvtt1/#syntax: hours may be left out, we always write them.
TIME = r"(\d{2,}):([0-5]\d):([0-5]\d)[.](\d{3})"
TIMES = re.compile(rf"{TIME} --> {TIME}")
VOICE = re.compile(r"<v ([^\n&<>]|&(?:amp|lt|gt);)+>")
REFERENCES = {"&amp;": "&", "&lt;": "<", "&gt;": ">"}


@dataclass(frozen=True)
class ReadCue:
    """A cue of a file: times in milliseconds, the text on one line, and who says it."""

    start_ms: int
    end_ms: int
    text: str
    speaker: str = ""


def read_vtt(text: str) -> tuple[list[str], list[ReadCue]]:
    """The lines of the note and the cues of a WebVTT file. Asserts that it is well-formed."""
    assert "\r" not in text
    assert "\0" not in text
    head, *blocks = text.rstrip("\n").split("\n\n")
    assert head == "WEBVTT"
    assert text.endswith("\n")
    note = blocks.pop(0).split("\n") if blocks and blocks[0].startswith("NOTE\n") else []
    assert "-->" not in "".join(note)
    cues = [_read_vtt_cue(block) for block in blocks]
    _check_order(cues)
    return note[1:], cues


def _read_vtt_cue(block: str) -> ReadCue:
    times, *payload = block.split("\n")
    numbers = [int(number) for number in TIMES.fullmatch(times).groups()]
    assert all(line.strip() for line in payload)
    said, speaker = "\n".join(payload), ""
    if said.startswith("<v "):
        opened = VOICE.match(said)
        assert said.endswith("</v>")
        speaker, said = opened[0][3:-1], said[opened.end() : -len("</v>")]
    assert "-->" not in said
    assert "<" not in said
    assert ">" not in said
    assert re.fullmatch(r"([^&]|&(amp|lt|gt);)+", said)
    return ReadCue(_ms(*numbers[:4]), _ms(*numbers[4:]), _unescaped(said), _unescaped(speaker))


def read_srt(text: str) -> list[ReadCue]:
    """The cues of a SubRip file. Asserts that it is well-formed, with a counter from 1."""
    assert "\r" not in text
    cues = []
    for number, block in enumerate(text.rstrip("\n").split("\n\n") if text else [], 1):
        counter, times, *payload = block.split("\n")
        assert counter == str(number)
        assert all(line.strip() for line in payload)
        assert payload
        numbers = [int(one) for one in TIMES.fullmatch(times.replace(",", ".")).groups()]
        assert times.count(",") == 2
        text_of_cue = " ".join(payload).replace("\u2060", "")
        cues.append(ReadCue(_ms(*numbers[:4]), _ms(*numbers[4:]), text_of_cue))
    _check_order(cues)
    return cues


def _check_order(cues: list[ReadCue]) -> None:
    """Each cue has a duration, and ends before the next one starts."""
    edges = [edge for cue in cues for edge in (cue.start_ms, cue.end_ms)]
    assert edges == sorted(edges)
    assert all(cue.start_ms < cue.end_ms for cue in cues)


def _ms(hours: int, minutes: int, seconds: int, ms: int) -> int:
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms


def _unescaped(text: str) -> str:
    return re.sub("&[a-z]+;", lambda match: REFERENCES[match[0]], text.replace("\n", " "))


# Sixty sentences of plain words that every English dictionary has; some have several clauses.
PLAIN_TEXT = Path(__file__).with_name("plain_text.md").read_text(encoding="utf-8")
