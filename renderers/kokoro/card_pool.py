"""Several devices that speak as one: each in a process of its own, all from one queue.

    rows ─▶ shares of like length ─▶ queue ─┬─ thread ─▶ process on cuda:0 ─▶ samples
                                            └─ thread ─▶ process on cuda:1 ─▶ samples

A process for each, because one Python cannot start the kernels of several GPUs fast enough, and
because a GPU that fails takes its process with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from renderers.kokoro.card_hand import CardHand, Work
from renderers.kokoro.card_queue import CardQueue, Share
from renderers.kokoro.card_shares import shares
from renderers.kokoro.card_worker import Asked, Make, Told
from renderers.kokoro.speaker import Row, Spoken
from renderers.kokoro.staff import Staff


class CardPool(Staff[CardHand]):
    """Any thread may use it. What is not closed is closed when the interpreter ends."""

    def __init__(self, cards: Sequence[tuple[str, Make]]) -> None:
        """Devices, and what makes a speaker for each, in a process that has the same modules."""
        super().__init__()
        self._cards = tuple(cards)
        self._queue: CardQueue[list[Told]] = CardQueue(device for device, _ in cards)

    def speak(self, rows: Sequence[Row]) -> list[Spoken]:
        """All `rows`, in their order. Raises EngineFailed, and what making a speaker raises."""
        self._hire()
        cut = shares([len(row.utterance.tokens) for row in rows], len(self._cards))
        works: list[Work] = [Share([_asked(rows[index]) for index in one]) for one in cut]
        self._queue.put(works)
        told: dict[int, Told] = {}
        for one, share in zip(cut, works, strict=True):
            told.update(zip(one, share.done.result(), strict=True))
        return [Spoken(*told[index]) for index in range(len(rows))]

    def _stop(self) -> None:
        """Nothing can be spoken any more."""
        self._queue.close()

    def _hire(self) -> None:
        with self._lock:
            for card in range(len(self._hands), len(self._cards)):
                self._hands.append(CardHand(card, *self._cards[card], self._queue))


def _asked(row: Row) -> Asked:
    """A row as it is sent: a tensor would bring along all that it is a part of."""
    one = row.utterance
    return one.tokens, one.style.float().numpy(), one.speed, row.seed
