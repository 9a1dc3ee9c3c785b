"""Each place where padding is kept out is needed: without it, a batch is not what its rows are.

The model asks `PaddingMask` for everything that it knows of padding. Each test replaces one call of
one method by what the method does in a batch without padding. The names of the tests list those
calls; a call that is added later is found automatically.
"""

import sys
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FrameType
from unittest import mock

import pytest
import torch

from audiomill.renderers.kokoro.model.padding import PaddingMask
from audiomill.renderers.kokoro.model.source import normal_noise
from support.kokoro_reference import distance, padded
from support.kokoro_tiny import DEVICE, tiny_model, tiny_utterances

F64 = torch.float64
LENGTHS = (1, 9, 4)  # phonemes
WITHOUT_PADDING = {
    "clear": lambda _, x: x,
    "mean": lambda _, x: x.mean(-1, keepdim=True),
    "reversed": lambda _, x: x.flip(1),
    "keys": lambda _: None,
    "last": lambda rows: torch.full((len(rows.lengths), 1), rows.size - 1, device=DEVICE),
}
NO_MASKS = {"times", "are_full"}


@dataclass(frozen=True, order=True)
class Place:
    """Where a method of `PaddingMask` is called."""

    file: str
    function: str
    line: int
    column: int
    method: str

    @classmethod
    def of(cls, frame: FrameType, method: str) -> "Place":
        code = frame.f_code
        line, _, column, _ = list(code.co_positions())[frame.f_lasti // 2]
        return cls(Path(code.co_filename).stem, code.co_qualname, line, column, method)


@contextmanager
def asked(answer: Callable[[Place], bool]):
    """Rows act as if there were no padding wherever `answer` is true."""

    def method(name: str):
        original = getattr(PaddingMask, name)

        def called(rows: PaddingMask, *arguments):
            place = Place.of(sys._getframe(1), name)
            return (WITHOUT_PADDING[name] if answer(place) else original)(rows, *arguments)

        return called

    with mock.patch.multiple(PaddingMask, **{name: method(name) for name in WITHOUT_PADDING}):
        yield


def spoken_together() -> tuple[list, torch.Tensor]:
    model = tiny_model(F64)
    readings = model.encode_text(tiny_utterances(LENGTHS))
    return readings, model.speak_padded(readings, padded(noises(readings), F64).to(DEVICE))


def noises(readings) -> list[torch.Tensor]:
    step = tiny_model(F64).config.samples_per_frame
    return [
        normal_noise([seed], one.n_frames * step, torch.device("cpu"), F64)[0]
        for seed, one in enumerate(readings)
    ]


@cache
def spoken_alone() -> list[tuple[tuple[int, ...], torch.Tensor]]:
    """The durations and the audio of each row by itself."""
    model = tiny_model(F64)
    readings = [model.encode_text([one])[0] for one in tiny_utterances(LENGTHS)]
    return [
        (one.durations, model.speak_padded([one], noise[None].to(DEVICE))[0])
        for one, noise in zip(readings, noises(readings), strict=True)
    ]


def is_the_same() -> bool:
    """Whether the batch is its rows: durations, audio, and nothing after it."""
    readings, audio = spoken_together()
    if [one.durations for one in readings] != [durations for durations, _ in spoken_alone()]:
        return False
    return all(
        distance(row[: len(alone)], alone) < 1e-6 and not row[len(alone) :].any()
        for row, (_, alone) in zip(audio, spoken_alone(), strict=True)
    )


def places() -> list[Place]:
    """All that a ragged batch asks."""
    found: set[Place] = set()
    with asked(lambda place: bool(found.add(place))):
        spoken_together()
    return sorted(found)


def named(all_places: list[Place]) -> list[str]:
    """File, function and method of each, numbered where there are several."""
    names = [f"{place.file}.{place.function}-{place.method}" for place in all_places]
    return [
        f"{name}-{names[:index].count(name) + 1}" if names.count(name) > 1 else name
        for index, name in enumerate(names)
    ]


PLACES = places()


def test_a_ragged_batch_is_its_rows():
    assert is_the_same()


def test_every_method_of_rows_is_tried():
    public = {name for name in vars(PaddingMask) if not name.startswith("_")}
    assert public - NO_MASKS == WITHOUT_PADDING.keys()
    assert {place.method for place in PLACES} == WITHOUT_PADDING.keys()


@pytest.mark.parametrize("place", PLACES, ids=named(PLACES))
def test_needed(place):
    with asked(lambda here: here == place):
        assert not is_the_same(), f"{place} makes no difference: remove it"
