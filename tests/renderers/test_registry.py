"""Engines: opened by name on first use, their options, and the names of their voices."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.elevenlabs.account import ElevenLabsVoice
from audiomill.renderers.engine.declaration import Runs
from audiomill.renderers.engine.display_names import human_name, one_narrator
from audiomill.renderers.engine.errors import UnknownEngine
from audiomill.renderers.engine.options import EngineOptions, PaidOptions, checked
from audiomill.renderers.engine.registry import (
    ENGINES,
    engine_names,
    open_renderer,
    own_options,
    quick_engine_names,
)
from audiomill.renderers.isolated.catalogue import isolated_specs
from audiomill.renderers.kokoro.weights.releases import V1_0, release_named
from audiomill.renderers.kokoro.weights.voices import VoiceTable
from audiomill.renderers.piper.options import PiperOptions
from audiomill.renderers.piper.voice_files import speaker_name
from support.case_files import each_row
from support.process_data import printed_by


def test_every_engine_opens_under_its_name():
    assert quick_engine_names() == (
        "kokoro",
        "kokoro-onnx",
        "espeak",
        "orpheus",
        "paradee",
        "piper",
        "tone",
    )
    servers = [one.name for one in ENGINES.values() if one.runs is Runs.SERVER]
    assert engine_names() == (*quick_engine_names(), *servers, *isolated_specs())
    for name in ("espeak", "tone"):  # kokoro needs weights: see kokoro/test_renderer.py
        assert open_renderer(name).name == name


def test_concurrent_calls_load_an_engine_once():
    with ThreadPoolExecutor(8) as threads:
        engines = threads.map(lambda _: open_renderer("tone"), range(8))
    assert len({id(engine) for engine in engines}) == 1


def test_options_of_other_engines_load_no_second_engine():
    others = EngineOptions((PiperOptions(sample_rate=24_000),))
    assert open_renderer("tone", others) is open_renderer("tone")


def test_the_error_for_an_unknown_engine_names_the_engines():
    with pytest.raises(UnknownEngine, match="kokoro, kokoro-onnx, espeak, orpheus"):
        open_renderer("gramophone")


def test_a_servers_profile_that_is_taken_for_an_engine_is_told():
    with pytest.raises(UnknownEngine, match="kokoro-fastapi is not an engine but a pro"):
        open_renderer("kokoro-fastapi")


def test_listing_the_engines_imports_nothing_heavy():
    code = (
        "import sys; from audiomill.renderers.engine.registry import engine_names; engine_names();"
        "print(*sys.modules)"
    )
    heavy = {"numpy", "torch", "soundfile", "ctypes.util", "espeakng_loader"}
    assert not heavy & set(printed_by(code).split())


def test_paid_engines_can_have_a_budget():
    paid = {one.name for one in ENGINES.values() if isinstance(one.options(), PaidOptions)}
    assert paid == {"openai", "fish", "elevenlabs"}


@pytest.mark.parametrize("engine", ENGINES)
def test_each_engine_finds_its_own_options_and_no_others(engine):
    """Of engines of one kind the name decides."""
    every = EngineOptions(tuple(one.options() for one in ENGINES.values()))
    own = ENGINES[engine].options()
    assert own_options(engine, every) == own == own_options(engine, EngineOptions())
    assert every.having(own) == every
    assert EngineOptions().having(own).own == (own,)
    assert checked(own.blank()) == checked(own)


@each_row
def test_a_name_is_said_by_people(name, said):
    assert human_name(name) == said


@each_row
def test_kokoro_voices_are_people(voice, said):
    table = VoiceTable(V1_0.voices, "kokoro")
    assert table.display_name(voice) == said
    assert {one.name: one.display_name for one in table.voices}["af_heart"] == "Heart"


def test_numbered_kokoro_voices_are_called_voices():
    names = release_named("v1.1-zh").voices
    assert VoiceTable(names, "kokoro").display_name("zf_001") == "Voice 001"


@each_row
def test_espeak_voices_are_languages(voice, said):
    assert open_renderer("espeak").display_name(voice) == said


@each_row
def test_piper_voices_have_the_name_of_their_recordings(voice, said):
    assert speaker_name(voice) == said


def test_elevenlabs_voices_have_their_short_name():
    voice = ElevenLabsVoice("JBFq", "George - Warm, Captivating Storyteller")
    assert voice.listed().display_name == "George"


def test_the_engine_is_named_after_the_voice():
    tone = open_renderer("tone")
    assert one_narrator(tone.display_name("sine"), tone.title) == "Sine (test tones)"


@given(st.text())
def test_one_narrator_is_never_taken_for_two(voice):
    said = one_narrator(voice, "Engine")
    assert said.endswith(("Engine", " (Engine)"))
    assert not re.search(r"[,;&]| and ", said)
