"""TOML and its lines: each value is where the text has it."""

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.toml_text import TomlInvalid, TomlLines, parse_toml
from support.case_files import each_row

TEXT = (Path(__file__).with_name("cases") / "example.toml").read_text()


@each_row
def test_the_line_of_a_value_or_of_the_table_around_it(path, line):
    assert TomlLines(TEXT).line_of(path) == line


@given(st.lists(st.text(min_size=1, max_size=8), unique=True, max_size=6))
def test_every_key_of_a_table_is_found(keys):
    lines = ["[table]", *(f"{json.dumps(key, ensure_ascii=True)} = 1" for key in keys)]
    text = "\n".join(lines)
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:  # JSON has escapes that TOML lacks, of lone surrogates
        return
    found = TomlLines(text)
    assert [found.line_of(("table", key)) for key in keys] == list(range(2, len(keys) + 2))


@each_row
def test_what_is_no_toml_is_told_with_its_line(text, line, told):
    with pytest.raises(TomlInvalid, match=told) as error:
        parse_toml(text)
    assert error.value.line == line
