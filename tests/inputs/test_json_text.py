"""JSON from outside: what is deep or huge is refused in one line, before it fills memory."""

import pytest

from audiomill.inputs.json_text import JsonInvalid, fields_of, items_of, number_of, parse_json
from support.case_files import each_row


@each_row
def test_hostile_json_is_one_line(text, words):
    for form in (text, text.encode("utf-8", "surrogatepass")):
        with pytest.raises(JsonInvalid) as error:
            parse_json(form)
        assert "\n" not in str(error.value)
        assert words in str(error.value) or isinstance(form, bytes)


def test_what_is_json_is_read():
    assert parse_json('{"a": [1, "b"]}') == parse_json(b'{"a": [1, "b"]}') == {"a": [1, "b"]}


@each_row
def test_half_of_a_character_can_be_written_anywhere(text, value):
    assert parse_json(text) == parse_json(text.encode()) == value


def test_a_value_of_another_type_is_none():
    numbers = ["NaN", "Infinity", "1e999", "1" + "0" * 400, "true", "null", '"1"', "[]", "2", "0.5"]
    assert [number_of(parse_json(one)) for one in numbers] == [*(None,) * 8, 2.0, 0.5]
    assert [fields_of(one) for one in (None, 5, "ab", ["a"], {"a": 1})] == [
        {},
        {},
        {},
        {},
        {"a": 1},
    ]
    assert [[*items_of(one)] for one in (None, 5, "ab", {"a": 1}, ["a"])] == [[], [], [], [], ["a"]]
