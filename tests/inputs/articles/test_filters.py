"""Which entries are wanted."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from audiomill.inputs.articles.entries import Entry
from audiomill.inputs.articles.filters import Filters, WrongFilter, check_filters, why_left_out
from support.case_files import each_row

NOW = datetime(2026, 11, 23, 7, tzinfo=UTC)
ENTRY = Entry(
    url="https://quay.example/news/2026/mill",
    id="41",
    title="The mill that turned: KI im Hafen",
    published=NOW - timedelta(days=3),
    summary="It rained on Straße and 東京駅.",
    language="en-GB",
)


@each_row
def test_why_an_entry_is_left_out(filters, reason):
    assert why_left_out(ENTRY, Filters(**filters), NOW) == reason


def test_what_an_entry_does_not_tell_rules_nothing_out():
    entry = replace(ENTRY, published=None, language="")
    assert why_left_out(entry, Filters(max_age_days=1, languages=("de",)), NOW) == ""


def test_the_age_is_that_of_the_publication_or_else_of_the_change():
    recent, old = NOW - timedelta(hours=1), NOW - timedelta(days=9)
    day = Filters(max_age_days=1)
    assert why_left_out(replace(ENTRY, published=old, updated=recent), day, NOW)
    assert not why_left_out(replace(ENTRY, published=None, updated=recent), day, NOW)
    assert why_left_out(replace(ENTRY, published=None, updated=old), day, NOW)


@pytest.mark.parametrize("field", ["include", "exclude"])
def test_a_wrong_pattern_is_named(field):
    with pytest.raises(WrongFilter, match=r"“\(a” is no regular expression"):
        check_filters(Filters(**{field: ("(a",)}))


def test_a_pattern_that_takes_forever_is_stopped(monkeypatch):
    monkeypatch.setattr("audiomill.inputs.articles.filters.LIMIT_S", 0.01)
    entry = replace(ENTRY, title="a" * 60)
    with pytest.raises(WrongFilter, match="takes too long"):
        why_left_out(entry, Filters(exclude=(r"(a|a)+b",)), NOW)
