"""Templates of credits: what is unknown is not said, and what is wrong is refused by name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.registry import all_credits_wordings, credits_wording
from audiomill.inputs.metadata.credit_templates import (
    FIELDS,
    TemplateInvalid,
    fill_template,
    parse_template,
)
from audiomill.inputs.metadata.credits import listed
from support.case_files import each_row

ALL = {
    "title": "The Mill",
    "subtitle": "A Year by the River",
    "author": "Maud Tern",
    "translator": "Ida Low",
    "narrator": "Anna Weber",
    "site": "The Quay Times",
    "date": "2 March 2026",
}
EVERY_WORDING = all_credits_wordings()


def said(template: str, **values: str) -> str:
    return fill_template(template, values).text


def test_fields_are_filled_in():
    filled = fill_template("{title}, by {author}.", ALL)
    assert filled.text == "The Mill, by Maud Tern."
    assert filled.fields == {"title", "author"}


@each_row
def test_what_is_unknown_is_not_said(template, values, expected):
    assert said(template, **values) == expected


def test_fields_of_a_sentence_that_vanishes_are_not_said():
    template = "{title}, by {author}. Read by {narrator}. Enjoy it!"
    assert fill_template(template, {"author": "A"}).fields == frozenset()


@each_row
def test_the_mark_of_a_title_replaces_that_of_the_template(title, expected):
    assert said("{title}, by {author}.", title=title, author="A") == expected


@each_row
def test_what_is_wrong_is_named(template, problem):
    with pytest.raises(TemplateInvalid) as error:
        parse_template(template)
    assert problem in str(error.value)


@given(st.text("{}[]. ,!?abc", max_size=30), st.dictionaries(st.sampled_from(FIELDS), st.text()))
def test_any_text_is_filled_or_refused(template, values):
    try:
        filled = fill_template(template, values)
    except TemplateInvalid:
        return
    assert filled.fields <= {name for name, value in values.items() if value}


@pytest.mark.parametrize("wording", EVERY_WORDING)
@pytest.mark.parametrize("known", [(), ("author",), FIELDS[1:]])
def test_every_wording_says_what_is_known_and_nothing_else(wording, known):
    values = {name: ALL[name] for name in ("title", *known)}
    for template in (wording.opening, wording.closing):
        text = fill_template(template, values).text
        missing = [value for name, value in ALL.items() if name not in values]
        assert not any(value in text for value in missing)
        assert not template or text.startswith(text.strip(" ,.:")[:1])
        assert not any(mark in text for mark in "{}[]")
        assert "None" not in text
    opening = fill_template(wording.opening, values)
    in_template = {name for name in values if f"{{{name}}}" in wording.opening}
    assert opening.fields == in_template
    assert all(values[name] in opening.text for name in in_template)


@each_row
def test_several_names(names, language, expected):
    assert listed(names, credits_wording(language)) == expected
