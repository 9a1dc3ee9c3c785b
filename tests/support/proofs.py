"""The cases of a slow proof: some in `make prove`, all the others in `make prove-long`."""

from collections.abc import Iterable

import pytest


def first_often(cases: Iterable[object], n_often: int) -> list:
    """The cases, of which `make prove` has the first `n_often`, and `make prove-long` the others.

    A case of several parameters is a tuple.
    """
    marks = (pytest.mark.prove, pytest.mark.prove_long)
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=marks[n >= n_often])
        for n, case in enumerate(cases)
    ]
