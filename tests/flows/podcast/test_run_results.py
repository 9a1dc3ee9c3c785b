"""What a run says of itself: its exit code, its errors and warnings, and the engine that read."""

import json
from argparse import Namespace
from dataclasses import replace

import pytest

from audiomill.flows.cli import podcast
from audiomill.flows.errors import UsageError
from audiomill.flows.podcast.state import SUFFIX, ShowState
from audiomill.renderers.engine.declaration import Readiness
from audiomill.renderers.engine.errors import EngineMissing
from audiomill.renderers.engine.registry import ENGINES
from support.show_data import publish_articles, run, show_file


@pytest.fixture(autouse=True)
def _settings(tmp_path, monkeypatch):
    monkeypatch.setenv("AUDIOMILL_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("AUDIOMILL_ARTICLES__ALLOWED_HOSTS", "127.0.0.1")


@pytest.fixture
def told(capsys):
    """The exit code of the command, and what `--json` has."""

    def run_command(path):
        code = podcast.run(Namespace(action="run", file=path, json=True))
        return code, json.loads(capsys.readouterr().out)

    return run_command


def note(folder):
    """A show of one short file."""
    (folder / "in").mkdir()
    (folder / "in" / "note.md").write_text("# A note\n\nThe tide was high that night.\n")
    path = show_file(folder, '[[sources]]\nfolder = "in"')
    written = path.read_text().replace("speed = 12", "speed = 4")
    path.write_text(written.replace('"tone"', '"tone"\nvoice = "sine"'))
    return path


def test_a_source_that_is_away_is_an_error_though_another_is_read(site, tmp_path, told):
    publish_articles(site, ["mill"])
    gone = f'[[sources]]\nfeed = "{site.url}/gone"'
    path = show_file(tmp_path, f'{gone}\n[[sources]]\nfeed = "{site.url}/feed"')
    code, result = told(path)
    assert (code, result["made"], result["n_episodes"]) == (3, ["The mill"], 1)
    assert [(one["source"], one["exit_code"]) for one in result["errors"]] == [
        (f"{site.url}/gone", 3)
    ]
    assert result["problems"] == [result["errors"][0]["message"]]
    path = show_file(tmp_path, gone)
    assert told(path)[0] == 3


def test_a_source_at_an_address_that_may_not_be_asked_is_an_error(site, tmp_path, told):
    code, result = told(show_file(tmp_path, '[[sources]]\nfeed = "http://10.0.0.1/feed"'))
    (error,) = result["errors"]
    assert (code, error["exit_code"], result["made"]) == (3, 3, [])
    assert "not of the public internet" in error["message"]
    assert "\n" not in error["message"]


def test_an_article_that_fails_is_an_error_until_it_is_given_up(site, tmp_path, told):
    publish_articles(site, ["mill", "light"])
    del site.pages["/mill"]
    source = f'[[sources]]\nfeed = "{site.url}/feed"'
    path = show_file(tmp_path, source, "[episodes]\nattempts = 2\n")
    results = [told(path) for _ in range(3)]
    assert [code for code, _ in results] == [3, 3, 0]
    assert [len(result["errors"]) for _, result in results] == [1, 1, 0]
    assert [one["attempts"] for _, result in results for one in result["failed"]] == [1, 2, 2]


@pytest.mark.parametrize("table", ["[sources.speech]", "[speech]"])
@pytest.mark.parametrize(
    ("speech", "error", "told"),
    [
        ('engine = "tone"\nvoice = "nobody"', UsageError, r"toml:{}: voice: tone has no voice"),
        ('engine = "espeak"\nspeed = 99', UsageError, r"toml:{}: Speed 99: espeak speaks at"),
        ('engine = "vits"', EngineMissing, "VITS is not installed"),
    ],
)
def test_a_voice_that_an_engine_has_not_is_told_in_each_run(
    site, tmp_path, table, speech, error, told
):
    publish_articles(site, ["mill"])
    path = show_file(tmp_path, f'[[sources]]\nfeed = "{site.url}/feed"\n[sources.speech]')
    written = path.read_text().replace(table, f"{table}\n{speech}", 1)
    if table == "[speech]":
        written = written.replace('\nengine = "tone"\nspeed = 12\n[fetching]', "\n[fetching]")
    path.write_text(written)
    line = written.splitlines().index(speech.splitlines()[-1]) + 1
    for _ in range(6):
        with pytest.raises(error, match=told.format(line)):
            run(path)
    assert site.requests == []


def test_an_article_is_not_given_up_for_an_engine_that_is_away(site, tmp_path, monkeypatch, told):
    """Its voice is not asked for in vain, each run fails, and the article is made afterwards."""
    monkeypatch.setenv("AUDIOMILL_OPENAI__URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("AUDIOMILL_OPENAI__PROFILE", "kokoro-fastapi")
    monkeypatch.setattr("audiomill.renderers.servers.patience.FIRST_CONTACT_S", 0.0)
    monkeypatch.setenv("AUDIOMILL_OUTAGE_S", "0.1")
    path = note(tmp_path)
    tones = path.read_text() + "[episodes]\nattempts = 1\n"
    path.write_text(tones.replace('"tone"\nvoice = "sine"', '"openai"'))
    results = [told(path) for _ in range(2)]
    assert [code for code, _ in results] == [4, 4]
    assert all("has not answered" in one["errors"][0]["message"] for _, one in results)
    path.write_text(tones)
    assert told(path)[1]["made"] == ["A note"]


def test_an_article_that_cannot_be_rendered_is_another_error_in_one_line(site, tmp_path, capsys):
    path = note(tmp_path)
    (tmp_path / "in" / "note.voices.toml").write_text('[characters]\nAnn = "nobody"\n')
    code = podcast.run(Namespace(action="run", file=path, json=True))
    output = capsys.readouterr()
    errors = json.loads(output.out)["errors"]
    assert (code, [one["exit_code"] for one in errors]) == (4, [4])
    about = [line for line in output.err.splitlines() if "nobody" in line]
    assert about == [f"Failed 1x: note: {errors[0]['message']}"]


def test_a_run_in_which_all_is_well_says_who_read(site, tmp_path, told):
    code, result = told(note(tmp_path))
    assert (code, result["errors"], result["warnings"]) == (0, [], [])
    assert result["engines"] == ["tone"]


def test_a_published_file_that_is_changed_is_made_anew(site, tmp_path, told):
    path = note(tmp_path)
    told(path)
    (published,) = (tmp_path / "out").glob("*.mp3")
    before = published.read_bytes()
    published.write_text("mine")
    code, result = told(path)
    assert (code, result["errors"], result["n_episodes"]) == (0, [], 1)
    assert "was changed; it is made anew" in result["warnings"][0]
    assert published.read_bytes() == before


def auto(path):
    path.write_text(path.read_text().replace('"tone"\nvoice = "sine"', '"auto"'))
    return path


def kokoro_here(monkeypatch, *, is_here: bool):
    def check(_options):
        if not is_here:
            raise EngineMissing("No weights.")
        return Readiness("weights")

    for name in ("kokoro", "kokoro-onnx"):
        monkeypatch.setitem(ENGINES, name, replace(ENGINES[name], check=check))


def test_what_auto_has_become_is_told_and_kept(site, tmp_path, monkeypatch):
    path = auto(note(tmp_path))
    kokoro_here(monkeypatch, is_here=False)
    first = run(path)
    assert (first.engines, len(first.made)) == (("espeak",), 1)
    assert "“auto” has become espeak" in first.warnings[0]
    assert "robotic" in first.warnings[1]
    kokoro_here(monkeypatch, is_here=True)
    second = run(path)
    assert (second.engines, second.made) == (("espeak",), ())
    assert "stays with espeak, though “auto” would be kokoro now" in second.warnings[0]
    path.write_text(path.read_text().replace('"auto"', '"tone"'))
    assert run(path).engines == ("tone",)


def test_a_voice_that_is_gone_is_not_replaced(site, tmp_path, monkeypatch):
    path = auto(note(tmp_path))
    with ShowState(path.with_name(path.name + SUFFIX)) as state:
        state.save_value("auto_engine", "kokoro")
    kokoro_here(monkeypatch, is_here=False)
    with pytest.raises(
        EngineMissing, match=r"read by kokoro.*\n?.*engine = \"espeak\".*No weights"
    ):
        run(path)
    assert not (tmp_path / "out" / "feed.xml").exists()
    with ShowState(path.with_name(path.name + SUFFIX)) as state:
        assert state.records() == {}
