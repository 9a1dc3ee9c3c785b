"""A podcast's file: what it says, and errors that name the line."""

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from audiomill.flows.errors import UsageError
from audiomill.flows.podcast.show_file import read_show
from audiomill.flows.podcast.show_settings import (
    KINDS,
    DigestChoice,
    EpisodeChoice,
    FetchChoice,
    ShowSettings,
    SourceChoice,
    SpeechChoice,
)
from audiomill.flows.podcast.show_template import TEMPLATE, write_new_show
from audiomill.inputs.articles.filters import Filters
from audiomill.outputs.audio.music import Music, settings_of
from support.case_files import each_row_apart, written_out
from support.music_data import write_piece

TOP = """\
title = "Morning"
address = "https://pod.example.org/morning"
folder = "out"
"""
SOURCE = """
[[sources]]
feed = "https://example.org/feed"
"""


def read(folder: Path, text: str) -> ShowSettings:
    path = folder / "show.toml"
    path.write_text(text)
    return read_show(path)


def test_a_short_file_is_enough(tmp_path):
    show = read(tmp_path, TOP + SOURCE)
    assert (show.title, show.address) == ("Morning", "https://pod.example.org/morning/")
    assert show.folder == str(tmp_path / "out")
    assert [(one.kind, one.place) for one in show.sources] == [("feed", "https://example.org/feed")]
    assert (show.speech, show.episodes) == (SpeechChoice(), EpisodeChoice())


def test_a_source_has_its_own_voice_and_filters(tmp_path):
    source = SOURCE + '[sources.speech]\nvoice = "af_sky"\n[sources.filters]\nmax_age_days = 3\n'
    (one,) = read(tmp_path, TOP + source).sources
    assert (one.speech.voice, one.filters.max_age_days) == ("af_sky", 3.0)


def test_paths_are_relative_to_the_file(tmp_path):
    text = TOP + 'image = "cover.jpg"\n[[sources]]\nfolder = "to-read"\n'
    show = read(tmp_path, text)
    assert show.image == tmp_path / "cover.jpg"
    assert show.sources[0].place == str(tmp_path / "to-read")


def test_the_folder_may_be_in_a_bucket(tmp_path):
    assert read(tmp_path, TOP.replace("out", "s3://pods/a") + SOURCE).folder == "s3://pods/a"


def test_music_lies_beside_the_file(tmp_path):
    (tmp_path / "sounds").mkdir()
    piece = write_piece(tmp_path / "sounds" / "sting.wav", 1)
    table = '[music]\nsting = "sounds/sting.wav"\nalone_below_voice_db = 6\n'
    music = read(tmp_path, TOP + SOURCE + table).music
    assert music == Music(sting=piece, alone_below_voice_db=6)


@each_row_apart
def test_an_error_names_the_file_and_the_line(tmp_path, text, told):
    text = written_out(text.replace("{TOP}", TOP).replace("{SOURCE}", SOURCE))
    where = "show.toml:" if told[0].isdigit() else ""
    with pytest.raises(UsageError, match=re.escape(where + told)):
        read(tmp_path, text)


def test_all_that_is_wrong_is_told_at_once(tmp_path):
    with pytest.raises(UsageError) as error:
        read(tmp_path, TOP + SOURCE + "newest = 0\n[episodes]\nkeep = 0\nattempts = 0")
    assert [re.search(r":(\d+):", line)[1] for line in str(error.value).splitlines()] == [
        "7",
        "9",
        "10",
    ]


def test_a_missing_file_says_how_to_make_one(tmp_path):
    with pytest.raises(UsageError, match=r"podcast init .*show\.toml"):
        read_show(tmp_path / "show.toml")


def test_the_new_file_is_valid_and_a_second_one_replaces_nothing(tmp_path):
    path = tmp_path / "shows" / "show.toml"
    write_new_show(path)
    assert read_show(path).title == "Morning reading"
    assert read_show(path).digest is None
    assert read_show(path).speech.engine == "auto"
    path.write_text("mine")
    with pytest.raises(UsageError, match="is there already"):
        write_new_show(path)
    assert path.read_text() == "mine"


def test_the_new_file_names_every_setting_with_its_default():
    all_on = re.sub(r"(?m)^( *)# (?=\s*(?:\w+ = |\[))", r"\1", TEMPLATE)
    content = tomllib.loads(all_on)
    tables = {
        ShowSettings: content,
        SpeechChoice: content["speech"],
        EpisodeChoice: content["episodes"],
        FetchChoice: content["fetching"],
        Music: content["music"],
        DigestChoice: content["digest"],
        Filters: content["sources"][-1]["filters"],
    }
    for kind, table in tables.items():
        assert {one.name for one in fields(kind)} == set(table), kind
    assert EpisodeChoice(**content["episodes"]) == EpisodeChoice()
    assert FetchChoice(**content["fetching"]) == FetchChoice()
    assert settings_of(Music(**content["music"])) == settings_of(Music())
    assert DigestChoice(**content["digest"]) == DigestChoice()
    assert {key for one in content["sources"] for key in one} == {
        one.name for one in fields(SourceChoice)
    }
    assert set(KINDS) <= {key for one in content["sources"] for key in one}
