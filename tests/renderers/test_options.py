"""Options of engines: found by their defaults, replaced each by itself, and checked."""

import pytest

from audiomill.renderers.engine.options import EngineOptions, PaidOptions, checked
from audiomill.renderers.engine.registry import ENGINES, own_options


def test_paid_engines_can_have_a_budget():
    paid = {one.name for one in ENGINES.values() if isinstance(one.options(), PaidOptions)}
    assert paid == {"openai", "fish", "elevenlabs"}


@pytest.mark.parametrize("engine", ENGINES)
def test_each_engine_finds_its_own_options_and_no_others(engine):
    """Of engines of one kind the name decides."""
    every = EngineOptions(tuple(one.options() for one in ENGINES.values()))
    own = ENGINES[engine].options()
    assert own_options(engine, every) == own == own_options(engine, EngineOptions())
    assert every.having(own) == every
    assert EngineOptions().having(own).own == (own,)
    assert checked(own.blank()) == checked(own)
