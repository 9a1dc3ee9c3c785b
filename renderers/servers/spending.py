"""Counts what a paid service bills, and keeps that within a budget.

    reserve ─▶ the request goes out ─▶ keep (it is billed, or may be) or give back (it is not)

A request is reserved before it is sent, so that those in flight cannot exceed the budget together.
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager

from audiomill.renderers.engine.errors import EngineUnavailable
from audiomill.renderers.engine.protocol import price_of_units


class BudgetReached(EngineUnavailable):
    """The next request would cost more than is left of the budget."""


class Spending:
    """What one process has sent to one service. Thread-safe."""

    def __init__(self, price_per_million: float, budget: float | None) -> None:
        """Both in one currency; a budget of None is no limit."""
        self._price = price_per_million
        self._budget = budget
        self._n_billed = 0  # billed, or reserved
        self._lock = threading.Lock()

    @property
    def spent(self) -> float:
        """What has been billed, or is reserved, in the currency of the price."""
        return price_of_units(self._n_billed, self._price)

    @contextmanager
    def reserved(self, n_billed: int) -> Generator[Reservation]:
        """Reserve the price of so many units. What is not kept of it is given back.

        Raises BudgetReached.
        """
        with self._lock:
            cost = price_of_units(self._n_billed + n_billed, self._price)
            if self._budget is not None and cost > self._budget:
                raise BudgetReached(
                    f"The budget of {self._budget:.2f} is used up: {self.spent:.2f} is spent."
                    " What is finished is kept: the same command with a larger --budget goes on."
                )
            self._n_billed += n_billed
        reservation = Reservation()
        try:
            yield reservation
        finally:
            with self._lock:
                self._n_billed += reservation.n_kept - n_billed


class Reservation:
    """The price of one request."""

    def __init__(self) -> None:
        self.n_kept = 0

    def keep(self, n_billed: int) -> None:
        """So many units are billed, or may be."""
        self.n_kept = n_billed
