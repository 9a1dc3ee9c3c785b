"""A podcast's file: what it says, and errors that name the line."""

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from audiomill.flows.job import UsageError
from audiomill.flows.podcast.show import (
    KINDS,
    TEMPLATE,
    DigestChoice,
    EpisodeChoice,
    FetchChoice,
    PodcastShow,
    SourceChoice,
    SpeechChoice,
    write_new_show,
)
from audiomill.flows.podcast.show_file import read_show
from audiomill.inputs.articles.listings.filters import Filters
from audiomill.outputs.audio.music import Music, settings_of
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


def read(folder: Path, text: str) -> PodcastShow:
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


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (TOP, "1: there are no sources"),
        (TOP + SOURCE + 'fed = "x"', "7: there is no “fed” here. Did you mean feed?"),
        ("colour = 1\n" + TOP + SOURCE, "1: there is no “colour” here. Known: title"),
        (SOURCE, "title is missing"),
        (TOP + "[[sources]]\n", "4: a source has one of page, feed"),
        (TOP + SOURCE + 'page = "https://a.example"', "5: a source has one of"),
        (TOP + '[[sources]]\nfeed = "feed.xml"', "5: feed: write an address"),
        (TOP + '[[sources]]\nfeed = "http://[::1"', "5: feed: write an address"),
        (TOP + '[[sources]]\npage = "http://a.example:b/"', "5: page: write an address"),
        (TOP + SOURCE + "newest = 0", "7: newest is 0; choose 1 or more"),
        (TOP + SOURCE + 'newest = "many"', "7: newest: input should be a valid integer"),
        (TOP + SOURCE + '[sources.filters]\ninclude = ["("]', "7: “(” is no regular"),
        *(
            (
                TOP + SOURCE + f'[sources.filters]\nexclude = ["{pattern}"]',
                f"7: The pattern “{start}",
            )
            for pattern, start in (
                ("((a{1000}){1000}){1000}", "((a{1000}){1000}){1000}” is too large: it has over"),
                ("(?R)", "(?R)” is too large: it repeats itself by recursion"),
                ("(" * 500 + ")" * 500, "(((((((((("),
            )
        ),
        (TOP + SOURCE + '[sources.filters]\nwords = "mill"', "8: words: input should be a valid"),
        (TOP + SOURCE + '[episodes]\nintro = "{titel}"', "8: intro: "),
        (TOP + SOURCE + "[episodes]\nkeep = 0", "8: keep is 0; choose 1 or more"),
        (TOP + SOURCE + "[fetching]\nwait_s = -1", "8: wait_s is -1; choose 0 or more"),
        (TOP + SOURCE + "[fetching]\nwait_s = inf", "8: wait_s: input should be a finite number"),
        (TOP + SOURCE + "[fetching]\nwait_s = 1e300", "8: wait_s is 1e+300; choose 3600 seconds"),
        (TOP + SOURCE + "[speech]\nspeed = nan", "8: speed: input should be a finite number"),
        (TOP + SOURCE + "[speech]\nspeed = -1", "8: speed is -1; choose more than 0"),
        (TOP + SOURCE + "[sources.speech]\nspeed = 0", "8: speed is 0; choose more than 0"),
        (TOP + SOURCE + "[sources.filters]\nmax_age_days = 1e300", "7: max_age_days is 1e+300"),
        (
            TOP + SOURCE + "[sources.filters]\nmax_age_days = nan",
            "8: max_age_days: input should",
        ),
        (
            TOP + '[[sources]]\nmailbox = "~no-user/x"',
            "5: mailbox: there is no home folder",
        ),
        (TOP + '[[sources]]\nfolder = "a\\u0000"', "5: folder: write a path without control"),
        (TOP.replace("out", "~no-user/x") + SOURCE, "3: folder: there is no home folder"),
        (TOP + 'image = "~no-user/x"' + SOURCE, "4: image: there is no home folder"),
        (TOP + 'language = ""' + SOURCE, "4: language: write a code"),
        (TOP + 'description = "\\u0001"' + SOURCE, "4: description: say in a sentence"),
        (TOP.replace("morning", "?show=1") + SOURCE, "2: address: write where it is served"),
        (TOP.replace("morning", "a\\nb") + SOURCE, "2: address: write where it is served"),
        (TOP + SOURCE + "[music]\nfade_s = -1", "8: fade_s is -1; choose 0 to 60"),
        (TOP + SOURCE + "[music]\nfades = 1", "8: there is no “fades” here. Did you mean fade_s?"),
        (TOP + SOURCE + '[music]\n\nsting = "gone.wav"', "9: sting: "),
        (TOP + SOURCE + "[digest]\nmin_articles = 0", "8: min_articles is 0; choose 1 or more"),
        (TOP + SOURCE + "[digest]\nmax_articles = 2", "8: max_articles is 2; choose 3 or more"),
        (TOP + SOURCE + "[digest]\nmax_words = 0", "8: max_words is 0; choose 1 or more"),
        (TOP + SOURCE + '[digest]\ntitle = "{title}"', "8: title: there is no field {title}; the"),
        (TOP + SOURCE + '[digest]\ntitle = " "', "8: title: write how a digest is called"),
        (TOP + SOURCE + '[digest]\nintro = "[{show}"', "8: intro: the last [ has no ]"),
        (TOP + SOURCE + "[digest]\nwords = 8", "8: there is no “words” here. Did you mean"),
        (TOP.replace("https:", "file:") + SOURCE, "2: address: write where it is served"),
        (TOP.replace("pod.", "a:b@pod.") + SOURCE, "2: address: leave the name and the password"),
        (TOP.replace("pod.", "[pod") + SOURCE, "2: address: write where it is served"),
        (TOP.replace("org", "org:port") + SOURCE, "2: address: write where it is served"),
        (
            TOP.replace('"out"', '"s4://a/b"') + SOURCE,
            "3: folder: there is no place “s4:”",
        ),
        (
            TOP.replace('"out"', '"https://a.example/b"') + SOURCE,
            "3: folder: nothing can be written to a web address. Write a path",
        ),
        (
            TOP + '[[sources]]\nfolder = "http://a.example/b"',
            "5: folder: write a path on this machine; addresses of articles are under page, feed,",
        ),
        (TOP + '[[sources]]\nmailbox = "imap://a.example"', "5: mailbox: write a path on this"),
        (TOP + 'image = "https://a.example/b.png"\n' + SOURCE, "4: image: write a path on this"),
        (TOP.replace('"out"', '"sftp://a:b@c/d"') + SOURCE, "3: folder: leave the password out"),
        (TOP.replace("Morning", " ") + SOURCE, "1: title: give the podcast a name"),
        ("title = \n", "1: this is not valid TOML"),
    ],
)
def test_an_error_names_the_file_and_the_line(tmp_path, text, told):
    with pytest.raises(
        UsageError, match=re.escape(f"show.toml:{told}" if told[0].isdigit() else told)
    ):
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
        PodcastShow: content,
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
