"""How many examples a property test has."""

from collections.abc import Iterable

import pytest
from hypothesis import settings


def few_examples(number: int) -> settings:
    """So many examples for each hundred of the profile, each of which is dear; but four if there
    are so many. In `make explore` ten times as many.
    """
    if not settings().derandomize:
        return settings(max_examples=10 * number)
    return settings(max_examples=max(min(number, 4), _share_of(number)))


def many_examples(number: int) -> settings:
    """So many examples for each hundred of the profile, which has fewer in `make prove` (60) and
    `make test` (15) than in `make explore`.
    """
    return settings(max_examples=_share_of(number))


def _share_of(number: int) -> int:
    return number * settings().max_examples // 100


def first_often(cases: Iterable[object], n_often: int) -> list:
    """The cases, of which `make prove` has the first `n_often`, and `make prove-long` the others.

    A case of several parameters is a tuple.
    """
    marks = (pytest.mark.prove, pytest.mark.prove_long)
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=marks[n >= n_often])
        for n, case in enumerate(cases)
    ]
