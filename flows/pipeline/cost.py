"""What a book costs with a service that is paid by character, if nothing of it is stored yet."""

from __future__ import annotations

from audiomill.flows.pipeline.plan import Plan
from audiomill.renderers.base import EngineLimits

MILLION = 1_000_000


def count_characters(plan: Plan) -> int:
    """The characters of all distinct segments, as the engine gets them."""
    requests = (request for window in plan.windows for request in window.requests)
    return sum(len(request.spoken) for request in requests)


def expected_cost(plan: Plan, limits: EngineLimits) -> float:
    """The price of the whole book, in the currency of the engine's price; 0 if it has none."""
    return count_characters(plan) * limits.price_per_million / MILLION


def describe_cost(plan: Plan, limits: EngineLimits) -> str:
    """One line for the user before anything is sent; "" if the engine has no price."""
    if not limits.price_per_million:
        return ""
    n_chars, cost = count_characters(plan), expected_cost(plan, limits)
    return f"{plan.book.title}: {n_chars:,} characters, {cost:.2f} if nothing of it is stored yet."
