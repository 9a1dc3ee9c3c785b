"""A show in a bucket, on a real client of S3 and a server on loopback; and on what is no bucket."""

import random
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from audiomill.outputs.podcast.episode_page import episode_assets
from audiomill.outputs.podcast.publishing import EnclosureMissing, publish_show
from audiomill.outputs.podcast.show import Episode
from audiomill.outputs.podcast.show_folder import ShowFolder, open_place
from audiomill.outputs.types import OutputUnwritable
from support.case_files import each_row_apart, rows_of
from support.feed_rules import guids_listed, problems
from support.hasty_waiter import VirtualWaiter
from support.podcast_data import SHOW, VTT, names_of_show, numbered
from support.s3_server import BUCKET, KEY_ID, SECRET, S3Server, client_variables, serving_s3

s3fs = pytest.importorskip("s3fs", reason="the extra s3 is not installed")
CASES = Path(__file__).with_name("cases") / "remote_folder.txt"
URL, ROOT = f"s3://{BUCKET}/pod", f"/{BUCKET}/pod"


@pytest.fixture
def server(monkeypatch, tmp_path) -> Iterator[S3Server]:
    with serving_s3() as server:
        for name, value in client_variables(server, tmp_path).items():
            monkeypatch.setenv(name, value)
        s3fs.S3FileSystem.clear_instance_cache()
        yield server
        s3fs.S3FileSystem.clear_instance_cache()


def put_and_publish(folder: ShowFolder, numbers: list[int], tmp_path) -> None:
    """What the flow does: each episode's files, and then the feed."""
    episodes = [numbered(number) for number in numbers]
    folder.add_names(["cover.jpg"])
    folder.write("cover.jpg", b"a picture")
    for episode in episodes:
        put(folder, episode, tmp_path)
    publish_show(folder, SHOW, episodes)


def put(folder: ShowFolder, episode: Episode, tmp_path) -> None:
    audio = tmp_path / "audio.mp3"
    audio.write_bytes(b"\1" * episode.enclosure.n_bytes)
    names = [one.name for one in episode.transcripts]
    folder.add_names([episode.enclosure.name, *names])
    for name in names:
        folder.write(name, VTT.encode())
    folder.put(episode.enclosure.name, audio)


def listed(objects: dict[str, bytes]) -> list[str]:
    data = objects[f"{ROOT}/feed.xml"]
    return guids_listed(data, SHOW.feed_url, lambda name: len(objects[f"{ROOT}/{name}"]))


def names_in(objects: dict[str, bytes]) -> set[str]:
    return {path.removeprefix(f"{ROOT}/") for path in objects}


def test_a_bucket_holds_the_show_and_tells_its_media_types(server, tmp_path):
    put_and_publish(ShowFolder(open_place(URL)), [1, 2], tmp_path)
    assert names_in(server.objects) == names_of_show(1, 2)
    assert listed(server.objects) == ["urn:mill:2", "urn:mill:1"]
    style, script = (one.name for one in episode_assets())
    told = {name: server.headers[f"{ROOT}/{name}"]["Content-Type"] for name in names_of_show(1)}
    own = {style: "text/css; charset=utf-8", script: "text/javascript; charset=utf-8"}
    assert told == dict(rows_of(CASES, "MEDIA_TYPES")) | own
    assert "immutable" in server.headers[f"{ROOT}/{script}"]["Cache-Control"]
    assert server.headers[f"{ROOT}/feed.xml"]["Cache-Control"] == "no-cache"
    puts = [one for one in server.requests if one.startswith("PUT")]
    at_feed = puts.index(f"PUT {ROOT}/feed.xml")
    assert all(one.endswith(".podcast.json") for one in puts[at_feed + 1 :])


def test_audio_that_is_named_by_its_content_may_be_kept_for_good(server, tmp_path):
    (tmp_path / "a.mp3").write_bytes(b"sound")
    ShowFolder(open_place(URL)).put("mill-0123456789ab.mp3", tmp_path / "a.mp3")
    assert "immutable" in server.headers[f"{ROOT}/mill-0123456789ab.mp3"]["Cache-Control"]


def test_a_second_run_puts_no_audio_again_and_changes_only_the_list(server, tmp_path):
    put_and_publish(ShowFolder(open_place(URL)), [1], tmp_path)
    before = dict(server.objects)
    server.requests.clear()
    put_and_publish(ShowFolder(open_place(URL)), [1], tmp_path)
    changed = {one for one in server.requests if one.startswith(("PUT", "DELETE"))}
    assert changed <= {f"PUT {ROOT}/.podcast.json"}
    assert server.objects == before


def test_what_left_the_feed_is_removed_and_nothing_of_others(server, tmp_path):
    put_and_publish(ShowFolder(open_place(URL)), [1, 2], tmp_path)
    server.objects[f"{ROOT}/mine.txt"] = b"mine"
    put_and_publish(ShowFolder(open_place(URL)), [2], tmp_path)
    assert names_in(server.objects) == names_of_show(2) | {"mine.txt"}
    server.objects[f"{ROOT}/audio/episode-3.html"] = b"mine"
    with pytest.raises(OutputUnwritable, match="did not make it"):
        put_and_publish(ShowFolder(open_place(URL)), [2, 3], tmp_path)
    assert listed(server.objects) == ["urn:mill:2"]


