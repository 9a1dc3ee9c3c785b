"""What happens to a show meanwhile: addresses move, articles go, files are damaged."""

import hashlib
import json
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass, make_dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from audiomill.flows.errors import UsageError
from audiomill.flows.job import Job
from audiomill.flows.pipeline import speech_check
from audiomill.flows.podcast.fingerprints import FIELDS, choices_of
from audiomill.flows.podcast.state import SUFFIX, ArticleRecord, ShowState
from audiomill.outputs.checking.profiles import Delivery
from audiomill.outputs.formats.registry import EPISODE_TEXT, EPISODE_TRANSCRIPTS
from audiomill.outputs.targets import RoomTone
from audiomill.outputs.types import OutputUnwritable
from audiomill.renderers.engine.errors import EngineMissing
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.engine.registry import ENGINES
from audiomill.renderers.isolated.options import IsolatedOptions
from audiomill.renderers.piper.options import PiperOptions
from audiomill.renderers.speech import whisper
from support.article_data import article_page
from support.show_data import RSS, episodes, feed_show, publish_articles, run, show_file
from support.web_server import Page


def feed_of(site, links: dict[str, str], path: str = "/feed", date: str = "") -> None:
    """A feed of these addresses by their titles."""
    told = f"<pubDate>{date}</pubDate>" if date else ""
    items = "".join(
        f"<item><title>{title}</title><link>{link}</link><guid>{link}#{path}</guid>{told}</item>"
        for title, link in links.items()
    )
    rss = RSS.format(url=site.url, items=items).encode()
    site.pages[path] = Page(rss, headers={"Content-Type": "application/rss+xml"})


def two_feeds(site, tmp_path):
    sources = f'[[sources]]\nfeed = "{site.url}/feed"\n[[sources]]\nfeed = "{site.url}/other"'
    return show_file(tmp_path, sources)


def test_one_article_under_two_addresses_is_one_episode(site, tmp_path):
    canonical = f'<link rel="canonical" href="{site.url}/mill">'
    for name in ("mill", "amp-mill", "copy"):
        site.pages[f"/{name}"] = Page(article_page("The mill", head=canonical).encode())
    site.pages["/short"] = Page(status=302, headers={"Location": "/mill"})
    feed_of(site, {"The mill": f"{site.url}/amp-mill", "The Mill": f"{site.url}/short"})
    feed_of(site, {"The mill | Quay": f"{site.url}/copy?utm_source=x"}, "/other")
    path = two_feeds(site, tmp_path)
    assert run(path).made == ("The mill",)
    before = episodes(path)["The mill"]
    feed_of(site, {"The mill": f"{site.url}/mill/?fbclid=1"})
    site.pages["/mill/"] = site.pages["/mill"]
    again = run(path)
    assert (again.made, again.n_episodes) == ((), 1)
    after = episodes(path)["The mill"]
    assert (after.id, after.enclosures) == (before.id, before.enclosures)
    assert after.link == f"{site.url}/mill/"


def test_a_site_whose_pages_all_give_one_address_loses_none(site, tmp_path):
    titles = ("The mill", "The light")
    for number, title in enumerate(titles):
        page = article_page(title, head=f'<link rel="canonical" href="{site.url}/blog-post">')
        site.pages[f"/{number}"] = Page(page.encode())
    feed_of(site, {title: f"{site.url}/{number}" for number, title in enumerate(titles)})
    path = show_file(tmp_path, f'[[sources]]\nfeed = "{site.url}/feed"')
    assert sorted(run(path).made) == sorted(titles)
    assert run(path).made == ()


def test_an_article_of_the_future_is_of_today(site, tmp_path):
    """A player would hide it, and it would be the newest for ever."""
    site.pages["/mill"] = Page(article_page("The mill").encode())
    feed_of(site, {"The mill": f"{site.url}/mill"}, date="Mon, 02 Mar 2099 06:00:00 GMT")
    path = show_file(tmp_path, f'[[sources]]\nfeed = "{site.url}/feed"')
    run(path)
    assert episodes(path)["The mill"].published_parsed.tm_year < 2099
    assert run(path).made == ()


