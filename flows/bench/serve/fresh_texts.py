"""Texts that no server has said before: two sentences each, with names and numbers drawn anew.

A server that stores what it has said would else be measured by its store.
"""

from __future__ import annotations

from random import Random

_NAMES = ("Ada", "Bertram", "Clara", "Dorian", "Edith", "Felix", "Greta", "Hugo", "Iris", "Jonas")
_PLACES = ("the mill", "the harbour", "the old library", "the upper field", "the market", "the inn")
_THINGS = ("sacks of barley", "lanterns", "letters", "copper coins", "apples", "bales of wool")
_SENTENCES = (
    "On day {number} {name} counted {count} {thing} behind {place}.",
    "{name} walked {number} steps from {place} and found {count} {thing} there.",
    "Nobody at {place} would believe that {name} had sold {count} {thing} for {number} pounds.",
    "When the clock struck, {count} {thing} were missing, and {name} wrote {number} in a book.",
    "It took {name} {count} days to carry {number} {thing} over the river to {place}.",
)


def fresh_text(random: Random, n_sentences: int = 2) -> str:
    """A text of so many sentences of some 15 words."""
    return " ".join(_sentence(random) for _ in range(n_sentences))


def _sentence(random: Random) -> str:
    return random.choice(_SENTENCES).format(
        number=random.randrange(1000, 10_000),
        count=random.randrange(13, 1000),
        name=random.choice(_NAMES),
        place=random.choice(_PLACES),
        thing=random.choice(_THINGS),
    )
