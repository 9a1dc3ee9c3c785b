"""What a book costs with a service that is paid by its text, if nothing of it is stored yet."""

from __future__ import annotations

from collections.abc import Callable

from audiomill.flows.pipeline.planning.plan import Plan
from audiomill.renderers.base import EngineLimits, price_of_units


def count_characters(plan: Plan) -> int:
    """The characters of all distinct segments, as the engine gets them."""
    return _count(plan, len)


def expected_cost(plan: Plan, limits: EngineLimits) -> float:
    """The price of the whole book, in the currency of the engine's price; 0 if it has none."""
    return price_of_units(_count(plan, limits.n_billed), limits.price_per_million)


def describe_cost(plan: Plan, limits: EngineLimits) -> str:
    """One line for the user before anything is sent; "" if the engine has no price."""
    if not limits.price_per_million:
        return ""
    amount = f"{_count(plan, limits.n_billed):,} {limits.billed_unit}"
    cost = expected_cost(plan, limits)
    return f"{plan.book.title}: {amount}, {cost:.2f} if nothing of it is stored yet."


def _count(plan: Plan, count: Callable[[str], int]) -> int:
    requests = (request for window in plan.windows for request in window.requests)
    return sum(count(request.spoken) for request in requests)
