"""How many examples a property test has."""

from hypothesis import settings


def few_examples(number: int) -> settings:
    """So many examples, each of which is dear, and ten times as many in `make explore`."""
    return settings(max_examples=number if settings().derandomize else 10 * number)
