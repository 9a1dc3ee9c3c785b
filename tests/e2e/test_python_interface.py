"""`import audiomill`: the examples of the docs run, and the results equal the program's."""

import json
import re
import subprocess
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

import audiomill
from audiomill import kokoro
from audiomill.flows.pipeline.report_parts import ReportedRemark
from audiomill.flows.pipeline.suspects import Suspect
from audiomill.renderers.engine.errors import EngineFailed, UnknownVoice
from audiomill.renderers.engine.planning import make_request
from audiomill.renderers.engine.protocol import Batch
from audiomill.renderers.kokoro.renderer import KokoroRenderer
from support.case_files import each_row_apart
from support.documents import blocks, documented, process_of
from support.epub_data import three_chapters
from support.kokoro_reference import folder
from support.paths import ROOT, SAMPLES
from support.process_data import printed_by

PAGE = (ROOT / "docs" / "python.md").read_text("utf-8")
# The one that sets up Prefect is run in test_serve_podcast.py, on a server.
# But the module of an engine, which does nothing alone.
EXAMPLES = [one for one in blocks("python") if "prefect" not in one and "ENGINE = " not in one]
TEXTS = ("A lamp stood in the window.", "Nobody had lit it.", "It burned.")


@pytest.fixture(scope="module")
def options() -> kokoro.KokoroOptions:
    return kokoro.KokoroOptions(weights=folder("reduced"), device="cpu", workers=0)


@pytest.mark.parametrize(
    "example",
    # Those with Kokoro take seconds.
    [pytest.param(one, marks=[pytest.mark.prove] * ("kokoro." in one)) for one in EXAMPLES],
)
def test_an_example_of_the_docs_runs(home, example):
    three_chapters().write(home.path)
    (home.path / "weights").symlink_to(folder("reduced"))
    (home.path / "inputs").symlink_to(ROOT / "inputs")
    run = replace(home, program=("-c", example), imports=()).run()
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip()


def test_the_package_is_the_program(home):
    words = process_of(documented("python -m audiomill"))
    run = subprocess.run(words, env=home.environment, capture_output=True, text=True, check=True)
    assert run.stdout == home.run("--help").stdout


def test_the_json_has_the_keys_of_the_docs(home):
    words = documented("audiomill render --json")[1:]
    (home.path / "b.md").write_text("# A\n\nA mill.\n")
    home.run("render", "b.md", "--engine", "tone", "--format", "flac", "--speed", "1")
    printed = json.loads(home.run(*words, "b.md", "--engine", "tone", "--format", "mp3").stdout)
    (file,), (other,) = printed["files"], printed["other_files"]
    report = json.loads(Path(printed["report"]).read_text())
    section = PAGE.partition("## The same as JSON")[2].partition("\n## ")[0]
    section = section.partition("`audiomill plot`")[0]
    named = {*re.findall(r"`(\w+)`", section)} - {"books", "errors"}  # of several sources
    assert {*printed, *file, *other} <= named
    suspect = {one.name for one in fields(Suspect)}
    remark = {one.name for one in fields(ReportedRemark)}
    assert named <= {*printed, *file, *other, *report, *suspect, *remark}
    assert suspect <= named


def test_importing_it_loads_nothing_heavy():
    code = "import sys, audiomill; print(*sys.modules)"
    loaded = set(printed_by(code).split())
    own = {name for name in loaded if name.startswith("audiomill")}
    assert own - {"audiomill"} == {name for name in own if "editable" in name}
    assert not {"numpy", "torch", "prefect", "pydantic"} & loaded


def test_every_public_name_is_there_and_explained():
    for name in audiomill.__all__:
        assert getattr(audiomill, name).__doc__
        assert name in PAGE or name == "kokoro"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        audiomill.nothing  # noqa: B018 - the access is the test


