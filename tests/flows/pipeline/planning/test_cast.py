"""A book in several voices: one set of batches, an edition of its own, and what a user is told."""

import json
from pathlib import Path

import numpy as np
import pytest

from audiomill.flows.errors import UsageError
from audiomill.flows.pipeline.api import inspect_source
from audiomill.flows.pipeline.planning.manuscript import read_manuscript
from audiomill.flows.pipeline.planning.plan import make_plan
from audiomill.renderers.engine.errors import UnknownVoice
from audiomill.renderers.engine.protocol import Batch
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.store.store import open_store
from support.book_data import book_job, rendered
from support.case_files import each_row_apart

TEXT = """# The Pier

## One

“Who left the lamp on?” asked Ruth. Nobody knew. “It was the keeper,” said Tom, “and he is gone.”

Tom sat down on a crate. “He took his boots,” said Ruth. “And his coat,” he said. The tide came in.

## Ruth

I rowed home at six. “Good night,” I said.
"""
CAST = 'dialogue = "reed"\n'
THREE = 'dialogue = "en-us+f3"\n[characters]\nRuth = "en-gb+f2"\n'


def job_for(folder: Path, content: str | None = CAST, text: str = TEXT, **choices):
    if content is not None:
        (folder / "pier.voices.toml").write_text(content)
    return book_job(folder, text, **{"name": "pier.md"} | choices)


def planned(job):
    return make_plan(read_manuscript(job), job, open_renderer(job.engine))


def voices(job):
    return [segment.voice for segment in read_manuscript(job).segments]