@pytest.mark.prove
def test_the_end_of_a_run_at_any_change_leaves_a_feed_whose_files_are_all_there(server, tmp_path):
    """The server does not make the change, or makes it without an answer; and then nothing more."""
    put_and_publish(ShowFolder(open_place(URL)), [1], tmp_path)
    before, seen, is_over = dict(server.objects), list[str](), False
    while not is_over:
        server.objects = dict(before)
        server.requests.clear()
        server.fault = partial(fault_after, len(seen), server)
        try:
            put_and_publish(ShowFolder(open_place(URL)), [2], tmp_path)
            is_over = server.n_changes() <= len(seen)
        except OutputUnwritable as error:
            assert "\n" not in str(error)
        server.fault = lambda _: None
        (guid,) = listed(server.objects)
        seen.append(guid)
        if len(seen) % 4 == 0:
            put_and_publish(ShowFolder(open_place(URL)), [2], tmp_path)
            assert names_in(server.objects) == names_of_show(2)
    # From one moment to the next the feed is the new one.
    old, new = seen.count("urn:mill:1"), seen.count("urn:mill:2")
    assert seen == ["urn:mill:1"] * old + ["urn:mill:2"] * new
    assert (old > 8, new > 4) == (True, True), seen


def fault_after(n_changes: int, server: S3Server, _request: str) -> tuple[int, str] | None:
    n_more = server.n_changes() - n_changes
    is_made = n_changes % 2 == 1 and n_more == 1
    return None if n_more <= 0 else (-1 if is_made else 0, "")


def test_requests_that_fail_are_repeated(server, tmp_path):
    numbers = random.Random(5)
    faults = [(500, "InternalError"), (503, "SlowDown"), (0, ""), (-1, "")]
    server.fault = lambda _: numbers.choice(faults) if numbers.random() < 0.2 else None
    waiter = VirtualWaiter()
    put_and_publish(ShowFolder(open_place(URL, waiter)), [1], tmp_path)
    server.fault = lambda _: None
    assert names_in(server.objects) == names_of_show(1)
    assert listed(server.objects) == ["urn:mill:1"]


def test_a_client_that_may_not_list_is_denied_what_is_not_there(server, tmp_path):
    """S3 answers 403 instead of 404 then."""

    def fault(request: str) -> tuple[int, str] | None:
        method, _, path = request.partition(" ")
        is_absent = path not in server.objects and method in ("GET", "HEAD")
        return (403, "AccessDenied") if is_absent else None

    server.fault = fault
    put_and_publish(ShowFolder(open_place(URL)), [1], tmp_path)
    assert names_in(server.objects) == names_of_show(1)


@each_row_apart
def test_a_folder_that_cannot_be_written_is_told_without_credentials(server, fault, told):
    server.fault = lambda _: fault
    with pytest.raises(OutputUnwritable, match=told) as error:
        ShowFolder(open_place(URL)).check_writable()
    message = str(error.value)
    assert ("\n" in message, "--store" in message, "folder" in message) == (False, False, True)
    assert KEY_ID not in message
    assert SECRET not in message


def test_no_credentials_are_told(server, monkeypatch):
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    with pytest.raises(OutputUnwritable, match="no valid credentials for the podcast's folder"):
        ShowFolder(open_place(URL)).check_writable()


def test_no_feed_names_audio_of_another_length(server, tmp_path):
    put_and_publish(ShowFolder(open_place(URL)), [1], tmp_path)
    server.objects[f"{ROOT}/audio/episode-1.mp3"] += b"more"
    with pytest.raises(EnclosureMissing, match="1005 bytes, not 1001"):
        publish_show(ShowFolder(open_place(URL)), SHOW, [numbered(1)])


def test_any_file_system_of_fsspec_can_hold_a_show(tmp_path):
    folder = ShowFolder(open_place("memory://shows/mill"))
    put_and_publish(folder, [1], tmp_path)
    files = fsspec.filesystem("memory")
    assert {
        path.removeprefix("/shows/mill/") for path in files.find("/shows/mill")
    } == names_of_show(1)
    files.rm("/shows", recursive=True)


class TornFiles(MemoryFileSystem):
    """An SFTP server: a put tears the file that it replaces, and a rename replaces at once."""

    protocol, store, cachable = "sftp", {}, False
    stops_in = ""  # a put of this many bytes

    @classmethod
    def _strip_protocol(cls, path):
        return "/" + path.partition("://")[2].partition("/")[2] if "://" in path else path

    def pipe_file(self, path, value, **_):
        if self.stops_in and self.stops_in in value.decode("latin-1"):
            super().pipe_file(path, value[: len(value) // 2])
            raise OSError(5, "the line is dead")
        super().pipe_file(path, value)

    def mv(self, old, new, **_):
        self.store[new] = self.store.pop(old)


def test_a_server_that_tears_files_gets_them_under_another_name_first(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules["fsspec.registry"]._registry, "sftp", TornFiles)
    monkeypatch.setattr(TornFiles, "store", {})
    TornFiles().makedirs("/srv/pod", exist_ok=True)
    place = "sftp://host/srv/pod"
    put_and_publish(ShowFolder(open_place(place)), [1], tmp_path)
    before = TornFiles.store["/srv/pod/feed.xml"].getvalue()
    assert problems(before) == []
    monkeypatch.setattr(TornFiles, "stops_in", "<rss")
    with pytest.raises(OutputUnwritable, match="the line is dead"):
        put_and_publish(ShowFolder(open_place(place)), [1, 2], tmp_path)
    assert TornFiles.store["/srv/pod/feed.xml"].getvalue() == before
    monkeypatch.setattr(TornFiles, "stops_in", "")
    put_and_publish(ShowFolder(open_place(place)), [1, 2], tmp_path)
    assert {path.removeprefix("/srv/pod/") for path in TornFiles.store} == names_of_show(1, 2)
