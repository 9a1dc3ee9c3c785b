"""Servers that keep recordings: each is uploaded once, and heard in every request afterwards."""

import io
import shutil
import wave
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.reference_voices.voice import VoiceUnfit
from support import server_rendering
from support.server_rendering import TEXT
from support.speech_server import speech_server, spoken_samples
from support.speech_uploads import voice_of_recording
from support.voice_data import voice_sound, write_voice

KINDS = ("chatterbox-devnen", "chatterbox-travisvn")
TITLES = {"chatterbox-devnen": "Chatterbox TTS Server", "chatterbox-travisvn": "Chatterbox TTS API"}
OWN = {"chatterbox-devnen": "Emily.wav", "chatterbox-travisvn": "anna"}


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def two_voices(tmp_path_factory):
    folder = tmp_path_factory.mktemp("voices")
    write_voice(folder, "clara", voice_sound(seed=1))
    write_voice(folder, "bob", voice_sound(seed=2))
    return folder


@pytest.fixture
def clones(two_voices, tmp_path):
    return shutil.copytree(two_voices, tmp_path / "voices")


def speak(renderer, voice="clara", text=TEXT):
    return server_rendering.speak(renderer, text, voice, outage_s=30.0).samples


def voice_names(renderer):
    return [voice.name for voice in renderer.voices()]


def assert_sounds_as_kept(samples, kept, text=TEXT):
    voice = voice_of_recording(kept.content, kept.language)
    assert np.abs(samples - spoken_samples(text, voice)).max() < 2 / 32768


def test_the_recording_is_uploaded_once_and_heard(kind, renderer_of):
    with speech_server(kind) as server:
        renderer = renderer_of(server)
        assert {"clara", "bob", OWN[kind]} <= {*voice_names(renderer)}
        assert server.uploads == []  # listing, and making keys, upload nothing
        clara, bob = speak(renderer), speak(renderer, "bob")
        assert np.array_equal(speak(renderer), clara)
        first, second = server.library.values()
        assert_sounds_as_kept(clara, first)
        assert_sounds_as_kept(bob, second)
        assert len(server.uploads) == 2
        assert [one.body["voice"] for one in server.requests] == [
            first.name,
            second.name,
            first.name,
        ]
    with wave.open(io.BytesIO(first.content)) as file:
        assert (file.getframerate(), file.getnchannels()) == (24_000, 1)
        assert file.getnframes() / 24_000 == pytest.approx(7.0, abs=0.1)


def test_the_name_follows_from_the_recording_and_is_that_of_no_voice_of_the_server(
    kind, renderer_of, server
):
    renderer = renderer_of(server)
    digest = renderer.fingerprint("clara").partition(" clone ")[2]
    speak(renderer)
    (name,) = server.library
    ending = {"chatterbox-devnen": ".wav", "chatterbox-travisvn": "-en"}[kind]
    assert name == f"audiomill-{digest[:12]}{ending}"
    assert name not in voice_names(renderer_of(server))
    assert server.url not in renderer.fingerprint("clara")


def test_many_threads_upload_a_voice_once(kind, renderer_of):
    texts = [f"The mill has {n} sails." for n in range(24)]
    with speech_server(kind) as server:
        renderer = renderer_of(server)
        with ThreadPoolExecutor(12) as threads:
            spoken = [*threads.map(lambda text: speak(renderer, "clara", text), texts)]
        assert len(server.uploads) == 1
        (kept,) = server.library.values()
        for samples, text in zip(spoken, texts, strict=True):
            assert_sounds_as_kept(samples, kept, text)


def test_what_the_server_already_has_is_not_uploaded_again(renderer_of, server):
    first = speak(renderer_of(server))
    assert np.array_equal(speak(renderer_of(server)), first)
    assert len(server.uploads) == 1


def test_another_recording_of_the_name_is_another_voice(renderer_of, clones, server):
    before = renderer_of(server)
    speak(before)
    write_voice(clones, "clara", voice_sound(seed=3))
    after = renderer_of(server)
    assert after.fingerprint("clara") != before.fingerprint("clara")
    assert_sounds_as_kept(speak(after), [*server.library.values()][-1])
    assert len(server.library) == 2


@pytest.mark.parametrize("status", [400, 413, 415, 422, 500])
def test_an_upload_that_is_refused_is_one_line(kind, status, renderer_of):
    with speech_server(kind, proxy_refuses=status) as server:
        with pytest.raises(EngineFailed) as raised:
            speak(renderer_of(server))
        words = f"{TITLES[kind]} does not take the recording of clara: {status} a web page."
        assert str(raised.value) == words
        assert (server.uploads, server.requests) == ([], [])


