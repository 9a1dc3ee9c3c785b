"""Plays a book on this machine: its samples go to a program that plays what it is sent."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator

from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.speech.book_sound import BookPlace, BookSound
from audiomill.flows.speech.speech_audio import speech_pcm
from audiomill.outputs.encoding.ffmpeg import opened_pipe
from audiomill.outputs.formats.streams import wav_header
from audiomill.outputs.types import OutputError

# Programs that play a WAV that they are sent, and end with it. The first that is found plays.
STREAM_PLAYERS = (
    ("ffplay", "-nodisp", "-autoexit", "-loglevel", "error", "-i", "-"),
    ("mpv", "--no-video", "--really-quiet", "-"),
    ("aplay", "-q", "-"),
)


class NotPlayable(OutputError):
    """No program plays here, or it has failed."""


def find_stream_player() -> tuple[str, ...]:
    """The command that plays what it is sent. Raises NotPlayable."""
    for name, *options in STREAM_PLAYERS:
        if path := shutil.which(name):
            return path, *options
    known = ", ".join(name for name, *_ in STREAM_PLAYERS)
    raise NotPlayable(
        f"There is no player here (known are {known}). Leave --play out, and listen in a browser."
    )


def play_book(
    player: tuple[str, ...], book: BookSound, place: BookPlace, context: RunContext
) -> None:
    """Play a book from a place on, to its end.

    Raises NotPlayable, RenderError, StoreError, Interrupted.
    """
    with subprocess.Popen(
        player, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, process_group=0
    ) as process:
        pipe = opened_pipe(process.stdin)
        try:
            pipe.write(wav_header(book.plan.sample_rate))
            for block in context.until_cancelled(_pcm_from(book, place)):
                pipe.write(block)
            pipe.close()
        except BrokenPipeError:
            pass  # it has ended, and its status tells why
        except BaseException:
            process.kill()
            raise
        if process.wait():
            raise NotPlayable(
                f"{player[0]} cannot play here (exit status {process.returncode}). Leave --play"
                " out, and listen in a browser."
            )


def _pcm_from(book: BookSound, place: BookPlace) -> Iterator[bytes]:
    """The samples from a place to the book's end, as s16le."""
    rate = book.plan.sample_rate
    following = range(place.chapter + 1, len(book.plan.chapters))
    for one in (place, *map(BookPlace, following)):
        yield from speech_pcm(book.sound_from(one).samples(), rate, rate)
