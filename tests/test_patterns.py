"""No pattern is read otherwise by an earlier Python that we support."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from audiomill import inputs
from audiomill.inputs.segmentation import sentences

LOOKS = {_constants.ASSERT, _constants.ASSERT_NOT}


def patterns() -> Iterator[tuple[str, re.Pattern[Any]]]:
    for module in pkgutil.walk_packages(inputs.__path__, "audiomill.inputs."):
        found = vars(importlib.import_module(module.name)).items()
        yield from (
            (f"{module.name}.{name}", one) for name, one in found if isinstance(one, re.Pattern)
        )
    yield from ((f"sentences in {code}", sentences._candidates(code)) for code in ("en", "de"))


def operations(parsed: Any) -> Iterator[tuple[Any, Any]]:
    """Every operation of a parsed pattern, however deep."""
    if isinstance(parsed, _parser.SubPattern):
        for operation, argument in parsed:
            yield operation, argument
            yield from operations(argument)
    elif isinstance(parsed, tuple | list):
        for one in parsed:
            yield from operations(one)


def unsafe(pattern: str | bytes) -> bool:
    """Whether a look around is repeated possessively: https://github.com/python/cpython/issues/106052."""
    return any(
        not LOOKS.isdisjoint(inner for inner, _ in operations(argument))
        for operation, argument in operations(_parser.parse(pattern))
        if operation is _constants.POSSESSIVE_REPEAT
    )


def test_the_check_sees_such_a_pattern() -> None:
    assert unsafe(r"a(?:[^b]|b(?=c))*+b")
    assert not unsafe(r"a(?=((?:[^b]|b(?=c))*))\1b")


@pytest.mark.parametrize(
    ("name", "pattern"), list(patterns()), ids=lambda one: one if isinstance(one, str) else ""
)
def test_no_look_around_is_repeated_possessively(name: str, pattern: re.Pattern[Any]) -> None:
    assert not unsafe(pattern.pattern), name
