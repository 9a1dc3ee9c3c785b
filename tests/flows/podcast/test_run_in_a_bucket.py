"""A run whose show is in a bucket, and which ends at any of its requests."""

import io
from functools import partial
from pathlib import Path

import mutagen
import pytest

from audiomill.outputs.types import OutputUnwritable
from support.feed_rules import parsed_feed
from support.s3_server import BUCKET, S3Server, client_variables, serving_s3
from support.show_data import publish_articles, run, show_file
from support.web_server import Site

s3fs = pytest.importorskip("s3fs", reason="the extra s3 is not installed")
ROOT = f"/{BUCKET}/pod"
REFUSED = (403, "AccessDenied")


@pytest.fixture
def server(monkeypatch, tmp_path):
    with serving_s3() as server:
        for name, value in client_variables(server, tmp_path).items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        s3fs.S3FileSystem.clear_instance_cache()
        yield server
        s3fs.S3FileSystem.clear_instance_cache()


def show_in_the_bucket(folder: Path, site: Site) -> Path:
    path = show_file(folder, f'[[sources]]\nfeed = "{site.url}/feed"', "[episodes]\nkeep = 1\n")
    path.write_text(path.read_text().replace('"out"', f'"s3:/{ROOT}"'))
    return path


def published_titles(server: S3Server) -> list[str]:
    """The titles in the feed, whose audio is there and whole."""
    entries = parsed_feed(server.objects[f"{ROOT}/feed.xml"]).entries
    for entry in entries:
        (enclosure,) = entry.enclosures
        audio = server.objects[f"{ROOT}/{enclosure.href.rpartition('/')[2]}"]
        assert len(audio) == int(enclosure.length)
        assert mutagen.File(io.BytesIO(audio)).info.length > 1
    return sorted(entry.title for entry in entries)


@pytest.mark.prove
def test_a_run_that_ends_at_any_put_is_finished_by_the_next_one(server, site, tmp_path):
    path = show_in_the_bucket(tmp_path, site)
    publish_articles(site, ["mill"])
    done = run(path)
    assert (done.n_episodes, done.feed) == (1, f"s3:/{ROOT}/feed.xml")
    publish_articles(site, ["mill", "light"])
    kept = path.with_name("show.toml.state")
    before, known = dict(server.objects), kept.read_bytes()
    seen, is_over = list[list[str]](), False
    while not is_over:
        server.objects = dict(before)
        kept.write_bytes(known)
        server.requests.clear()
        server.fault = partial(refused_after, len(seen), server)
        try:
            run(path)
            is_over = server.n_changes() <= len(seen)
        except OutputUnwritable:
            pass
        server.fault = lambda _: None
        seen.append(published_titles(server))
    old = seen.count(["The mill"])
    assert seen == [["The mill"]] * old + [["The light"]] * (len(seen) - old)
    assert (old > 6, len(seen) - old > 3) == (True, True)
    assert run(path).made == ()
    assert len([name for name in server.objects if name.endswith(".mp3")]) == 1


def refused_after(n_changes: int, server: S3Server, _request: str) -> tuple[int, str] | None:
    return REFUSED if server.n_changes() > n_changes else None


def test_nothing_is_fetched_for_a_folder_that_cannot_be_written(server, site, tmp_path):
    publish_articles(site, ["mill"])
    server.fault = lambda request: REFUSED if request.startswith("PUT") else None
    with pytest.raises(OutputUnwritable, match="cannot be written"):
        run(show_in_the_bucket(tmp_path, site))
    assert site.asked == []