def test_a_failed_article_that_is_no_longer_listed_is_forgotten(site, tmp_path):
    path = feed_show(site, tmp_path, ["mill", "light"])
    del site.pages["/mill"]
    assert len(run(path).unmade_articles) == 1
    feed, site.pages["/feed"] = site.pages["/feed"], Page(b"", 503)
    assert len(run(path).unmade_articles) == 1  # nobody knows whether it is still listed
    site.pages["/feed"] = feed
    publish_articles(site, ["light"])
    assert run(path).unmade_articles == ()


def test_an_article_that_goes_stays_an_episode(site, tmp_path):
    path = feed_show(site, tmp_path, ["mill", "light"])
    run(path)
    publish_articles(site, ["light"])
    del site.pages["/mill"]
    done = run(path)
    assert (done.made, done.unmade_articles, done.n_episodes) == ((), (), 2)


def test_a_folder_that_is_gone_is_filled_again_without_rendering(site, tmp_path):
    path = feed_show(site, tmp_path, ["mill"])
    run(path)
    before = episodes(path)
    shutil.rmtree(tmp_path / "out")
    shutil.rmtree(tmp_path / "store")
    run(path)
    assert episodes(path) == before
    assert not list((tmp_path / "store").rglob("*.flac"))


def test_without_its_memory_a_show_names_its_episodes_as_before(site, tmp_path):
    path = feed_show(site, tmp_path, ["mill", "light"])
    run(path)
    before = {title: one.id for title, one in episodes(path).items()}
    (tmp_path / "show.toml.state").unlink()
    run(path)
    assert {title: one.id for title, one in episodes(path).items()} == before


@pytest.mark.parametrize("damaged", [slice(0, 4096), slice(4096, None)])
def test_a_damaged_memory_is_told_in_one_line(tmp_path, damaged):
    path = tmp_path / "show.toml.state"
    with ShowState(path) as state:
        for number in range(200):
            state.save(ArticleRecord(f"{number}", "https://quay.example", "x" * 100))
    content = bytearray(path.read_bytes())
    content[damaged] = b"\xff" * len(content[damaged])
    path.write_bytes(content)
    with pytest.raises(UsageError, match="move it away") as error, ShowState(path) as state:
        state.records()
    assert "\n" not in str(error.value)


def test_a_full_disk_is_told_in_one_line(tmp_path):
    path = tmp_path / "show.toml.state"
    with ShowState(path) as state:
        state._database.execute("PRAGMA max_page_count = 8")
        with pytest.raises(OutputUnwritable, match="full") as error:
            for number in range(1000):
                state.save(ArticleRecord(f"{number}", "https://quay.example", "x" * 100))
    assert "\n" not in str(error.value)
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


class DeafListener:
    """Hears nothing of any speech."""

    identity = "deaf"

    def knows(self, _language):
        return True

    def transcript(self, _samples, _sample_rate, _language, _n_guesses=1):
        return ""


def test_only_speech_of_new_episodes_is_checked(site, tmp_path, monkeypatch):
    path = feed_show(site, tmp_path, ["mill"])
    run(path)
    path.write_text(f"{path.read_text()}\n[episodes]\ncheck_speech = true\n")
    monkeypatch.setattr(whisper, "find_spec", lambda _name: None)
    assert run(path).made == ()  # nor is anything missed
    publish_articles(site, ["mill", "light"])
    shards = {*(tmp_path / "store").rglob("*.shard")}
    with pytest.raises(EngineMissing, match="--check-speech needs"):
        run(path)
    assert {*(tmp_path / "store").rglob("*.shard")} == shards  # nothing was rendered for it
    monkeypatch.setattr(speech_check, "open_whisper", lambda _model: DeafListener())
    assert run(path).made == ("The light",)
    reports = [json.loads(one.read_text()) for one in tmp_path.rglob("report.json")]
    checked = {one["title"]: {each["fault"] for each in one["suspects"]} for one in reports}
    assert checked == {"The mill": set(), "The light": {"other words than its text"}}


def test_an_upgrade_makes_no_episode_anew():
    """The digest of a job is that of the versions before: an option more must not change it."""
    job = Job(Path("a.md"), Path("library"), "store", "tone", voice="low", chapters="1", plot=True)
    digest = hashlib.sha256(choices_of(job).encode()).hexdigest()
    assert digest == "464b501024f8ac73c4ee30c1e99345650be3697e13577cd58261e5d677df94d7"


