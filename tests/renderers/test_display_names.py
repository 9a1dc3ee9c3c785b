"""Voices have names that people say, and narrators are told apart by every reader of lists."""

import re

from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.elevenlabs.account import ElevenLabsVoice
from audiomill.renderers.engine.display_names import human_name, one_narrator
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.kokoro.weights.releases import V1_0, release_named
from audiomill.renderers.kokoro.weights.voices import VoiceTable
from audiomill.renderers.piper.voice_files import speaker_name
from support.case_files import each_row


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
