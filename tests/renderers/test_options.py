"""Options of engines: which of them are paid for, and with what budget."""

from dataclasses import fields, is_dataclass

import pytest

from audiomill.renderers.options import PAID_ENGINES, EngineOptions


def test_paid_engines_are_those_whose_options_have_a_budget():
    options = EngineOptions()
    own = {one.name: getattr(options, one.name) for one in fields(options)}
    assert {name for name, one in own.items() if is_dataclass(one) and hasattr(one, "budget")} == {
        *PAID_ENGINES
    }


@pytest.mark.parametrize("engine", PAID_ENGINES)
def test_a_budget_is_that_of_one_engine(engine):
    options = EngineOptions().with_budget(engine, 5.0)
    assert {name: options.budget_of(name) for name in (*PAID_ENGINES, "espeak", "f5-tts")} == {
        name: 5.0 if name == engine else None for name in (*PAID_ENGINES, "espeak", "f5-tts")
    }
