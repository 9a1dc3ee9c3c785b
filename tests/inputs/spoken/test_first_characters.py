"""Rules are tried where their matches may begin: never at fewer places than they match at."""

import re

import pytest

from audiomill.inputs.languages.grammars import grammar_of
from audiomill.inputs.spoken.first_characters import first_characters
from audiomill.inputs.spoken.rules import RuleIndex
from support.case_files import each_row
from support.spoken_cases import CASES


@each_row
def test_a_pattern_tells_with_which_characters_it_begins(pattern, begins, other):
    found = first_characters(re.compile(pattern, re.VERBOSE))
    assert found is not None
    assert [one for one in begins + other if found.match(one)] == list(begins)


@each_row
def test_a_pattern_of_another_kind_may_begin_with_any(pattern):
    assert first_characters(re.compile(pattern, re.VERBOSE)) is None


def test_spaces_of_a_pattern_that_is_not_written_with_spaces_are_not_overlooked():
    assert first_characters(re.compile(" a")) is None


@pytest.mark.parametrize("language", ["de", "en", "es", "fr", "it", "pt"])
def test_each_match_of_a_rule_begins_as_its_pattern_tells(language):
    files = sorted(CASES.rglob(f"{language}-*/*.txt")) + sorted(CASES.glob(f"{language}-*.txt"))
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    text = "\n".join(lines[:: 1 + len(lines) // 800])
    n_matches = 0
    for rule in grammar_of(language).rules:
        start = first_characters(rule.pattern)
        for match in rule.compiled().pattern.finditer(text):
            assert start is None or not match[0] or start.match(match[0]), rule.pattern.pattern
            n_matches += 1
    assert n_matches > 500


def test_rules_are_the_same_ones_whenever_they_are_compiled():
    early, late = (RuleIndex(grammar_of("de").rules) for _ in range(2))
    early.compile()
    for character in "M1€-":
        assert early.at(character) == late.at(character)
        assert len(early.at(character)) > 10
