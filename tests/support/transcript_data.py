"""Reads transcripts back, strictly, and texts for tests of them."""

import re
from dataclasses import dataclass

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
PLAIN_TEXT = """\
# The Ferry

The ferry left the island before the sun was up. Nobody waved from the stone wall. A cold wind came
down from the hills. The captain drank his coffee and looked at the water. Two children slept under
a red blanket. Their mother watched the lamps on the shore grow small.

She had packed the kitchen in nine wooden boxes. The clock was in the last of them. It still rang
every hour, and the sailors laughed. Nobody knew how to stop it. At noon the rain began to fall.

The old man beside the door sold apples and bread to the people who came in from the rain, and he
gave a pear to each child who said good morning to him. He never counted his money. His brother had
been a teacher in the town. Now the school was closed.

# The Harbor

The harbor was full of little boats. Bells rang in the white tower. A woman with a yellow hat called
their names. She was the sister of their father. Her hands were warm and rough. Everything smelled
of fish and smoke.

They walked along the narrow street between the houses. Green plants hung from every window. A black
cat followed them as far as the bridge. There it sat down and washed its face. The river under the
bridge was brown and quick.

When they came to the house at the end of the road, the windows were dark, the gate was open, and a
large bird stood in the middle of the garden as if it had waited for them all day. Nobody spoke. The
bird looked at the children. Then it spread its wings and flew away.

# The House

The house had seven rooms and a blue roof. Dust lay on the chairs. Someone had left a letter on the
table. It was older than the paper on the walls. The mother read it twice. She put it in her pocket
and smiled.

In the evening they made a fire. The wood was wet, but it burned. They ate soup from deep white
bowls. Outside the storm grew loud. A branch broke and fell on the path. The children were not
afraid.

Later the moon came out behind the clouds. The garden was silver and still. Far away a dog was
singing to the night. The sea moved in its sleep. One of the boxes began to ring.

# The Morning

In the morning the world was clean. They opened every window of the house. The aunt brought eggs,
butter and honey. She told them about the bird. It had lived there for twenty years. People said
that it was lucky.

The boy found a boat behind the barn. It had no paint and only one oar. His sister said that it
would sink. He pushed it into the water anyway. It turned around once, very slowly, and came back to
him. They laughed until they had no breath. The bird sat on the roof and watched. Summer had begun.
"""