def test_the_text_of_a_page_makes_no_episode_anew():
    job = Job(Path("a.md"), Path("library"), "store", "tone", transcripts=EPISODE_TRANSCRIPTS)
    assert choices_of(replace(job, readalongs=(EPISODE_TEXT.name,))) == choices_of(job)


def test_an_episode_of_an_earlier_version_stays_as_it_is(tmp_path):
    (tmp_path / "to-read").mkdir()
    (tmp_path / "to-read" / "mill.md").write_text("# The mill\n\nIt turned all night.\n")
    path = show_file(tmp_path, '[[sources]]\nfolder = "to-read"')
    run(path)
    out = tmp_path / "out"
    (text,) = out.glob("*.text.json")
    with ShowState(path.with_name(path.name + SUFFIX)) as state:
        (record,) = state.records().values()
        old = json.loads(record.episode)
        del old["text"]
        state.save(replace(record, episode=json.dumps(old)))
    kept = {
        one: one.read_bytes()
        for one in out.iterdir()
        if one.suffix in (".mp3", ".vtt", ".srt", ".xml")
    }
    assert (run(path).made, run(path).n_episodes) == ((), 1)
    assert {one: one.read_bytes() for one in kept} == kept
    assert not text.exists()
    (page,) = (one for one in out.glob("*.html") if one.name != "index.html")
    (section,) = html.parse(page).xpath("//section[@data-clips]")
    assert section.text_content() == "The mill. It turned all night."


# A job that has each class whose fields a fingerprint has.
JOB = Job(
    Path("a.md"),
    Path("library"),
    "store",
    "tone",
    delivery=Delivery(room_tone=RoomTone(-66.0, -60.0)),
    options=EngineOptions(own=tuple(one.options() for one in ENGINES.values())),
)


def parts_of(value: object) -> Iterator[Any]:
    """Each value of a dataclass that is in another."""
    if is_dataclass(value):
        yield value
        for one in fields(value):
            yield from parts_of(getattr(value, one.name))
    elif isinstance(value, tuple):
        for one in value:
            yield from parts_of(one)


def swapped(value: Any, old: object, new: object) -> Any:
    """The value with a new part for an old one."""
    if value is old:
        return new
    if is_dataclass(value):
        names = [one.name for one in fields(value)]
        return replace(value, **{one: swapped(getattr(value, one), old, new) for one in names})
    return tuple(swapped(one, old, new) for one in value) if isinstance(value, tuple) else value


@pytest.mark.parametrize("name", FIELDS)
def test_a_choice_more_makes_only_the_episodes_anew_that_use_it(name):
    old = next(one for one in parts_of(JOB) if type(one).__name__ == name)
    younger = make_dataclass(
        "Younger",
        [("whisper", bool, False)],
        bases=(type(old),),
        frozen=True,
        kw_only=True,
        namespace={"__module__": type(old).__module__},
    )
    values = {one.name: getattr(old, one.name) for one in fields(old)}
    unused, used = (younger(**values, whisper=whisper) for whisper in (False, True))
    assert choices_of(swapped(JOB, old, unused)) == choices_of(JOB)
    assert choices_of(swapped(JOB, old, used)) != choices_of(JOB)


def test_each_choice_that_is_younger_than_the_fingerprints_has_a_default():
    younger = [
        one
        for part in parts_of(JOB)
        for one in fields(part)
        if one.name not in FIELDS.get(type(part).__name__, ())
    ]
    assert "follow" in {one.name for one in younger}
    missing = [one for one in younger if one.default is one.default_factory is MISSING]
    assert missing == []


def test_an_engine_more_makes_no_episode_anew():
    options = JOB.options.having(IsolatedOptions("younger", batch=4))
    assert choices_of(replace(JOB, options=options)) == choices_of(JOB)


def test_another_voice_of_an_engine_makes_its_episodes_anew():
    options = JOB.options.having(PiperOptions(voices=Path("other")))
    assert choices_of(replace(JOB, options=options)) != choices_of(JOB)
