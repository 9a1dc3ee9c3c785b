"""No regular expression depends on a bug of Python before 3.11.5, which is supported."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

from audiomill import inputs
from audiomill.inputs.segmentation import sentences

LOOKAROUNDS = {_constants.ASSERT, _constants.ASSERT_NOT}


def patterns() -> Iterator[tuple[str, re.Pattern[Any]]]:
    for module in pkgutil.walk_packages(inputs.__path__, "audiomill.inputs."):
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, re.Pattern):
                yield f"{module.name}.{name}", value
    yield from ((f"sentences in {code}", sentences._candidates(code)) for code in ("en", "de"))


def operations(parsed: Any) -> Iterator[tuple[Any, Any]]:
    """Every operation of a parsed pattern, at any depth."""
    if isinstance(parsed, _parser.SubPattern):
        for operation, argument in parsed:
            yield operation, argument
            yield from operations(argument)
    elif isinstance(parsed, tuple | list):
        for part in parsed:
            yield from operations(part)


def unsafe(pattern: str | bytes) -> bool:
    """True if a lookaround is repeated possessively (github.com/python/cpython/issues/106052)."""
    return any(
        not LOOKAROUNDS.isdisjoint(inner for inner, _ in operations(argument))
        for operation, argument in operations(_parser.parse(pattern))
        if operation is _constants.POSSESSIVE_REPEAT
    )


def test_the_check_detects_such_a_pattern() -> None:
    assert unsafe(r"a(?:[^b]|b(?=c))*+b")
    assert not unsafe(r"a(?=((?:[^b]|b(?=c))*))\1b")


def test_no_lookaround_is_repeated_possessively() -> None:
    checked = {name: unsafe(pattern.pattern) for name, pattern in patterns()}
    assert len(checked) > 100
    assert [name for name, is_unsafe in checked.items() if is_unsafe] == []
