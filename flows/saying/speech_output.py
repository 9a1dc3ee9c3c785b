"""Plays a short text, or writes its sound to a file. For the commands `say` and `voices`."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from audiomill.flows.console import put, put_json, say
from audiomill.flows.saying.player import find_player, play
from audiomill.flows.saying.speech import TextToSay, write_speech
from audiomill.flows.settings import Settings


def play_or_write(settings: Settings, speech: TextToSay, out: Path | None) -> float:
    """Write the sound to `out`, or play it if that is None. Return its duration in seconds."""
    if out is not None:
        return write_speech(settings, speech, out)
    player = find_player()  # now: the voice may have to be downloaded first
    with TemporaryDirectory(prefix="audiomill-") as folder:
        path = Path(folder, "speech.wav")
        duration_s = write_speech(settings, speech, path)
        say(speech.text)
        play(player, path)
        return duration_s


def put_result(result: dict[str, Any], out: Path | None, *, as_json: bool) -> None:
    """Print the file's path, or the JSON object, whose path is null for what was played."""
    if as_json:
        put_json(result | {"path": None if out is None else str(out)})
    elif out is not None:
        put(str(out))
