"""Servers that speak a voice that they do not have with another one, and do not say so."""

import json
from contextlib import closing

import pytest

from audiomill.renderers.engine.errors import UnknownVoice
from audiomill.renderers.openai.options import ServerOptions
from audiomill.renderers.openai.profiles import PROFILES
from audiomill.renderers.openai.renderer import ServerRenderer
from support.server_rendering import TEXT, speak
from support.speech_audio import voice_heard
from support.speech_checks import refusal_of
from support.speech_profiles import PROFILES as STAND_INS
from support.speech_server import speech_server

SUBSTITUTING = [name for name, profile in PROFILES.items() if profile.substitutes]
TELL_OF_NONE = {"xinference", "faster-qwen3-tts"}  # the settings must name all


def test_they_are_those_whose_stand_ins_do_it():
    """No check of theirs refuses the voice, and somebody else speaks it."""

    def substitutes(stand_in):
        body = {"model": [*stand_in.models, "any"][0], "input": TEXT, "voice": "nobody"}
        return not refusal_of(stand_in, body) and stand_in.speaker("nobody") != "nobody"

    assert [name for name in PROFILES if substitutes(STAND_INS[name])] == SUBSTITUTING


@pytest.mark.parametrize("kind", SUBSTITUTING)
def test_a_voice_that_only_the_settings_name_is_told(kind, renderer_of, server):
    renderer = renderer_of(server, voices=("nobody", *server.profile.voices))
    (warning,) = renderer.warnings(["nobody"])
    assert warning == (
        f"{PROFILES[kind].title} does not say so if it speaks with another voice, and only the"
        " settings name nobody. Listen to the first minutes."
    )
    heard = voice_heard(
        speak(renderer, voice="nobody").samples,
        TEXT,
        ("nobody", server.profile.speaker("nobody")),
        renderer.sample_rate,
    )
    assert heard != "nobody"


@pytest.mark.parametrize("kind", sorted({*SUBSTITUTING} - TELL_OF_NONE))
def test_a_voice_that_is_known_needs_no_word(renderer_of, server):
    renderer = renderer_of(server)
    voice = renderer.default_voice("en")
    assert renderer.warnings([voice]) == ()
    with pytest.raises(UnknownVoice, match="nobody"):
        renderer.known_voice("nobody")
    assert server.requests == []


@pytest.mark.parametrize("kind", ["kokoro-fastapi", "speaches", "nari", "coqui"])
def test_a_server_that_refuses_unknown_voices_is_not_suspected(renderer_of, server):
    renderer = renderer_of(server, voices=server.profile.voices)
    assert renderer.warnings(server.profile.voices[:1]) == ()


def test_any_program_may_answer_at_another_address_than_openais(renderer_of):
    with speech_server("openai", lie="default voice") as server:
        renderer = renderer_of(server, voices=("alloy", "narrator"), price_per_million=15.0)
        (warning,) = renderer.warnings(["alloy", "narrator"])
        assert "only the settings name narrator." in warning
        heard = voice_heard(speak(renderer, voice="alloy").samples, TEXT, ("alloy", "ash"))
        assert heard == "ash"  # which no request can show: the warning is all that there is
    options = ServerOptions(voices=("alloy", "narrator"), price_per_million=15.0)
    with closing(ServerRenderer(options)) as own:
        assert own.warnings(["alloy", "narrator"]) == ()


@pytest.mark.parametrize(
    "model", [one for one in PROFILES["xinference"].models if one.startswith(("Melo", "Cosy"))]
)
def test_models_of_xinference_that_refuse_unknown_voices_are_not_suspected(model):
    options = ServerOptions(profile="xinference", model=model, voices=("nobody",))
    with closing(ServerRenderer(options)) as renderer:
        assert renderer.warnings(["nobody"]) == ()


def test_a_run_says_it_once(home):
    """In what people read, and in the report: once, however many segments the voice speaks."""
    (home.path / "b.md").write_text("# The Mill\n\nThe mill stands.\n\nThe sea is near.\n")
    with speech_server("faster-qwen3-tts") as server:
        table = f'[openai]\nprofile = "faster-qwen3-tts"\nurl = "{server.url}"\n'
        (home.path / "audiomill.toml").write_text(f'{table}voices = ["nobody"]\n')
        run = home.run("render", "b.md", "--engine", "openai", "--voice", "nobody")
    assert run.returncode == 0, run.stderr
    assert run.stderr.count("faster-qwen3-tts does not say so") == 1
    (report,) = home.library.rglob("report.json")
    warnings = json.loads(report.read_text())["warnings"]
    assert sum("Listen to the first minutes." in warning for warning in warnings) == 1
