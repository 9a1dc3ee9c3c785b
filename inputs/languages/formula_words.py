"""The words of a language for what the layout of a formula means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class FormulaWords:
    """The words of one language for what the layout of a formula means."""

    formula: str  # one that is not said
    over: str
    fraction: tuple[str, str]  # before the numerator, and before the denominator
    squared: str
    cubed: str
    power: str
    sub: str
    root: str
    nth_root: tuple[str, str]  # before and after its degree
    from_to_of: tuple[str, str, str]
    sum: str
    product: str
    integral: str
    union: str
    intersection: str
    matrix: str
    over_all: str  # before what a sum runs over
    limit: tuple[str, str]  # before the variable, and for the arrow behind it
    chosen: str  # a binomial coefficient, of {n} and {k}
    absolute: str
    size: str  # of a set
    norm: str
    set_of: str
    such_that: str
    conditional_on: str  # between what is likely and its condition, in P(A|B)
    transposed: str
    superscript: str  # one that is no power
    argument: str  # between a function and its argument
    log_base: str
    rounded: tuple[str, str]  # down, and up
    signs: Mapping[str, str] = field(default_factory=dict[str, str])  # those of formulas alone
