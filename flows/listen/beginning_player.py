"""A book that sounds before it is read: a server sends its beginning, and this process the rest.

    server ─▶ beginning ─▶ player ─────────────────────▶ player
    book ─▶ read, cut, planned ─▶ all of its sound ─▶ what follows the beginning

The sound of the book is compared with what was heard. Imports little, as `beginning_cache`.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager, suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException

from audiomill.flows.console import say
from audiomill.flows.listen.beginning_cache import BeginningRequest, request_sound
from audiomill.flows.local_player import (
    INSTEAD_OF_PLAYING,
    PART_BYTES,
    STREAM_PLAYERS,
    NotPlayed,
    find_player,
    play_stream,
)

# Until it sounds, the processor is the server's alone; not longer.
FIRST_SOUND_TIMEOUT_S = 10.0
POLL_S = 0.2


class BeginningPlayer:
    """A player that plays the beginning of a book, and then what it is told to."""

    def __init__(self, player: Sequence[str], connection: HTTPConnection, sample_rate: int) -> None:
        """The answer to a request comes by the connection."""
        self.sample_rate = sample_rate
        self._connection = connection
        self._played = bytearray()
        self._has_sounded, self._is_closed = threading.Event(), False
        self._book = Future[Iterable[bytes]]()
        self._thread = ThreadPoolExecutor(1, "player")
        self._playing = self._thread.submit(
            play_stream, player, self._pcm(), sample_rate, INSTEAD_OF_PLAYING
        )
        self._playing.add_done_callback(lambda _: self._has_sounded.set())

    def wait(self) -> None:
        """Wait until it sounds, or cannot; not long."""
        self._has_sounded.wait(FIRST_SOUND_TIMEOUT_S)

    def play_on(self, pcm: Iterable[bytes], check: Callable[[], None]) -> bool:
        """Play all samples of a book (s16le) but those that were heard, and return at their end.

        False if the player has ended before. Raises NotPlayed, and what `pcm` and `check` raise.
        """
        self._book.set_result(pcm)
        while wait([self._playing], POLL_S).not_done:
            check()
        return self._playing.result()

    def close(self) -> None:
        """End the player, if it plays."""
        self._is_closed = True
        self._book.cancel()
        with suppress(OSError, AttributeError):  # AttributeError: the answer has ended
            self._connection.sock.shutdown(socket.SHUT_RDWR)
        self._thread.shutdown()
        self._connection.close()

    def _pcm(self) -> Iterator[bytes]:
        try:
            yield from self._beginning()
        finally:
            self._has_sounded.set()
        yield from unheard(bytes(self._played), self._book.result())

    def _beginning(self) -> Iterator[bytes]:
        """What the server sends, as far as it does."""
        with suppress(OSError, HTTPException), self._connection.getresponse() as answer:
            while answer.status == HTTPStatus.OK and not self._is_closed:
                block = answer.read1(PART_BYTES)
                if not block:
                    return
                self._played += block
                yield block
                self._has_sounded.set()  # the player has it


def unheard(heard: bytes, pcm: Iterable[bytes]) -> Iterator[bytes]:
    """The rest of a sound after what was heard of it; all of it, if it begins otherwise."""
    n_same = 0
    blocks = iter(pcm)
    for block in blocks:
        same = heard[n_same : n_same + len(block)]
        if not block.startswith(same):
            say("The book does not begin as it did before: here is its beginning.")
            yield heard[:n_same] + block
            break
        n_same += len(same)
        if len(block) > len(same):
            yield block[len(same) :]
            break
    yield from blocks


@contextmanager
def playing_beginning(
    request: BeginningRequest | None, *, is_played: bool
) -> Generator[BeginningPlayer | None]:
    """The sound of a beginning in the block, once it sounds; None if it cannot be played yet.

    A server renders it, too, where a page plays it.
    """
    connection = request_sound(request) if request else None
    if not request or not connection:
        yield None
        return
    with closing(connection):
        player = _player() if is_played else None
        if not player:
            yield None
            return
        sound = BeginningPlayer(player, connection, request.sample_rate)
        with closing(sound):
            sound.wait()
            yield sound


def _player() -> Sequence[str] | None:
    """The player; None if there is none, which the run tells."""
    try:
        return find_player(STREAM_PLAYERS, INSTEAD_OF_PLAYING)
    except NotPlayed:
        return None
