"""Which texts are waiting for a worker and which are being read. Knows no processes, no phonemes.

expected ─▶ waiting ─▶ taken ─▶ settled      by a worker that answered, or was lost
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from threading import Condition

# Texts that a worker is given at once: enough that it seldom waits, few enough that the first are
# soon there.
CHUNK = 16


@dataclass(frozen=True, slots=True)
class Order:
    """A text to be read, and the code of its language."""

    code: str
    text: str


@dataclass(slots=True)
class Orders:
    """Any thread may use it."""

    _waiting: OrderedDict[Order, None] = field(default_factory=OrderedDict[Order, None])
    _taken: set[Order] = field(default_factory=set[Order])
    _n_hands: int = 0
    _is_closed: bool = False
    _changed: Condition = field(default_factory=Condition)

    @property
    def is_closed(self) -> bool:
        """Whether nothing more is taken."""
        return self._is_closed

    def expect(self, orders: Iterable[Order]) -> None:
        """Add what is not there yet, in order."""
        with self._changed:
            for order in () if self._is_closed else orders:
                if order not in self._taken:
                    self._waiting.setdefault(order)
            self._changed.notify_all()

    def hire(self) -> None:
        """Count one more hand that takes orders."""
        with self._changed:
            self._n_hands += 1

    def dismiss(self) -> None:
        """One hand takes no more."""
        with self._changed:
            self._n_hands -= 1
            self._changed.notify_all()

    def take(self) -> list[Order]:
        """The next few of one language, once there are any; none when it is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_closed)
            if self._is_closed:
                return []
            code = next(iter(self._waiting)).code
            same = (order for order in self._waiting if order.code == code)
            orders = list(islice(same, CHUNK))
            for order in orders:
                del self._waiting[order]
            self._taken.update(orders)
            return orders

    def settle(self, orders: Iterable[Order]) -> None:
        """A worker is done with `orders`, or dead."""
        with self._changed:
            self._taken.difference_update(orders)
            self._changed.notify_all()

    def wait(self, order: Order) -> None:
        """Return when no worker has `order` or will take it. What is asked for comes first."""
        with self._changed:
            if order in self._waiting:
                self._waiting.move_to_end(order, last=False)
            self._changed.wait_for(lambda: not self._is_coming(order))
            self._waiting.pop(order, None)

    def close(self) -> None:
        """Nothing more is taken."""
        with self._changed:
            self._is_closed = True
            self._waiting.clear()
            self._changed.notify_all()

    def _is_coming(self, order: Order) -> bool:
        return order in self._taken or (order in self._waiting and self._n_hands > 0)
