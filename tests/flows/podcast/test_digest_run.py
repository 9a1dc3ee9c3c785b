"""Shows with digests: runs from articles in files to feeds that are read back."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import html
from mutagen import File
from mutagen.id3 import ID3

from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline.planning.manuscript import read_manuscript
from audiomill.flows.podcast import due_episodes, maker
from audiomill.flows.podcast import run as run_module
from audiomill.flows.podcast.run import ShowRun
from audiomill.flows.podcast.state import ShowState
from audiomill.flows.settings import Settings
from audiomill.inputs.model.book import Manuscript
from audiomill.outputs.podcast.show_folder import MANIFEST_NAME
from audiomill.renderers.engine.declaration import Engine
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.protocol import Batch, Rendered
from audiomill.renderers.engine.registry import ENGINES
from audiomill.renderers.host.folders import cache_folder
from audiomill.renderers.host.waiting import UNATTENDED, Waiter
from audiomill.renderers.tone.renderer import ToneRenderer
from support.killed_runs import killed_at
from support.show_data import (
    FOLDER,
    digest_show,
    episodes,
    file_of,
    publish_articles,
    put_articles,
    run,
)
from support.web_server import Page

pytestmark = pytest.mark.prove

TEXTS = {
    "boat": "The boat came in *late*.\n\n## Its load\n\nForty sacks of meal lay in it.",
    "light": "The light was out for an hour. Nobody saw it.",
    "mill": "The mill turned all night, and the baker had his flour.",
}
TITLE = "Morning of the day"
LONG = "It was a long walk. " * 10
FOR_SHORT_ONES = "max_words = 30\n"


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


UNSAYABLE = "This sentence cannot be said."


class FailingTones(ToneRenderer):
    """Tones, but one sentence cannot be said."""

    def render(self, batch: Batch, waiter: Waiter = UNATTENDED) -> list[Rendered]:
        if any(one.spoken == UNSAYABLE for one in batch.requests):
            raise EngineFailed("The engine cannot go on.")
        return super().render(batch, waiter)


@pytest.fixture
def failing_engine() -> Iterator[str]:
    ENGINES["failing"] = Engine("failing", lambda _options: FailingTones())
    yield "failing"
    del ENGINES["failing"]


def marks(path, entry) -> list[tuple[str, int, int]]:
    """(title, start, end) of the chapters in an MP3, in milliseconds."""
    frames = ID3(file_of(path, entry, ".mp3")).getall("CHAP")
    found = [(str(one.sub_frames["TIT2"]), one.start_time, one.end_time) for one in frames]
    return sorted(found, key=lambda mark: mark[1])


def members(path) -> dict[str, str]:
    """The digest of each article that is in one."""
    with ShowState(path.with_name("show.toml.state")) as state:
        return {one.id: key for key, group in state.members().items() for one in group}


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> tuple[Path, ShowRun]:
    """A show with a digest and an episode, for tests that change nothing of it."""
    folder = tmp_path_factory.mktemp("finished")
    put_articles(folder, **TEXTS, book=LONG)
    path = digest_show(folder, FOR_SHORT_ONES)
    with pytest.MonkeyPatch.context() as patches:
        patches.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        return path, run(path)


def test_short_articles_become_one_episode_with_a_chapter_for_each(finished):
    path, done = finished
    assert (sorted(done.made), done.unmade_articles) == ([TITLE, "The book"], ())
    found = episodes(path)
    assert sorted(found) == [TITLE, "The book"]
    entry = found[TITLE]
    chapters = marks(path, entry)
    assert [title for title, *_ in chapters[1:]] == ["The boat", "The light", "The mill"]
    ends = [end for *_, end in chapters]
    assert [start for _, start, _ in chapters] == [0, *ends[:-1]]
    assert ends[-1] == pytest.approx(1000 * File(file_of(path, entry, ".mp3")).info.length, abs=60)
    text = file_of(path, entry, ".srt").read_text()
    for sentence in ("3 articles.", "The boat.", "Its load", "Nobody saw it.", "his flour."):
        assert sentence in text


def test_the_page_has_each_article_with_its_markup_under_its_title(finished):
    path, _ = finished
    tree = html.parse(file_of(path, episodes(path)[TITLE], ".html"))
    articles = tree.xpath("//section[@data-clips]/section[@id != 'd0']")
    assert [one.xpath("string(.//h1)") for one in articles] == [
        "The boat.", "The light.", "The mill.",
    ]  # fmt: skip
    assert articles[0].xpath(".//p[span//em]")[0].text_content() == "The boat came in late."
    (section,) = tree.xpath("//section[@data-clips]")
    spoken = set(section.xpath(".//span/@id"))
    assert spoken == {f"s{number}" for number in range(int(section.get("data-count")))}


def test_cues_lie_in_the_chapter_of_their_article(finished):
    path, _ = finished
    entry = episodes(path)[TITLE]
    starts = {title: (start / 1000, end / 1000) for title, start, end in marks(path, entry)}
    for words, title in (
        ("The boat.", "The boat"), ("Forty sacks", "The boat"),
        ("The light.", "The light"), ("Nobody", "The light"), ("The mill turned", "The mill"),
    ):  # fmt: skip
        start, end = starts[title]
        assert start - 0.001 <= cue_start_s(file_of(path, entry, ".srt").read_text(), words) < end


def cue_start_s(text: str, words: str) -> float:
    (cue,) = (one for one in text.split("\n\n") if words in one)
    hours, minutes, seconds = cue.splitlines()[1].split(" --> ")[0].replace(",", ".").split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(seconds)


def test_a_run_with_nothing_new_changes_nothing(finished, monkeypatch):
    path, _ = finished
    monkeypatch.setenv("XDG_CACHE_HOME", str(path.with_name("cache")))
    before = contents(path.with_name("out"))
    assert run(path).made == ()
    assert contents(path.with_name("out")) == before


def contents(folder) -> dict[str, tuple[bytes, int]]:
    return {
        path.name: (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.iterdir()
        if path.is_file() and path.name != MANIFEST_NAME  # which each run writes
    }


def test_a_changed_article_is_rendered_again_inside_its_digest(tmp_path, monkeypatch):
    put_articles(tmp_path, **TEXTS)
    path = digest_show(tmp_path)
    run(path)
    old = episodes(path)[TITLE]
    rendered = counted_segments(monkeypatch)
    put_articles(tmp_path, light="The light was out for a day. Nobody saw it.")
    assert run(path).made == (TITLE,)
    new = episodes(path)[TITLE]
    assert (new.id, new.published) == (old.id, old.published)
    assert new.enclosures != old.enclosures
    assert "out for a day" in file_of(path, new, ".srt").read_text()
    assert sum(rendered) == 1  # the sentence that is new
    assert len(list((tmp_path / "out").glob("*.mp3"))) == 1


def counted_segments(monkeypatch) -> list[int]:
    """The numbers of segments that later runs render together."""
    found, render = list[int](), run_module.render_shared

    def counting(*arguments):
        result = render(*arguments)
        found.append(result.rendered)
        return result

    monkeypatch.setattr(run_module, "render_shared", counting)
    return found


def test_new_articles_of_a_later_run_make_a_new_digest(tmp_path):
    put_articles(tmp_path, **TEXTS)
    path = digest_show(tmp_path)
    run(path)
    old = episodes(path)[TITLE]
    put_articles(tmp_path, crane="The crane is new.", ferry="The ferry is old.", wall="It fell.")
    assert run(path).made == (f"{TITLE} (2)",)
    new = episodes(path)
    assert new[TITLE].enclosures == old.enclosures
    assert new[f"{TITLE} (2)"].id != old.id
    assert len(members(path)) == 6


def test_too_few_articles_become_episodes_of_their_own(tmp_path):
    put_articles(tmp_path, boat=TEXTS["boat"], mill=TEXTS["mill"])
    path = digest_show(tmp_path)
    assert sorted(run(path).made) == ["The boat", "The mill"]
    put_articles(tmp_path, light=TEXTS["light"])  # the others have episodes already
    assert run(path).made == ("The light",)
    assert members(path) == {}


def test_an_article_that_cannot_be_had_goes_into_a_later_digest(tmp_path, site):
    names = ["mill", "light", "boat", "crane"]
    publish_articles(site, names)
    page = site.pages["/light"]
    site.pages["/light"] = Page(b"<html><body><p>Enable JavaScript.</p></body></html>")
    path = digest_show(tmp_path, sources=f'[[sources]]\nfeed = "{site.url}/feed"\n')
    first = run(path)
    assert first.made == (TITLE,)
    assert [one.url for one in first.unmade_articles] == [f"{site.url}/light"]
    site.pages["/light"] = page
    publish_articles(site, [*names, "wall", "ferry"])
    second = run(path)
    assert (second.made, second.unmade_articles) == ((f"{TITLE} (2)",), ())
    assert [title for title, *_ in marks(path, episodes(path)[f"{TITLE} (2)"])[1:]] == [
        "The ferry",
        "The wall",
        "The light",
    ]


def test_an_article_on_which_the_engine_fails_leaves_the_digest(tmp_path, failing_engine):
    put_articles(tmp_path, **TEXTS, wheel=f"It broke.\n\n{UNSAYABLE}")
    path = digest_show(tmp_path)
    path.write_text(path.read_text().replace('"tone"', f'"{failing_engine}"'))
    first = run(path)
    assert first.made == (TITLE,)
    assert [one.title for one in first.unmade_articles] == ["wheel"]
    assert first.unmade_articles[0].reason == "The engine cannot go on."
    assert len(members(path)) == 3
    put_articles(tmp_path, wheel="It broke, and was mended.")
    second = run(path)
    assert (second.made, second.unmade_articles) == (("The wheel",), ())
    assert episodes(path)[TITLE].summary == "The boat · The light · The mill"


def test_a_digest_that_loses_too_many_articles_becomes_episodes(tmp_path, failing_engine):
    put_articles(tmp_path, boat=TEXTS["boat"], mill=TEXTS["mill"], wheel=UNSAYABLE)
    path = digest_show(tmp_path)
    path.write_text(path.read_text().replace('"tone"', f'"{failing_engine}"'))
    done = run(path)
    assert (sorted(done.made), [one.title for one in done.unmade_articles]) == (
        ["The boat", "The mill"],
        ["wheel"],
    )
    assert (members(path), run(path).made) == ({}, ())


def test_a_digest_that_was_made_stays_when_an_article_gets_worse(tmp_path):
    put_articles(tmp_path, **TEXTS)
    path = digest_show(tmp_path)
    run(path)
    old = episodes(path)[TITLE]
    (tmp_path / "to-read" / "light.md").write_text("***\n")
    done = run(path)
    assert done.made == ()
    assert [(one.title, "light" in one.reason) for one in done.unmade_articles] == [(TITLE, True)]
    assert episodes(path)[TITLE].enclosures == old.enclosures
    put_articles(tmp_path, light="The light was out for a day.")
    again = run(path)
    assert (again.made, again.unmade_articles) == ((TITLE,), ())


def test_each_article_has_its_voice_and_its_language(tmp_path):
    put_articles(tmp_path, boat=TEXTS["boat"], mill=TEXTS["mill"])
    (tmp_path / "essays").mkdir()
    (tmp_path / "essays" / "moulin.html").write_text(
        '<html lang="fr"><title>Le moulin</title><article><h1>Le moulin</h1>'
        "<p>Le moulin tourne toute la nuit.</p></article></html>"
    )
    sources = FOLDER + '[[sources]]\nfolder = "essays"\n[sources.speech]\nvoice = "reed"\n'
    path = digest_show(tmp_path, sources=sources)
    assert run(path).made == (TITLE,)
    manuscript = read_manuscript(make_job(Settings(), list_of_articles(), engine="tone"))
    assert voices_of(manuscript, "Le moulin") == {("reed", "fr")}
    assert voices_of(manuscript, "The boat") == {("sine", "en")}


def test_the_articles_are_cut_as_they_are_alone(finished, monkeypatch):
    folder = finished[0].parent
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    settings = Settings(store=str(folder / "store"))
    together = read_manuscript(make_job(settings, list_of_articles(), engine="tone"))
    alone = [
        read_manuscript(make_job(settings, folder / "to-read" / f"{name}.md", engine="tone"))
        for name in TEXTS
    ]
    for number, manuscript in enumerate(alone, 1):
        spoken = [one.spoken for one in together.segments if one.chapter == number]
        _, *rest = (one.spoken for one in manuscript.segments)  # the intro says its title
        assert spoken[-len(rest) :] == rest
        assert len(spoken) == len(rest) + 1
    for one in together.segments:
        chapter = together.book.chapters[one.chapter]
        block = chapter.blocks[one.span.block]
        assert block.text[one.span.start : one.span.end] == one.text
    assert len({one.id for one in together.segments}) == len(together.segments)


def test_chapters_link_to_the_articles(tmp_path, site):
    publish_articles(site, ["mill", "light", "boat"])
    path = digest_show(tmp_path, sources=f'[[sources]]\nfeed = "{site.url}/feed"\n')
    run(path)
    entry = episodes(path)[TITLE]
    chapters = json.loads(file_of(path, entry, ".chapters.json").read_text())["chapters"]
    assert [(one["title"], one.get("url")) for one in chapters] == [
        ("Opening credits", None),
        ("The boat", f"{site.url}/boat"),
        ("The light", f"{site.url}/light"),
        ("The mill", f"{site.url}/mill"),
    ]
    starts = [round(1000 * one["startTime"]) for one in chapters]
    assert starts == [start for _, start, _ in marks(path, entry)]
    notes = html.fromstring(entry.content[0].value)
    assert notes.xpath("//li/a/@href") == [one["url"] for one in chapters[1:]]
    assert "Jan Mertens (The Quay Times, March 2, 2026)" in notes.text_content()


# What is under way when the run is killed, and how often it was before.
MOMENTS = [
    (due_episodes, "new_digests", 0),
    (ShowState, "save_digest", 0),  # before the digest is remembered
    (run_module, "render_shared", 0),  # after it
    (maker, "run_pipeline", 0),
    (maker, "place_files", 0),
    (ShowState, "save_digest", 1),  # its files are there, but it is not remembered as made
    (maker, "run_pipeline", 1),  # the long article comes first
    (run_module, "publish_show", 0),
]


@pytest.mark.parametrize(("place", "name", "n_before"), MOMENTS)
def test_a_killed_run_makes_the_same_digest_after_its_restart(tmp_path, place, name, n_before):
    put_articles(tmp_path, **TEXTS, book=LONG)
    path = digest_show(tmp_path, FOR_SHORT_ONES)
    with killed_at(place, name, n_before=n_before):
        run(path)
    planned = members(path)
    # What comes later does not change it.
    put_articles(tmp_path, crane="The crane is new.", ferry="It is old.", wall="It fell.")
    run(path)
    found = episodes(path)
    if planned:
        assert sorted(found) == [TITLE, f"{TITLE} (2)", "The book"]
        assert {one: key for one, key in members(path).items() if one in planned} == planned
        assert set(planned.values()) == {found[TITLE].id}
    assert len(members(path)) == 6
    said = [title for entry in found.values() for title, *_ in marks(path, entry)]
    articles = ["The boat", "The book", "The crane", "The ferry", "The light", "The mill"]
    assert sorted(one for one in said if one.startswith("The ")) == [*articles, "The wall"]
    assert run(path).made == ()


def test_a_planned_digest_is_made_when_its_articles_are_no_longer_listed(tmp_path, site):
    publish_articles(site, ["mill", "light", "boat"])
    path = digest_show(tmp_path, sources=f'[[sources]]\nfeed = "{site.url}/feed"\n')
    with killed_at(run_module, "render_shared"):
        run(path)
    publish_articles(site, ["crane"])
    assert sorted(run(path).made) == [TITLE, "The crane"]
    assert len(marks(path, episodes(path)[TITLE])) == 1 + 3


def test_without_the_table_a_digest_stays_and_new_articles_are_episodes(tmp_path):
    put_articles(tmp_path, **TEXTS)
    path = digest_show(tmp_path)
    run(path)
    old = episodes(path)[TITLE]
    path.write_text(path.read_text().partition("[digest]")[0])
    put_articles(tmp_path, crane="The crane is new.", light="The light was out for a day.")
    assert run(path).made == ("The crane",)
    assert episodes(path)[TITLE].enclosures == old.enclosures


def list_of_articles() -> Path:
    """The file of the only digest."""
    (path,) = cache_folder().glob("podcasts/*/.digests/*.digest")
    return path


def voices_of(manuscript: Manuscript, title: str) -> set[tuple[str, str]]:
    titles = [chapter.title for chapter in manuscript.book.chapters]
    found = (one for one in manuscript.segments if titles[one.chapter] == title)
    return {(one.voice, one.language) for one in found}