def test_what_the_server_says_of_a_recording_is_told(renderer_of, clones):
    """Chatterbox TTS API without its multilingual model speaks English only."""
    write_voice(clones, "claire", language="fr")
    with speech_server("chatterbox-travisvn") as server:
        match = "does not take the recording of claire: 400 Only English"
        with pytest.raises(EngineFailed, match=match):
            speak(renderer_of(server), "claire")
    with speech_server("chatterbox-travisvn", languages=("en", "fr")) as server:
        renderer = renderer_of(server)
        samples = speak(renderer, "claire")
        (kept,) = server.library.values()
        assert kept.language == "fr"
        assert_sounds_as_kept(samples, kept)
        assert renderer.fingerprint("claire").endswith(" fr")


def test_a_server_that_keeps_shorter_recordings_says_so(renderer_of, monkeypatch):
    monkeypatch.setattr("support.speech_uploads.DEVNEN_LONGEST_S", 5.0)
    with speech_server("chatterbox-devnen") as server:
        match = r"recording of clara: 400 Reference audio duration \(7\.\d\ds\) exceeds maximum"
        with pytest.raises(EngineFailed, match=match):
            speak(renderer_of(server))
        assert server.requests == []


def test_a_server_that_loses_what_it_takes_is_noticed(kind, renderer_of):
    with speech_server(kind, loses_uploads=True) as server:
        with pytest.raises(EngineFailed, match=r"took the recording of clara, but does not list"):
            speak(renderer_of(server))
        assert server.requests == []


def test_a_server_that_was_started_anew_lacks_the_voice_and_gets_it_again(
    kind, renderer_of, server
):
    """One says 404. The other one speaks with its default voice: nothing of that is kept."""
    renderer = renderer_of(server)
    first = speak(renderer)
    server.library.clear()
    with pytest.raises(EngineFailed) as raised:
        speak(renderer)
    words = f"{TITLES[kind]} no longer has the recording of clara (audiomill-"
    assert str(raised.value).startswith(words)
    assert "\n" not in str(raised.value)
    assert np.array_equal(speak(renderer), first)
    assert len(server.uploads) == 2


def test_a_loss_is_noticed_by_each_request_that_was_under_way(kind, renderer_of):
    """One of them uploads the voice again, so that a list tells the others nothing."""
    texts = [f"The mill has {n} sails." for n in range(24)]

    def spoken_or_why(renderer, text):
        try:
            return speak(renderer, "clara", text)
        except EngineFailed as error:
            return str(error)

    with speech_server(kind, forgets_after=8, latency_s=0.01) as server:
        renderer = renderer_of(server)
        with ThreadPoolExecutor(8) as threads:
            found = [*threads.map(lambda text: spoken_or_why(renderer, text), texts)]
        (kept,) = server.library.values()
    lost = [one for one in found if isinstance(one, str)]
    assert 1 <= len(lost) < len(texts)
    assert {one[:60] for one in lost} == {
        f"{TITLES[kind]} no longer has the recording of clara ({kept.name}"[:60]
    }
    for samples, text in zip(found, texts, strict=True):
        if not isinstance(samples, str):
            assert_sounds_as_kept(samples, kept, text)


def test_a_voice_of_the_servers_own_is_spoken_without_an_upload(kind, renderer_of, server):
    renderer = renderer_of(server)
    speak(renderer, OWN[kind])
    assert [one.body["voice"] for one in server.requests] == [OWN[kind]]
    assert (server.uploads, server.library) == ([], {})


def test_two_machines_that_begin_at_once_disturb_each_other_in_nothing(kind, renderer_of):
    """One server answers 409 to the second one, the other one says that it has the file."""
    with speech_server(kind, gets_twice=True) as server:
        samples = speak(renderer_of(server))
        (kept,) = server.library.values()
        assert_sounds_as_kept(samples, kept)


def test_what_the_servers_cannot_use_is_told_before_anything_is_sent(kind, renderer_of, clones):
    write_voice(clones, "brief", voice_sound(4.0), words="")
    with speech_server(kind) as server:
        renderer = renderer_of(server)
        if kind == "chatterbox-devnen":  # its usual model refuses 5 s and less
            with pytest.raises(VoiceUnfit, match=r"4\.\d s are too short: 5\.1 s"):
                renderer.fingerprint("brief")
        else:
            assert speak(renderer, "brief").any()  # the text is not read
