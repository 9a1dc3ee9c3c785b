"""What lexicons say for which words of a text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.lexicons import entries as lexicon_entries
from audiomill.inputs.lexicons.entries import LexiconError
from audiomill.inputs.lexicons.lexicon import Lexicon
from audiomill.inputs.model.lexicon_entry import LexiconEntry
from support.case_files import each_row


def entry(written, say="X", **options):
    return LexiconEntry(written, say, **options)


def said(text, *entries, language="en"):
    """The text with what is said for its words."""
    matches = Lexicon(entries).matches(text, language)
    for match in reversed(matches):
        text = text[: match.start] + match.say + text[match.end :]
    return text


@each_row
def test_words_and_phrases_are_found(written, text, expected):
    assert said(text, entry(written)) == expected


@pytest.mark.parametrize(
    ("case_sensitive", "expected"), [(None, "mill X X"), (True, "mill X MILL"), (False, "X X X")]
)
def test_an_entry_says_which_capitals_it_is_for(case_sensitive, expected):
    assert said("mill Mill MILL", entry("Mill", case_sensitive=case_sensitive)) == expected


def test_the_longest_entry_wins_and_of_the_same_words_the_last():
    entries = [entry("old mill", "A"), entry("mill", "B"), entry("mill", "C")]
    assert said("the old mill, a mill", *entries) == "the A, a C"


@pytest.mark.parametrize(
    ("language", "expected"), [("en", "A"), ("en-GB", "B"), ("en-US", "A"), ("de", "Bath")]
)
def test_entries_are_for_their_language(language, expected):
    entries = [entry("Bath", "A", language="en"), entry("Bath", "B", language="en-GB")]
    assert said("Bath", *entries, language=language) == expected


def pattern(written, say, **options):
    return entry(written, say, is_pattern=True, **options)


def test_a_pattern_says_its_groups():
    entries = [pattern(r"(\d+)-(?P<what>er)s\b", r"\1 \g<what> people")]
    assert said("The 49-ers and 5-erse.", *entries) == "The 49 er people and 5-erse."


def test_of_a_pattern_and_a_word_the_longer_and_then_the_later_wins():
    assert said("old mill", pattern("mill", "A"), entry("old mill", "B")) == "B"
    assert said("mill", pattern("m.ll", "A"), entry("mill", "B")) == "B"
    assert said("mill", entry("mill", "B"), pattern("m.ll", "A")) == "A"


@each_row
def test_a_pattern_that_would_fill_memory_is_not_compiled(written, words):
    with pytest.raises(LexiconError, match=r"n\.toml:7: the pattern “.*” is too large: ") as error:
        said("a mill", pattern(written, "x", file="n.toml", line=7))
    assert words in str(error.value) and "\n" not in str(error.value)
    assert len(str(error.value)) < 250


@pytest.mark.parametrize(
    "written",
    [r"[\[\](){1000}]+m", r"\((\d{4})\)", "[]{9999}]{3}", r"(?i:MILL{1,2})", "{x}|m{,5}i"],
)
def test_ordinary_patterns_are_compiled(written):
    assert said("a mill", pattern(written, "x"))


def test_a_pattern_that_would_take_for_ever_is_stopped(monkeypatch):
    monkeypatch.setattr(lexicon_entries, "LIMIT_S", 0.05)
    slow = pattern(r"(a|a)+b", "x", file="n.toml", line=7)
    with pytest.raises(LexiconError, match=r"n\.toml:7: .*takes too long on “aaaa"):
        Lexicon([slow]).matches("a" * 60, "en")


@pytest.mark.parametrize(
    ("written", "say", "fault"),
    [("(", "x", "is no pattern"), ("a*", "x", "no characters"), ("(a)", r"\2", "no group 2")],
)
def test_a_pattern_is_checked_before_a_text_is_read(written, say, fault):
    with pytest.raises(LexiconError, match=rf"n\.toml:3: .*{fault}"):
        Lexicon([pattern(written, say, file="n.toml", line=3)])


WORDS = st.sampled_from(["a", "b", "ab", "Ab", "a b", "b a b", "a-b", "B.", "é", "a'b"])


@given(
    st.lists(WORDS, min_size=1, max_size=6), st.lists(WORDS | st.sampled_from(" ,-’é"), max_size=12)
)
def test_one_pass_finds_what_trying_every_entry_at_every_word_finds(written, pieces):
    text = " ".join(pieces)
    found = [(one.start, one.end) for one in Lexicon([*map(entry, written)]).matches(text, "en")]
    assert found == [*one_by_one(written, text)]


def one_by_one(written, text):
    """The same by brute force."""
    at = 0
    plain = text.replace("’", "'")
    starts = [match.start() for match in re.finditer(r"\w+", plain)]
    for start in starts:
        fits = [
            len(one) for one in written
            if plain[start : start + len(one)].lower() == one.lower()
            and not (one[-1].isalnum() and plain[start + len(one) :][:1].isalnum())
            and (
                all(there == c for c, there in zip(one, plain[start:], strict=False) if c.isupper())
                or (len(one) > 1 and plain[start : start + len(one)].isupper())
            )
        ]  # fmt: skip
        if start >= at and fits:
            at = start + max(fits)
            yield start, at
