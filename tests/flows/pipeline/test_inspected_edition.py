"""What `audiomill inspect` tells of a finished book: its files, and those it could still get."""

import shlex
import shutil
from pathlib import Path

import pytest

from audiomill.flows.cli.parser import build_parser
from audiomill.flows.make_job import job_options, make_job
from audiomill.flows.option_values import options_of
from audiomill.flows.options import RenderOptions
from audiomill.flows.pipeline import encode_recordings
from audiomill.flows.pipeline.api import inspect
from audiomill.flows.settings import Settings
from audiomill.outputs.formats.registry import FORMATS, PLOT, READALONGS, TRANSCRIPTS
from audiomill.renderers.store.local import LocalBackend
from support.book_data import rendered
from support.examples import first_often

TEXT = "# One\n\nMills stood still. Nobody came.\n\n# Two\n\nRain fell.\n"
WRITTEN = (*READALONGS, *TRANSCRIPTS, PLOT)
ENGINE = {"engine": "tone"}


def places(folder: Path) -> dict:
    return {"out": str(folder / "library"), "store": str(folder / "store")}


def finish(folder: Path, text: str = TEXT, **options):
    (folder / "book.md").write_text(text)
    given = ENGINE | places(folder) | options
    return rendered(make_job(Settings(), folder / "book.md", **given))


def finished(folder: Path, **options):
    return inspect(folder / "book.md", **places(folder), **options).finished


def run_command(command: str):
    """The report of a command that inspect has printed."""
    words = shlex.split(command)
    assert words[0] == "audiomill"
    arguments = build_parser().parse_args(words[1:])
    (source,) = arguments.sources
    options = options_of(arguments, RenderOptions)
    return rendered(make_job(Settings(), source, **job_options(options)))


@pytest.mark.parametrize(
    "choices", [{}, *first_often([{"split": True}, {"speed": 1.5, "profile": "apple"}], 2)]
)
def test_its_command_makes_all_that_needs_no_encoding(tmp_path, monkeypatch, choices):
    finish(tmp_path, formats="m4b", **choices)
    told = {name: value for name, value in choices.items() if name != "split"}
    found = finished(tmp_path, **ENGINE, **told)
    assert (found.formats, found.without_encoding) == (("m4b",), WRITTEN)
    assert found.with_encoding == tuple(name for name in FORMATS if name != "m4b")
    assert found.segments_to_render == 0
    monkeypatch.setattr(encode_recordings, "encode_recording", None)  # whatever calls it, fails
    assert run_command(found.command).rendered == 0
    after = finished(tmp_path, **ENGINE, **told)
    assert set(after.formats) == {"m4b", *WRITTEN}
    assert (after.without_encoding, after.command) == ((), "")


def test_books_with_their_sound_need_a_recording_that_they_are_cut_from(tmp_path):
    finish(tmp_path, formats="mp3", transcripts="vtt")
    found = finished(tmp_path, **ENGINE)
    assert found.formats == ("mp3", "vtt")
    assert {"epub", "html", "m4b"} <= set(found.with_encoding)
    assert "--format mp3 --transcript srt," in found.command


@pytest.mark.parametrize("formats", ["m4a,epub", "epub"])
def test_a_book_with_its_sound_is_known_whatever_it_follows(tmp_path, formats):
    finish(tmp_path, formats=formats, follow="word")
    assert "epub" in finished(tmp_path, **ENGINE).formats


def test_the_edition_is_that_of_the_options_or_else_of_the_library(tmp_path):
    finish(tmp_path, speed=1.5)
    assert finished(tmp_path, engine="espeak") is None
    assert finished(tmp_path, speed=1.2) is None
    found = finished(tmp_path)  # another engine is chosen by itself
    assert (found.engine, found.speed) == ("tone", 1.5)
    assert run_command(found.command).rendered == 0


def test_segments_that_the_store_lacks_are_counted(tmp_path):
    finish(tmp_path)
    assert finished(tmp_path, **ENGINE).segments_to_render == 0
    n_shards = len([*(tmp_path / "store").glob("*/*.shard")])
    next((tmp_path / "store").glob("*/*.shard")).unlink()
    assert finished(tmp_path, **ENGINE).segments_to_render == 1
    shutil.rmtree(tmp_path / "store")
    assert finished(tmp_path, **ENGINE).segments_to_render == n_shards


def test_nothing_is_told_of_a_book_that_is_not_finished(tmp_path):
    report = finish(tmp_path)
    (tmp_path / "book.md").write_text(TEXT.replace("Rain", "Snow"))
    assert finished(tmp_path, **ENGINE) is None
    (tmp_path / "book.md").write_text(TEXT)
    report.files[0].path.unlink()
    assert finished(tmp_path, **ENGINE) is None
    shutil.rmtree(tmp_path / "library")
    assert finished(tmp_path) is None
    assert not (tmp_path / "library").exists()


def test_no_shard_is_read(tmp_path, monkeypatch):
    finish(tmp_path)
    monkeypatch.setattr(LocalBackend, "read", None)  # whatever calls it, fails
    assert finished(tmp_path, **ENGINE).segments_to_render == 0


def test_a_store_that_cannot_be_asked_is_no_error(tmp_path):
    finish(tmp_path)
    (tmp_path / "plain").write_text("")
    found = inspect(
        tmp_path / "book.md", **ENGINE, **places(tmp_path) | {"store": str(tmp_path / "plain")}
    ).finished
    assert found.segments_to_render is None
