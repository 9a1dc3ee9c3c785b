"""What is said is compared with the text: what is not said is rendered again, or told."""

import errno
import json
import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from audiomill.flows.cli.parser import build_parser
from audiomill.flows.execution.run_context import Interrupted, RunContext
from audiomill.flows.pipeline import speech_check
from audiomill.renderers.engine.declaration import Engine
from audiomill.renderers.engine.errors import EngineMissing
from audiomill.renderers.engine.protocol import Batch
from audiomill.renderers.engine.registry import ENGINES
from audiomill.renderers.host.waiting import UNATTENDED
from audiomill.renderers.speech import whisper
from audiomill.renderers.store.local import LocalBackend
from audiomill.renderers.takes.retaking import MAX_VAIN
from audiomill.renderers.tone.renderer import ToneRenderer
from support.book_data import book_job, rendered, samples_of, source_job
from support.documents import documented
from support.tone_words import words_in

RATE = ToneRenderer.sample_rate
FIRST = "Carters waited beside the harbour."
SECOND = "Nobody remembered where the lighthouse stood."
THIRD = "Seventeen lanterns burned until morning."
TEXT = f"{FIRST}\n\n{SECOND}\n\n{THIRD}\n"
SHORTER = "Nobody remembered stood."
OTHER = "Seventeen Carters remembered lanterns morning."
VOCABULARY = TEXT.split()


class MisspeakingTone(ToneRenderer):
    """Says other words for a text in its first takes. Takes differ if it `varies`."""

    def __init__(self, n_retakes: int, said: dict[str, list[str]]) -> None:
        super().__init__()
        self.limits = replace(ToneRenderer.limits, n_retakes=n_retakes)
        self.said = said
        self.takes: list[str] = []

    def render(self, batch, _waiter=UNATTENDED):
        take = batch.first_take // (self.limits.n_retakes + 1)
        return [self._take(request, take) for request in batch.requests]

    def _take(self, request, take):
        said = [*self.said.get(request.spoken, ()), request.spoken]
        self.takes.append(request.spoken)
        says = replace(request, spoken=said[min(take, len(said) - 1)])
        (one,) = super().render(Batch((says,)))
        return one if says == request else replace(one, timings=())


class ToneListener:
    """Knows the words of tones by their pitch."""

    identity = "tones"

    def __init__(self, context: RunContext | None = None, n_until_stop: int = -1) -> None:
        self.heard: list[str] = []
        self.context, self._n_until_stop = context, n_until_stop

    def knows(self, language):
        return language != "eo"

    def transcript(self, samples, _sample_rate, _language, _n_guesses=1):
        if not np.any(samples):
            return ""
        words = " ".join(words_in(samples, VOCABULARY))
        self.heard.append(words)
        if len(self.heard) == self._n_until_stop:
            self.context.stop.set()
        return words


@pytest.fixture
def speaking(tmp_path, monkeypatch):
    """Renders the text by an engine that says other words, and listens."""

    def speak(engine, listener, folder="a", **choices):
        name = f"misspeaking {id(engine)}"  # opened engines are kept by their names
        monkeypatch.setitem(ENGINES, name, Engine(name, lambda _options: engine))
        monkeypatch.setattr(speech_check, "open_whisper", lambda _model: listener)
        settings = {"library": tmp_path / folder, "store": str(tmp_path / folder / "store")}
        text, settings["check_speech"] = choices.pop("text", TEXT), True
        job = book_job(tmp_path, text, engine=name, settings=settings, **choices)
        return rendered(job, listener.context)

    return speak


def audio_of(report) -> np.ndarray:
    return samples_of(report.files[0].path)


def test_words_that_are_not_said_are_told_with_their_time(speaking, capfd):
    engine = MisspeakingTone(0, {SECOND: [SHORTER]})
    report = speaking(engine, ToneListener())
    (suspect,) = json.loads(Path(report.path).read_text())["suspects"]
    assert (suspect["fault"], suspect["text"]) == ("other words than its text", SECOND)
    assert suspect["words"] == "“where the lighthouse” is missing"
    first_s = (len(FIRST) + len("Nobody remembered ")) * 0.06  # and pauses before it
    assert first_s < suspect["at_s"] < first_s + 3
    assert "1 segment may sound wrong" in " ".join(report.warnings)
    assert (engine.takes.count(SECOND), report.extra_takes) == (1, 0)
    assert "3 segments are checked by recognition, which takes about" in capfd.readouterr().err


def test_the_take_that_says_the_text_is_what_is_heard_in_the_file(speaking):
    wrong = {SECOND: [SHORTER], THIRD: [OTHER, OTHER]}
    engine, listener = MisspeakingTone(2, wrong), ToneListener()
    report = speaking(engine, listener, "mended")
    assert words_in(audio_of(report), VOCABULARY) == VOCABULARY
    assert (report.result.suspects, report.extra_takes) == ((), 3)
    good = speaking(MisspeakingTone(2, {}), ToneListener(), "good")
    assert np.array_equal(audio_of(report), audio_of(good))