def test_three_voices_render_in_one_set_of_batches(tmp_path):
    """Each segment sounds as if its voice had rendered alone, and stays in its place."""
    job = job_for(tmp_path, THREE, engine="espeak")
    plan, renderer = planned(job), open_renderer("espeak")
    batches = [batch for window in plan.windows for batch in window.batches]
    requests = [request for batch in batches for request in batch.requests]
    assert {request.voice for request in requests} == {"en-us", "en-us+f3", "en-gb+f2"}
    assert len(plan.windows) == 1
    assert len(batches) == -(-len(requests) // renderer.limits.max_rows)
    assert any(len({request.voice for request in batch.requests}) == 3 for batch in batches)

    report = rendered(job)
    store = open_store(job.store)
    for request in requests:
        (alone,) = renderer.render(Batch((request,)))
        np.testing.assert_array_equal(store.get(request.key).samples, alone.samples)
    cues = [cue.segment_id for chapter in report.result.chapters for cue in chapter.cues]
    assert cues == [segment.id for segment in plan.segments]


def test_without_a_casting_file_nothing_changes(tmp_path):
    plain = planned(job_for(tmp_path, None))
    empty = planned(job_for(tmp_path, ""))
    assert plain.windows == empty.windows
    assert rendered(job_for(tmp_path, None)).result is not None
    assert rendered(job_for(tmp_path, "")).result is None


def test_a_cast_is_an_edition_and_an_edited_one_replaces_it(tmp_path):
    plain = rendered(job_for(tmp_path, None))
    cast = rendered(job_for(tmp_path))
    folders = [report.path.parent.name for report in (plain, cast)]
    assert folders == ["The Pier", "The Pier (sine, cast)"]
    assert cast.files[0].path.name == "The Pier (sine, cast).flac"
    assert cast.cached > 0  # the narrator's sentences without dialogue
    assert rendered(job_for(tmp_path)).result is None

    edited = rendered(job_for(tmp_path, '[characters]\nRuth = "reed"\n'))
    assert edited.path == cast.path
    assert edited.notes == (
        "Replaced, as made from an earlier text or settings: The Pier (sine, cast).flac.",
    )
    assert rendered(job_for(tmp_path, "", name="pier.md")).path == plain.path


def test_the_report_tells_how_much_each_voice_reads(tmp_path):
    report = rendered(job_for(tmp_path, THREE, engine="espeak"))
    full = json.loads(report.path.read_text())
    assert full["cast"] == str(tmp_path / "pier.voices.toml")
    by_voice = {share["voice"]: share for share in full["voices"]}
    assert {name: share["parts"] for name, share in by_voice.items()} == {
        "en-us": ["narrator"],
        "en-us+f3": ["dialogue"],
        "en-gb+f2": ["Ruth"],
    }
    assert by_voice["en-gb+f2"]["words"] == 9  # Who left the lamp on? He took his boots
    assert sum(share["segments"] for share in by_voice.values()) == full["segments"]
    spoken_s = sum(share["spoken_s"] for share in by_voice.values())
    assert 0.4 * full["audio_s"] < spoken_s < full["audio_s"]


def test_the_command_line_wins_over_the_file_and_that_over_settings(tmp_path):
    cast = 'narrator = "reed"\n'
    assert set(voices(job_for(tmp_path, cast, settings={"voice": "sine"}))) == {"reed"}
    assert set(voices(job_for(tmp_path, cast, voice="sine"))) == {"sine"}


def test_another_file_can_be_named(tmp_path):
    (tmp_path / "mine.toml").write_text('dialogue = "sine"\nnarrator = "reed"\n')
    job = job_for(tmp_path, "nonsense", cast=tmp_path / "mine.toml")
    assert set(voices(job)) == {"sine", "reed"}


WRONG_FILES = {
    "heading = 3": "heading: write the name of a voice",
    "dialog = 'reed'": "there is no part dialog. Did you mean dialogue?",
    "characters = 'reed'": "write characters as a table",
    "[characters]\nRuth = ['reed']": "Ruth: write the name of a voice",
    "dialogue =": "not valid TOML",
}


@pytest.mark.parametrize("content", WRONG_FILES)
def test_a_wrong_file_is_refused(tmp_path, content):
    with pytest.raises(UsageError) as error:
        job_for(tmp_path, content)
    assert str(tmp_path / "pier.voices.toml") in str(error.value)
    assert WRONG_FILES[content] in str(error.value)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        job_for(tmp_path, cast=tmp_path / "none.toml")


@each_row_apart
def test_a_voice_that_cannot_read_the_book_is_refused(tmp_path, engine, voice, words):
    job = job_for(tmp_path, f'[characters]\nRuth = "{voice}"\n', engine=engine)
    with pytest.raises(UnknownVoice) as error:
        read_manuscript(job)
    assert words in str(error.value)


def test_the_refusal_names_a_voice_that_would_do(tmp_path):
    job = job_for(tmp_path, 'dialogue = "de+f3"\n', engine="espeak")
    with pytest.raises(UnknownVoice, match=r"Write en-us\+f3, or"):
        read_manuscript(job)
    job_in_german = 'dialogue = "de+f3"\n'
    german = "---\nlanguage: de-AT\n---\n# Der Steg\n\n„Nein“, sagte Karl.\n"
    assert "de+f3" in voices(job_for(tmp_path, job_in_german, german, engine="espeak"))


def test_who_and_what_is_not_in_the_book_is_told(tmp_path):
    cast = '[characters]\n"ruth" = "reed"\nKarl = "reed"\n[chapters]\nRuth = "reed"\n9 = "reed"\n'
    warnings = read_manuscript(job_for(tmp_path, cast)).book.warnings
    assert [warning.partition("toml: ")[2].partition(" for sure")[0] for warning in warnings] == [
        "nothing is said by “Karl”",
        "there is no chapter “9”; audiomill inspect lists them.",
    ]


def test_dialogue_that_cannot_be_told_apart_is_told(tmp_path):
    finnish = "---\nlanguage: fi\n---\n# Laituri\n\n”Lähde”, hän sanoi.\n"
    (warning,) = read_manuscript(job_for(tmp_path, CAST, finnish)).book.warnings
    assert "what is said aloud is not told apart in “fi”" in warning


def test_inspect_lists_characters_and_voices(tmp_path):
    seen = inspect_source(job_for(tmp_path, '[characters]\nRuth = "reed"\n'))
    assert [(one.name, one.speeches, one.voice) for one in seen.characters] == [
        ("Ruth", 2, "reed"),
        ("Tom", 2, None),
        ("I", 1, None),
    ]
    assert [(share.voice, share.spoken_s) for share in seen.voices] == [
        ("sine", None),
        ("reed", None),
    ]


FOREIGN = """<!DOCTYPE html><html lang="en-US"><head><title>The Pier</title></head><body>
<p>He sang <i lang="fr">allons enfants de 1914 ici</i> twice.</p>
<p lang="en-GB">He sat on the pavement.</p>
<p lang="de">Das Boot fährt um 6 Uhr.</p>
<p lang="tlh">Heghlu’meH QaQ jajvam.</p>
</body></html>"""


def foreign_voices(folder, foreign, voice):
    settings = {"foreign": foreign}
    job = job_for(
        folder, None, FOREIGN, name="pier.html", settings=settings, voice=voice, engine="espeak"
    )
    manuscript = read_manuscript(job)
    return [(one.voice, one.spoken) for one in manuscript.segments], manuscript.book.warnings


def test_the_narrator_pronounces_foreign_passages(tmp_path):
    spoken, warnings = foreign_voices(tmp_path, "narrator", "en-us+f3")
    assert spoken == [
        ("en-us+f3", "He sang"),
        ("fr-fr+f3", "allons enfants de mille neuf cent quatorze ici"),
        ("en-us+f3", "twice."),
        ("en-us+f3", "He sat on the pavement."),
        ("de+f3", "Das Boot fährt um sechs Uhr."),
        ("en-us+f3", "Heghlu’meH QaQ jajvam."),
    ]
    (warning,) = warnings
    assert warning.startswith(
        "Passages in “tlh” are read by the narrator as if they were in “en-US”"
    )


def test_another_voice_reads_foreign_passages_where_it_is_asked_for(tmp_path):
    spoken, _ = foreign_voices(tmp_path, "voice", "en-us+f3")
    assert [voice for voice, _ in spoken] == [
        "en-us+f3",
        "fr-fr",
        "en-us+f3",
        "en-us+f3",
        "de",
        "en-us+f3",
    ]