def test_it_inspects_what_the_command_inspects(home, monkeypatch):
    monkeypatch.chdir(home.path)
    book = SAMPLES / "the-lighthouse-mill.md"
    command = home.json("inspect", book, "--engine", "tone")
    found = audiomill.inspect(book, engine="tone")
    assert [chapter.title for chapter in found.chapters] == [
        chapter["title"] for chapter in command["chapters"]
    ]
    assert (found.title, found.segments) == (command["title"], command["segments"])
    assert sum(chapter.expected_s for chapter in found.chapters) > 60


@each_row_apart
def test_a_wrong_file_beside_the_book_is_one_of_the_errors(tmp_path, ending, text, named):
    (tmp_path / "book.md").write_text("# A\n\nNguyen came.\n")
    (tmp_path / f"book.{ending}").write_text(text)
    with pytest.raises(audiomill.UsageError, match=named):
        audiomill.inspect(tmp_path / "book.md", engine="espeak")


def test_a_second_render_renders_nothing(tmp_path):
    (tmp_path / "book.md").write_text("# One\n\nA mill.\n\n# Two\n\nIt is read by nobody.\n")
    arguments = {"engine": "tone", "chapters": "1", "out": tmp_path, "store": str(tmp_path / "s")}
    first, again = (audiomill.render(tmp_path / "book.md", **arguments) for _ in range(2))
    assert first.rendered > 0
    assert again.rendered == 0
    assert [file.path for file in again.files] == [file.path for file in first.files]
    assert first.files[0].path.stat().st_size > 5_000


@pytest.mark.prove
def test_a_text_has_the_samples_that_a_book_gets(options):
    renderer = KokoroRenderer(options)
    voice = renderer.default_voice("en-US")
    requests = [make_request(text, voice, renderer, 1.0) for text in TEXTS]
    expected = [renderer.render(Batch((request,)))[0] for request in requests]
    found = list(kokoro.Synthesizer(options).speak(iter(TEXTS), voice=voice))
    assert len(found) == len(TEXTS)
    for speech, rendered in zip(found, expected, strict=True):
        np.testing.assert_array_equal(speech.samples, rendered.samples)
        assert speech.words == rendered.timings
        assert speech.duration_s == rendered.samples.size / 24_000


@pytest.mark.prove
def test_texts_are_read_as_they_are_needed(options):
    def endless():
        while True:
            yield "No."  # as many as a batch has are spoken for the first one

    speech = kokoro.Synthesizer(options).speak(endless())
    first, second = next(speech), next(speech)
    np.testing.assert_array_equal(first.samples, second.samples)


@pytest.mark.prove
def test_phonemes_are_spoken_as_they_are_with_a_time_for_each_part(options):
    synthesizer = kokoro.Synthesizer(options)
    (speech,) = synthesizer.speak_phonemes(["  həlˈO   wˈɜɹld."])
    assert [(word.start, word.end) for word in speech.words] == [(2, 7), (10, 17)]
    assert 0 <= speech.words[0].start_s < speech.words[0].end_s <= speech.words[1].start_s
    assert speech.words[1].end_s <= speech.duration_s
    (alone,) = synthesizer.speak_phonemes(["həlˈO wˈɜɹld."])
    assert alone.duration_s == speech.duration_s


@pytest.mark.prove
def test_more_phonemes_than_a_row_holds_are_all_spoken(options):
    long = " ".join(["həlˈO"] * 120)  # 839 characters
    (speech,) = kokoro.Synthesizer(options).speak_phonemes([long])
    assert len(speech.words) == 120
    assert speech.words[-1].end == len(long)


@pytest.mark.prove
def test_what_cannot_be_spoken_is_refused(options):
    synthesizer = kokoro.Synthesizer(options)
    with pytest.raises(UnknownVoice):
        synthesizer.speak(TEXTS, voice="nobody")
    with pytest.raises(EngineFailed, match="no token for '\U0001f600'"):
        next(synthesizer.speak_phonemes(["\U0001f600"]))
    with pytest.raises(EngineFailed, match="speeds from"):
        next(synthesizer.speak(TEXTS, speed=9.0))
