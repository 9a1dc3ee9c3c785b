"""The voices of the engine `elevenlabs`: how they are listed, named and told a language."""

from urllib.parse import urlsplit

import pytest

from audiomill.renderers.elevenlabs.account import ElevenLabsVoice, voice_named
from audiomill.renderers.engine.errors import UnknownVoice
from support.case_files import each_row_apart
from support.elevenlabs_data import speak
from support.elevenlabs_replies import ANNAS, GEORGE, LENA, SARAH
from support.elevenlabs_server import elevenlabs_server


def test_all_pages_of_voices_are_read_once(renderer_of):
    with elevenlabs_server(n_more_voices=250) as server:
        renderer = renderer_of(server)
        assert len(renderer.voices()) == 256
        assert renderer.known_voice("voice 249") == f"v{249:019}"
        pages = [path for path in server.lists_asked if "/v2/voices" in path]
        assert [urlsplit(path).query for path in pages] == [
            "page_size=100",
            "page_size=100&next_page_token=100",
            "page_size=100&next_page_token=200",
        ]


def test_a_voice_is_named_by_its_id_or_its_name(renderer_of, server):
    renderer = renderer_of(server)
    for name in (SARAH, "Sarah", "sarah", "Sarah - Reassuring"):
        assert renderer.known_voice(name) == SARAH
    assert renderer.known_voice(ANNAS[1]) == ANNAS[1]
    assert renderer.known_voice("Anna - Old recording") == ANNAS[1]
    george = next(voice for voice in renderer.voices() if voice.name == GEORGE)
    assert (george.language, george.gender) == ("en", "male")
    assert george.description == "George - Warm Storyteller"


@each_row_apart
def test_a_voice_that_is_not_there_is_told_before_anything_is_spoken(
    renderer_of, server, name, words
):
    with pytest.raises(UnknownVoice) as raised:
        renderer_of(server).known_voice(name)
    assert words in str(raised.value)
    assert server.requests == []


def test_a_name_of_several_voices_is_refused_with_their_ids():
    voices = [("x1", "Ben - Calm"), ("x2", "Ben - Loud")]
    with pytest.raises(UnknownVoice) as raised:
        voice_named("ben", [ElevenLabsVoice(*one) for one in voices])
    assert "2 voices with the name 'ben'" in str(raised.value)
    assert "x1 (Ben - Calm), x2 (Ben - Loud)" in str(raised.value)


def test_the_default_voice_is_one_of_the_language(renderer_of, server):
    renderer = renderer_of(server)
    assert renderer.default_voice("en-GB") == GEORGE
    assert renderer.default_voice("de") == LENA
    assert renderer.default_voice("fr") == GEORGE  # nobody was recorded in it
    with pytest.raises(UnknownVoice, match="does not speak “cy”"):
        renderer.default_voice("cy")


def test_a_voice_may_be_told_its_language(renderer_of, server):
    renderer = renderer_of(server)
    speak(renderer, voice="George@de-AT")
    assert server.requests[0].body["language_code"] == "de"
    assert renderer.in_language(GEORGE, "fr") == GEORGE
    assert renderer.in_language(f"{GEORGE}@de", "fr") == f"{GEORGE}@fr"
    with pytest.raises(UnknownVoice, match="only en"):
        renderer_of(server, model="eleven_flash_v2").in_language(GEORGE, "fr")
    with pytest.raises(UnknownVoice, match="cannot be told a language: leave out @de"):
        renderer_of(server, model="eleven_multilingual_v2").known_voice("George@de")
