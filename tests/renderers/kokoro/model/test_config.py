"""The official config.json is parsed; a missing or wrong value is refused."""

import json
from copy import deepcopy
from functools import partial
from itertools import product

import pytest

from audiomill.renderers.kokoro.model.config import OFFICIAL, read_config
from support.case_files import each_of, each_row
from support.model_files import check_refused

# Values that upstream needs only for training, or not at all.
UNUSED = {"dim_in", "dropout", "max_conv_dim", "multispeaker", "n_mels"}
# The path of every value that affects the sound.
PATHS = [
    *((key,) for key in OFFICIAL if key not in UNUSED),
    *(("plbert", key) for key in OFFICIAL["plbert"] if key not in UNUSED),
    *(("istftnet", key) for key in OFFICIAL["istftnet"]),
]
TABLES = [("plbert",), ("istftnet",), ("vocab",)]
NUMBERS = [path for path in PATHS if path not in TABLES]


def changed(path: tuple[str, ...], value: object) -> dict:
    """The official configuration with another value at `path`; `...` deletes the value."""
    config = deepcopy(OFFICIAL)
    inner = config
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    if value is ...:
        del inner[path[-1]]
    return config


@pytest.fixture
def file(tmp_path):
    return tmp_path / "config.json"


refused = partial(check_refused, read_config)


def test_the_official_configuration(file):
    file.write_text(json.dumps(OFFICIAL), "utf-8")
    config = read_config(file)
    assert config.max_phonemes == 510
    assert config.samples_per_frame == 600
    assert config.vocoder.samples_per_f0 == 300
    assert len(config.vocab) == 114
    assert config.vocab["ᵻ"] == 177
    assert len(set(config.vocab.values())) == len(config.vocab)


@each_of([(path,) for path in PATHS])
def test_a_missing_value_is_refused(file, path):
    file.write_text(json.dumps(changed(path, ...)), "utf-8")
    refused(file, f"it has no '{path[-1]}'")


@each_of(
    [
        *product(NUMBERS, [None, "3", 0, -1, 2.0, True, {}, [], [[]], ["a"]]),
        *product(TABLES, [None, 3, "abc", [1, 2], {}]),
    ]
)
def test_what_is_no_number_or_no_table_is_refused(file, path, value):
    file.write_text(json.dumps(changed(path, value)), "utf-8")
    refused(file, "is not the configuration of a Kokoro model")


@each_row
def test_inconsistent_values_are_refused(file, path, value):
    file.write_text(json.dumps(changed(path, value)), "utf-8")
    refused(file, "is not the configuration of a Kokoro model")


@pytest.mark.parametrize(
    "contents", [b"", b"{", b"[]", b"null", b"3", b"\xff\xfe", b"[" * 100_000, b"version https://x"]
)
def test_invalid_json_is_refused(file, contents):
    file.write_bytes(contents)
    refused(file)


def test_unreadable_files_are_refused(file, tmp_path):
    refused(file, "No such file")
    refused(tmp_path, "is a folder")
