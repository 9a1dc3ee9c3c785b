"""Lexicons as a user meets them: what is rendered again, errors, suggestions, `say`."""

import json
import tomllib

import pytest

from audiomill.flows.cli.lexicon import suggest_words
from audiomill.flows.make_job import make_job
from audiomill.flows.settings import Settings
from support.case_files import each_row_apart
from support.documents import documented
from support.kokoro_home import with_kokoro
from support.paths import SAMPLES

BOOK = """\
# The Mill

Anna went to Worcester. Bert stayed at home. Nobody saw Worcester again. Bert was glad of it.
"""
FAST = ("--speed", "3")  # their sound does not matter


def rendered(home, engine="espeak"):
    """(segments rendered, segments found in the store) of a run."""
    report = home.render("book.md", "--engine", engine, *FAST, "--format", "flac")
    return report["rendered"], report["cached"]


def names(home, said, other="Nowhere"):
    path = home.path / "names.toml"
    path.write_text(f'[words]\n"Worcester" = "{said}"\n"Atlantis" = "{other}"\n')
    return home.with_variables(AUDIOMILL_LEXICONS=path)


def test_only_segments_that_hold_a_changed_entry_are_rendered_again(home):
    (home.path / "book.md").write_text(BOOK)
    assert rendered(home, "tone") == (5, 0)
    assert rendered(names(home, "Wooster"), "tone") == (2, 3)
    (path,) = home.library.rglob("*.flac")
    before = path.read_bytes()
    # One that does not occur changes nothing: the finished file is up to date.
    changed = names(home, "Wooster", "Elsewhere")
    report = changed.render("book.md", "--engine", "tone", *FAST, "--format", "flac")
    assert report["notes"] == []
    assert path.read_bytes() == before


def test_phonemes_change_the_segments_that_hold_them_and_only_where_they_are_taken(home):
    (home.path / "book.md").write_text(BOOK)
    assert rendered(home) == (5, 0)
    assert rendered(names(home, "/wˈʊstə/")) == (2, 3)
    assert rendered(names(home, "/wˈɪstə/", "/ətlˈæntɪs/")) == (2, 3)
    assert rendered(names(home, "/wˈɪstə/", "/ˈætləs/")) == (0, 5)
    assert rendered(home, "tone") == (5, 0)
    home = names(home, "/wˈʊstə/")
    report = home.render("book.md", "--engine", "tone", *FAST, "--format", "opus")
    assert (report["rendered"], report["cached"]) == (0, 5)
    assert any("tone does not take the phonemes" in one for one in report["warnings"])


def test_a_lexicon_beside_the_book_wins_over_those_of_all_books(home):
    (home.path / "book.md").write_text(BOOK)
    own = home.path / "config" / "audiomill" / "lexicon.toml"
    own.parent.mkdir(parents=True)
    own.write_text('[words]\nAnna = "first"\nBert = "first"\nNobody = "first"\n')
    (home.path / "audiomill.toml").write_text('lexicons = ["a.csv"]\n')
    (home.path / "a.csv").write_text("word,say\nBert,second\nNobody,second\n")
    (home.path / "book.lexicon.toml").write_text('[words]\nNobody = "third"\n')
    home.render("book.md", "--engine", "tone", "--format", "flac")
    out = home.path / "suggested.toml"
    home.json("lexicon", "suggest", "book.md", "--engine", "tone")
    (home.path / "book.md").write_text("# T\n\nSo Anna saw Bert, and Nobody saw Carl.\n")
    run = home.run("lexicon", "suggest", "book.md", "--engine", "tone", "--out", out)
    assert (run.returncode, run.stdout) == (0, f"{out}\n")
    assert tomllib.loads(out.read_text()) == {"words": {"Carl": "Carl"}}
    assert "So first saw second, and third saw Carl." not in out.read_text()
    assert "and third saw Carl" in out.read_text()


@each_row_apart
def test_what_is_wrong_with_a_lexicon_is_told_in_a_line(home, command, text, told):
    (home.path / "book.md").write_text(BOOK)
    (home.path / "names.toml").write_text(text)
    home = home.with_variables(AUDIOMILL_LEXICONS="names.toml")
    assert told in home.refused_in_a_line(2, command, "book.md", "--engine", "espeak")


def test_a_lexicon_that_is_not_there_is_told(home):
    (home.path / "book.md").write_text(BOOK)
    home = home.with_variables(AUDIOMILL_LEXICONS="a.toml")
    assert "a.toml: there is no such lexicon" in home.refused(2, "inspect", "book.md")


def test_say_prints_what_the_engine_is_given(home):
    words = documented('audiomill say --print "She came from Worcester with [Nguyen](/wˈɪn/)."')
    assert "She came from Worcester with Nguyen." in home.run(*words[1:]).stdout
    words = ["--print", "Anna saw Worcester’s [Nguyen](/wˈɪn/)."]
    run = names(home, "/ˈwʊstə/").run("say", "--engine", "espeak", *words)
    assert run.stdout == (
        "Anna saw Worcester’s Nguyen.\n  Anna saw [['|w|U|s|t|@|z]] [[w|'|I|n]].\n"
    )
    run = names(home, "Wooster").run("say", "--engine", "espeak", *words, "--json")
    assert json.loads(run.stdout)["spoken"] == ["Anna saw Wooster’s Nguyen."]


@pytest.mark.prove
def test_kokoro_is_given_phonemes(home):
    kokoro = with_kokoro(names(home, "/ˈwʊstər/"))
    run = kokoro.run("say", "--engine", "kokoro", "--print", "--json", "It is Worcester.")
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["given"] == ["ˌɪt ɪz wˈʊstəɹ."]
    (home.path / "book.md").write_text("# T\n\nSo he met Skerrin and Anna. Skerrin left.\n")
    run = kokoro.run("lexicon", "suggest", "book.md", "--engine", "kokoro")
    assert run.returncode == 0, run.stderr
    assert tomllib.loads(run.stdout) == {"words": {"Skerrin": "/skˈɛɹɪn/"}}
    assert "# 2 x: So he met Skerrin and Anna." in run.stdout


@each_row_apart
def test_words_that_every_voice_knows_are_no_suggestions(tmp_path, language, text):
    book = tmp_path / "book.md"
    book.write_text(f"---\nlanguage: {language}\n---\n# Start\n\n{text}\n")
    found = suggest_words(make_job(Settings(), book, engine="espeak"), most=10)
    assert [one.word for one in found.words] == ["Skerrin"]


@pytest.mark.parametrize(
    "words",
    [
        documented("audiomill lexicon suggest inputs/samples/the-lighthouse-mill.epub"),
        ["audiomill", "lexicon", "suggest", str(SAMPLES / "the-lighthouse-mill.md"), "--json"],
    ],
)
def test_suggestions_are_names_with_their_phonemes(home, words):
    words = [str(SAMPLES.parents[1] / one) if "/" in one else one for one in words]
    run = home.run(*words[1:], "--engine", "espeak", "--most", "5")
    assert run.returncode == 0, run.stderr
    if "--json" in words:
        found = {one["word"]: one["phonemes"] for one in json.loads(run.stdout)["words"]}
    else:
        found = {word: said.strip("/") for word, said in tomllib.loads(run.stdout)["words"].items()}
    assert len(found) == 5
    assert found["Ottoline"] == "ˈɒtəlˌiːn"
