"""A published folder is whole at any moment, and only the show's own files ever leave it."""

import errno
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import html

from audiomill.outputs.pages.html_tree import element
from audiomill.outputs.podcast import publishing
from audiomill.outputs.podcast.episode_page import episode_assets
from audiomill.outputs.podcast.publishing import EnclosureMissing, publish_show
from audiomill.outputs.podcast.show import PodcastUnfit
from audiomill.outputs.readalong.web.assets import asset
from audiomill.outputs.readalong.web.contents import contents
from audiomill.outputs.readalong.web.recorded_text import RecordedText, dumped, recorded_section
from audiomill.outputs.types import OutputUnwritable
from support.feed_rules import guids_listed
from support.killed_forks import killed_forks
from support.paths import TESTS_PATH
from support.podcast_data import COMING, FAILED, SHOW, local, names_of_show, numbered, put_files


def put_and_publish(folder: Path, numbers: list[int], show=SHOW) -> str:
    episodes = [numbered(n) for n in numbers]
    put_files(folder, show, episodes)
    return publish_show(local(folder), show, episodes)


def files_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def versions(folder: Path) -> set[tuple[str, int]]:
    """Each file with the time of its last change."""
    return {(name, (folder / name).stat().st_mtime_ns) for name in files_in(folder)}


def files_of(*numbers: int) -> list[str]:
    return sorted(names_of_show(*numbers))


def listed(folder: Path) -> list[str]:
    data = (folder / "feed.xml").read_bytes()
    return guids_listed(data, SHOW.feed_url, lambda name: (folder / name).stat().st_size)


def test_a_folder_holds_the_feed_the_pages_and_the_chapters(tmp_path):
    assert put_and_publish(tmp_path, [1, 2]) == str(tmp_path / "feed.xml")
    assert files_in(tmp_path) == files_of(1, 2)
    assert listed(tmp_path) == ["urn:mill:2", "urn:mill:1"]
    assert "somebody" in (tmp_path / "audio/episode-1.html").read_text()
    chapters = json.loads((tmp_path / "audio/episode-1.chapters.json").read_bytes())
    assert [one["title"] for one in chapters["chapters"]] == ["Beginning", "Middle"]


def test_what_has_not_changed_is_not_written_again(tmp_path):
    put_and_publish(tmp_path, [1, 2])
    before = versions(tmp_path)
    publish_show(local(tmp_path), SHOW, [numbered(2), numbered(1)])
    assert versions(tmp_path) == before


def test_failed_articles_change_the_page_and_not_the_feed(tmp_path):
    put_and_publish(tmp_path, [1])
    before = versions(tmp_path)
    publish_show(local(tmp_path), SHOW, [numbered(1)], [FAILED])
    assert {name for name, _ in versions(tmp_path) - before} == {"index.html"}


def test_files_of_an_episode_that_left_are_removed_and_no_others(tmp_path):
    put_and_publish(tmp_path, [1, 2])
    mine = tmp_path / "audio" / "episode-1.txt"
    mine.write_text("my own")
    put_and_publish(tmp_path, [2, 3])
    assert files_in(tmp_path) == sorted([*files_of(2, 3), "audio/episode-1.txt"])
    assert listed(tmp_path) == ["urn:mill:3", "urn:mill:2"]


def test_the_reader_of_another_version_is_replaced(tmp_path, monkeypatch):
    old = asset("reader", ".js", b"old();")
    with monkeypatch.context() as patch:
        patch.setattr(publishing, "episode_assets", lambda: (old,))
        put_and_publish(tmp_path, [1])
    assert (tmp_path / old.name).read_bytes() == b"old();"
    put_and_publish(tmp_path, [1])
    assert files_in(tmp_path) == files_of(1)
    publish_show(local(tmp_path), SHOW, [])
    assert not {one.name for one in episode_assets()} & set(files_in(tmp_path))


def test_the_page_is_made_of_the_text_and_of_the_transcript_where_that_is_damaged(tmp_path):
    section = recorded_section(
        [element("p", {}, element("span", {"id": "s0"}, "Own"))], [[0, 0, 9, []]]
    )
    text = RecordedText("en", contents([]), section)
    episode = numbered(1, text="audio/episode-1.text.json")
    put_files(tmp_path, SHOW, [episode])
    page = tmp_path / episode.page_name
    for content, words in ((dumped(text), "Own"), (b"{", "somebody"), (dumped(None), "somebody")):
        (tmp_path / episode.text).write_bytes(content)
        publish_show(local(tmp_path), SHOW, [episode])
        (shown,) = html.parse(page).xpath("//main/section[@data-clips]")
        assert words in shown.text_content()
    publish_show(local(tmp_path), SHOW, [])
    assert not (tmp_path / episode.text).exists()


def test_a_picture_of_the_show_stays_while_it_is_used(tmp_path):
    put_files(tmp_path, SHOW, [numbered(1), numbered(2)])
    (tmp_path / "eel.png").write_bytes(b"png")
    publish_show(
        local(tmp_path), SHOW, [numbered(1, image="eel.png"), numbered(2, image="cover.jpg")]
    )
    publish_show(local(tmp_path), replace(SHOW, image="eel.png"), [])
    # The cover was never an episode's own; the eel is the cover now.
    assert files_in(tmp_path) == sorted({*files_of(), "eel.png"})
    publish_show(local(tmp_path), SHOW, [])
    assert files_in(tmp_path) == sorted(files_of())


