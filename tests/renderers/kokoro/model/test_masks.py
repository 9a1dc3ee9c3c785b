"""Every call of a `PaddingMask` method is needed: without it, a batch differs from its single rows.

The model knows padding only through `PaddingMask`. Each test replaces one call of one method by
what the method does in a batch without padding. The test names list these calls; calls that are
added later are found automatically.
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
    "apply": lambda _, x: x,
    "mean": lambda _, x: x.mean(-1, keepdim=True),
    "reverse": lambda _, x: x.flip(1),
    "attention_mask": lambda _: None,
    "last_index": lambda mask: torch.full((len(mask.lengths), 1), mask.size - 1, device=DEVICE),
}
NOT_MASKING = {"scaled", "is_full"}


@dataclass(frozen=True, order=True)
class CallSite:
    """The position in the source where a method of `PaddingMask` is called."""

    file: str
    function: str
    line: int
    column: int
    method: str

    @classmethod
    def of(cls, frame: FrameType, method: str) -> "CallSite":
        code = frame.f_code
        line, _, column, _ = list(code.co_positions())[frame.f_lasti // 2]
        return cls(Path(code.co_filename).stem, code.co_qualname, line, column, method)


@contextmanager
def ignoring_padding(at: Callable[[CallSite], bool]):
    """Within the context, masks act as if there were no padding at call sites that satisfy `at`."""

    def method(name: str):
        original = getattr(PaddingMask, name)

        def called(mask: PaddingMask, *arguments):
            site = CallSite.of(sys._getframe(1), name)
            return (WITHOUT_PADDING[name] if at(site) else original)(mask, *arguments)

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


def equals_single_rows() -> bool:
    """True if the batch equals its single rows: durations and audio, and silence in the padding."""
    readings, audio = spoken_together()
    if [one.durations for one in readings] != [durations for durations, _ in spoken_alone()]:
        return False
    return all(
        distance(row[: len(alone)], alone) < 1e-6 and not row[len(alone) :].any()
        for row, (_, alone) in zip(audio, spoken_alone(), strict=True)
    )


def call_sites() -> list[CallSite]:
    """All call sites that a ragged batch reaches."""
    found: set[CallSite] = set()
    with ignoring_padding(lambda site: bool(found.add(site))):
        spoken_together()
    return sorted(found)


def site_ids(sites: list[CallSite]) -> list[str]:
    """File, function and method of each call site, numbered if there are several."""
    names = [f"{site.file}.{site.function}-{site.method}" for site in sites]
    return [
        f"{name}-{names[:index].count(name) + 1}" if names.count(name) > 1 else name
        for index, name in enumerate(names)
    ]


CALL_SITES = call_sites()


def test_a_ragged_batch_equals_its_single_rows():
    assert equals_single_rows()


def test_every_masking_method_is_covered():
    public = {name for name in vars(PaddingMask) if not name.startswith("_")}
    assert public - NOT_MASKING == WITHOUT_PADDING.keys()
    assert {site.method for site in CALL_SITES} == WITHOUT_PADDING.keys()


@pytest.mark.parametrize("site", CALL_SITES, ids=site_ids(CALL_SITES))
def test_call_is_needed(site):
    with ignoring_padding(lambda other: other == site):
        assert not equals_single_rows(), f"{site} makes no difference: remove it"
