"""Files from outside, JSON, TOML or without an end: read safely, or refused in one line."""

import hashlib
import json
import os
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.articles.mail import read_letters
from audiomill.inputs.files import MAX_BLOCK_BYTES, file_sha256, open_regular, read_regular
from audiomill.inputs.json_text import JsonInvalid, fields_of, items_of, number_of, parse_json
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


@pytest.mark.parametrize("kind", ["device", "pipe"])
@pytest.mark.parametrize("read", [read_regular, lambda path: list(read_letters(path))])
def test_a_device_and_a_pipe_are_no_files(kind, read, tmp_path):
    path = tmp_path / "letters.mbox"
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    with pytest.raises(OSError, match="a device or a pipe"):
        read(path)


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    path = tmp_path / "a.toml"
    path.write_bytes(bytes(10))
    os.truncate(path, 2 << 20)
    with pytest.raises(OSError, match="larger than 1 MiB"):
        open_regular(path, 1 << 20)
    assert len(read_regular(path, 2 << 20)) == 2 << 20


@pytest.mark.parametrize("n_bytes", [0, 5, MAX_BLOCK_BYTES, MAX_BLOCK_BYTES + 1])
def test_a_digest_is_of_the_whole_file(n_bytes, tmp_path):
    content = b"a" * n_bytes
    path = tmp_path / "weights.bin"
    path.write_bytes(content)
    assert file_sha256(path) == hashlib.sha256(content).hexdigest()