@pytest.mark.parametrize("name", ["index.html", "feed.xml", "audio/episode-1.html"])
def test_a_file_that_the_show_did_not_make_is_not_written_over(tmp_path, name):
    put_files(tmp_path, SHOW, [numbered(1)])
    (tmp_path / name).write_text("mine")
    with pytest.raises(OutputUnwritable, match="did not make it"):
        publish_show(local(tmp_path), SHOW, [numbered(1)])
    assert (tmp_path / name).read_text() == "mine"
    assert not (tmp_path / ".podcast.json").exists()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda folder: (folder / "audio/episode-1.mp3").unlink(), "is missing"),
        (lambda folder: (folder / "audio/episode-1.mp3").write_bytes(b"x"), "1 bytes, not 1001"),
        (lambda folder: (folder / "audio/episode-1.vtt").unlink(), "episode-1.vtt is missing"),
        (lambda folder: (folder / "cover.jpg").unlink(), "cover.jpg is missing"),
    ],
)
def test_no_feed_names_what_is_not_there(tmp_path, spoil, words):
    put_and_publish(tmp_path, [2])
    before = (tmp_path / "feed.xml").read_bytes()
    put_files(tmp_path, SHOW, [numbered(1)])
    spoil(tmp_path)
    with pytest.raises(EnclosureMissing, match=words) as told:
        publish_show(local(tmp_path), SHOW, [numbered(1), numbered(2)])
    assert "\n" not in str(told.value)
    assert (tmp_path / "feed.xml").read_bytes() == before


@pytest.mark.parametrize(
    "names", [["../outside.txt", "/etc/hosts", "a/../../outside.txt", ".", "", 5, None], ["out/x"]]
)
def test_a_list_that_others_wrote_removes_nothing_outside(tmp_path, names):
    outside = tmp_path / "outside.txt"
    outside.write_text("mine")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "x").write_text("mine")
    folder = tmp_path / "show"
    folder.mkdir()
    (folder / "out").symlink_to(tmp_path / "elsewhere")
    (folder / ".podcast.json").write_text(json.dumps({"files": names}))
    publish_show(local(folder), replace(SHOW, image=""), [])
    assert outside.read_text() == (tmp_path / "elsewhere" / "x").read_text() == "mine"


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"files": 5}', "[" * 100_000])
def test_a_damaged_list_is_told_in_one_line(tmp_path, content):
    (tmp_path / ".podcast.json").write_text(content)
    with pytest.raises(OutputUnwritable, match="is damaged") as told:
        publish_show(local(tmp_path), replace(SHOW, image=""), [])
    assert "\n" not in str(told.value)


def test_a_show_that_is_unfit_changes_nothing(tmp_path):
    put_and_publish(tmp_path, [1])
    before = {name: (tmp_path / name).read_bytes() for name in files_in(tmp_path)}
    with pytest.raises(PodcastUnfit, match="no category of podcasts"):
        publish_show(local(tmp_path), replace(SHOW, categories=("Mills",)), [])
    assert {name: (tmp_path / name).read_bytes() for name in files_in(tmp_path)} == before


def test_what_could_not_be_removed_is_tried_again(tmp_path, monkeypatch):
    put_and_publish(tmp_path, [1, 2])
    unlink = Path.unlink

    def refuse(path: Path, missing_ok: bool = False) -> None:
        if path.name == "episode-1.mp3":
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))
        unlink(path, missing_ok=missing_ok)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        publish_show(local(tmp_path), SHOW, [numbered(2)])
    assert files_in(tmp_path) == sorted([*files_of(2), "audio/episode-1.mp3"])
    publish_show(local(tmp_path), SHOW, [numbered(2)])
    assert files_in(tmp_path) == files_of(2)


def test_a_full_disk_leaves_the_old_feed(tmp_path, monkeypatch):
    put_and_publish(tmp_path, [1])
    put_files(tmp_path, SHOW, [numbered(2)])

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputUnwritable, match="Free some space"):
        publish_show(local(tmp_path), SHOW, [numbered(1), numbered(2)])
    assert listed(tmp_path) == ["urn:mill:1"]


PUBLISHING = """
from pathlib import Path
from audiomill.outputs.podcast.publishing import publish_show
from support.killed_forks import changes_in
from support.no_power_cuts import wait_for_no_disk
from support.podcast_data import COMING, SHOW, local

is_operation = changes_in({folder!r})

def work():
    publish_show(local(Path({folder!r})), SHOW, COMING)

wait_for_no_disk()
"""


@pytest.mark.prove
def test_a_kill_at_any_operation_leaves_a_feed_whose_files_are_all_there(tmp_path):
    before, folder = tmp_path / "show", tmp_path / "show.copy"
    put_and_publish(before, [2, 3])
    put_files(before, SHOW, COMING)
    environment = {**os.environ, "PYTHONPATH": TESTS_PATH}
    seen, told = [], "killed"
    with killed_forks(PUBLISHING.format(folder=str(folder)), environment) as run_until:
        while told == "killed":
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(before, folder)
            told = run_until(len(seen) + 1)
            seen.append(listed(folder))
            publish_show(local(folder), SHOW, COMING)
            assert listed(folder) == ["urn:mill:4", "urn:mill:3"]
            assert files_in(folder) == files_of(3, 4)
    assert told == str(len(seen) - 1)
    # From one moment to the next the feed is the new one.
    old, new = ["urn:mill:3", "urn:mill:2"], ["urn:mill:4", "urn:mill:3"]
    assert seen == [old] * seen.count(old) + [new] * seen.count(new)
    assert seen.count(old) > 20
    assert seen.count(new) > 5