def test_the_nearest_take_is_kept_if_none_says_the_text_and_no_run_tries_again(speaking):
    gone = "Seventeen."
    engine, listener = MisspeakingTone(2, {THIRD: [gone, OTHER, gone]}), ToneListener()
    report = speaking(engine, listener, formats=["flac"], transcripts=["vtt"])
    (suspect,) = report.result.suspects
    assert suspect.words.endswith(", in the best of 3 takes")
    assert words_in(audio_of(report), VOCABULARY)[-5:] == OTHER.split()
    n_heard, n_takes = len(listener.heard), len(engine.takes)
    again = speaking(engine, listener, formats=["mp3"])
    assert (len(listener.heard), len(engine.takes)) == (n_heard, n_takes)
    assert again.result.suspects == report.result.suspects
    finished = speaking(engine, listener, formats=["mp3"])
    assert finished.result is None
    assert any("not checked" in note for note in finished.notes)


def test_a_voice_that_is_always_heard_otherwise_is_not_rendered_again_for_ever(speaking):
    words = ("Harbour", "Lanterns", "Until", "Stood", "Where", "Waited")
    texts = [f"{word} {FIRST}" for word in words]
    engine = MisspeakingTone(1, {text: ["Nobody.", "Nobody."] for text in texts})
    report = speaking(engine, ToneListener(), text="\n\n".join(texts))
    assert {one.text for one in report.result.suspects} == {*texts}
    assert report.extra_takes == MAX_VAIN < len(texts)


def test_a_store_that_may_only_be_read_has_its_takes_told_and_keeps_them(speaking, monkeypatch):
    engine = MisspeakingTone(0, {SECOND: [SHORTER]})
    speaking(engine, ToneListener(), formats=["flac"])
    engine.limits = replace(engine.limits, n_retakes=2)

    @contextmanager
    def read_only(_backend):
        raise OSError(errno.EROFS, "only to be read")
        yield

    monkeypatch.setattr(LocalBackend, "session", read_only)
    report = speaking(engine, ToneListener(), formats=["mp3"])
    assert [one.text for one in report.result.suspects] == [SECOND]
    assert report.extra_takes == 0


def test_a_stopped_run_loses_the_segment_in_hand(speaking):
    context = RunContext()
    stopped, rest = ToneListener(context, n_until_stop=2), ToneListener()
    engine = MisspeakingTone(0, {})
    with pytest.raises(Interrupted):
        speaking(engine, stopped)
    speaking(engine, rest)
    assert len(stopped.heard) == 2
    assert sorted(stopped.heard + rest.heard) == sorted([FIRST, SECOND, THIRD])


def test_a_language_that_cannot_be_compared_is_told(speaking):
    book = f"---\nlanguage: eo\n---\n\n{TEXT}"
    listener = ToneListener()
    report = speaking(MisspeakingTone(0, {SECOND: [SHORTER]}), listener, text=book)
    assert "What is said in the language eo cannot be checked." in report.warnings
    assert (listener.heard, report.result.suspects) == ([], ())


@pytest.fixture
def book(tmp_path):
    (tmp_path / "book.md").write_text(TEXT)
    return tmp_path / "book.md"


def refusal(book, model="base") -> str:
    """What a run says that cannot listen. Nothing is rendered before."""
    job = source_job(book, settings={"speech_model": str(model)}, check_speech=True)
    with pytest.raises(EngineMissing) as refused:
        rendered(job)
    assert not (book.parent / "store").exists()
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_without_its_packages_a_run_says_how_to_install_them(book, monkeypatch):
    assert (
        build_parser()
        .parse_args(
            documented("audiomill render inputs/samples/the-lighthouse-mill.md --check-speech")[1:]
        )
        .check_speech
    )
    monkeypatch.setattr(whisper, "find_spec", lambda _name: None)
    assert "needs faster_whisper and rapidfuzz. Install what it needs:" in refusal(book)
    assert "check-speech" in refusal(book)


def test_without_its_model_a_run_says_where_to_put_it(book, monkeypatch):
    asked = []

    def download_model(name, *, local_files_only=False):
        asked.append((name, local_files_only))
        raise OSError("the hub is away")

    monkeypatch.setattr(whisper, "find_spec", lambda _name: True)
    package = SimpleNamespace(download_model=download_model)
    monkeypatch.setitem(sys.modules, "faster_whisper", package)
    errors = SimpleNamespace(HfHubHTTPError=type("HubError", (OSError,), {}))
    monkeypatch.setitem(sys.modules, "huggingface_hub.errors", errors)
    told = refusal(book)
    assert told.startswith("Whisper's model base is not here and cannot be fetched")
    assert "the hub is away" in told
    assert "speech_model" in told
    assert asked == [("base", True), ("base", False)]
    (book.parent / "empty").mkdir()
    assert "has no model.bin" in refusal(book, book.parent / "empty")
