"""Texts that kill the child that answers them cost themselves and nothing else."""

import os
import signal

import pytest

from audiomill.renderers.engine import text_process
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.protocol import Remark
from audiomill.renderers.engine.text_process import (
    MAX_STARTS,
    NoChild,
    Part,
    TextProcess,
    left_out,
)
from audiomill.renderers.host.child_process import ChildProcess
from support import child_functions
from support.child_functions import DEADLY, ENDLESS, REFUSED
from support.process_data import children


class Cancelled(Exception):
    """Raised by a check."""


class Started:
    """A place for children that counts them."""

    def __init__(self, function=child_functions.shout, *arguments):
        self.n = 0
        self.function, self.arguments = function, arguments
        self.process = TextProcess(self.start)

    def start(self):
        self.n += 1
        return ChildProcess(self.function, *self.arguments)

    def answers(self, *texts):
        return list(self.process.answers([("", text) for text in texts]))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.close()
        assert not children()


def whole(text):
    return (Part(0, len(text), text.upper()),)


def test_a_child_that_has_grown_is_replaced_between_two_requests():
    with Started(child_functions.shout_and_keep, 8 << 20) as started:
        texts = ("one", "two", "three", "four")
        for _ in range(10):
            assert started.answers(*texts) == [*map(whole, texts)]
        assert 3 <= started.n <= 5  # it may keep eight, and gets four at a time


def test_texts_are_answered_in_order_by_one_child():
    with Started() as started:
        assert started.answers("one", "two", "three") == [*map(whole, ("one", "two", "three"))]
        assert started.answers("four") == [whole("four")]
        assert list(started.process.answers([("a", "b"), ("c", "d")])) == [
            (Part(0, 1, "aB"),),
            (Part(0, 1, "cD"),),
        ]
        assert started.n == 1


def test_only_what_kills_is_left_out_of_a_text():
    text = f"One lamp stood there, two {DEADLY} had gone. Nobody came."
    with Started() as started:
        before, parts, after = started.answers("before", text, "after")
    assert (before, after) == (whole("before"), whole("after"))
    place = text.index(DEADLY)
    assert [part for part in parts if part.answer is None] == [Part(place, place + 1, None)]
    said = [text[part.start : part.end] for part in parts if part.answer is not None]
    assert "".join(said).replace(" ", "") == text.replace(DEADLY, "").replace(" ", "")
    assert [part.answer for part in parts if part.answer is not None] == [*map(str.upper, said)]
    assert left_out(parts) == (Remark(place, place + 1, "left out"),)


def test_a_text_of_nothing_but_what_kills_costs_a_limited_number_of_children(monkeypatch):
    monkeypatch.setattr(text_process, "MAX_DEATHS", 5)
    text = DEADLY * 300
    with Started() as started:
        (parts,) = started.answers(text)
        assert left_out(parts) == (Remark(0, 300, "left out"),)
        assert started.n == 5 + 3  # the parts that wait when halving ends are tried once each


def test_a_text_that_never_ends_is_left_out():
    with Started(child_functions.shout, 0.05) as started:
        assert started.answers("a", ENDLESS, "b") == [whole("a"), (Part(0, 1, None),), whole("b")]


def test_a_child_that_is_killed_from_outside_costs_no_text():
    with Started() as started:
        started.answers("one")
        (child,) = children()
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        assert started.answers("two") == [whole("two")]
        assert started.n == 2


def test_children_that_die_before_a_text_are_its_fault_in_no_case():
    with Started(child_functions.never_ready) as started:
        with pytest.raises(NoChild, match="its process ended"):
            started.answers("one")
        assert started.n == MAX_STARTS


def test_an_error_of_the_engine_is_raised_here_and_later_texts_are_answered():
    with Started() as started:
        with pytest.raises(EngineFailed, match="refused"):
            started.answers("one", REFUSED, "two")
        assert started.answers("three") == [whole("three")]


def test_a_wait_can_be_cancelled_and_later_texts_are_answered():
    def check():
        raise Cancelled

    with Started() as started:
        with pytest.raises(Cancelled):
            list(started.process.answers([("", ENDLESS)], check))
        assert started.answers("one") == [whole("one")]


def test_answers_that_nobody_waits_for_are_not_taken_for_later_ones():
    with Started() as started:
        answers = started.process.answers([("", "one"), ("", "two")])
        assert next(answers) == whole("one")
        answers.close()
        assert started.answers("three") == [whole("three")]


def test_no_text_is_no_answer():
    with Started() as started:
        assert started.answers() == []
        assert started.n == 0
