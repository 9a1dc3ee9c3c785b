"""A book that a server reads with the voice of a recording, however the recording gets there."""

import numpy as np
import pytest
import soundfile

from support.book_data import write_book
from support.documents import documented
from support.speech_server import speech_server
from support.voice_data import voice_sound, write_voice

UPLOADING = ("chatterbox-devnen", "chatterbox-travisvn")
SECOND = pytest.param(UPLOADING[1], marks=pytest.mark.prove)


def user_of(home, server):
    return home.with_variables(
        AUDIOMILL_ENGINE="openai",
        AUDIOMILL_CLONED_VOICES=home.path / "voices",
        AUDIOMILL_OPENAI__PROFILE=server.kind,
        AUDIOMILL_OPENAI__URL=server.url,
    )


def spoken(report) -> np.ndarray:
    return soundfile.read(report["files"][0]["path"])[0]


@pytest.mark.parametrize("kind", ["xinference", UPLOADING[0], SECOND])
def test_a_book_by_a_cloned_voice(home, kind):
    book = write_book(home.path / "book.md", 1, 4)
    write_voice(home.path / "voices", "clara", voice_sound(seed=1))
    arguments = (book, "--voice", "clara", "--format", "flac", "--no-prefect")
    with speech_server(kind) as server:
        user = user_of(home, server)
        first = user.render(*arguments)
        assert first["rendered"] == first["segments"] == len(server.spoken) > 0
        assert len(server.uploads) == (kind in UPLOADING)
        same = user.render(*arguments)
        assert (same["rendered"], len(server.uploads)) == (0, kind in UPLOADING)
        heard = spoken(first)

        # The same server, started anew elsewhere without its recordings.
        with speech_server(kind) as moved:
            elsewhere = user_of(home, moved)
            assert elsewhere.render(*arguments)["rendered"] == 0
            assert (moved.uploads, moved.requests) == ([], [])
            write_voice(home.path / "voices", "clara", voice_sound(seed=2))
            again = elsewhere.render(*arguments)
            assert again["rendered"] == first["segments"]
            assert len(moved.uploads) == (kind in UPLOADING)
            other = spoken(again)
            assert len(other) != len(heard) or np.abs(other - heard).max() > 0.05


@pytest.mark.parametrize("kind", [UPLOADING[0], SECOND])
def test_a_server_that_lost_the_voice_ends_the_run_and_the_next_one_goes_on(home, kind):
    book = write_book(home.path / "book.md", 1, 4)
    write_voice(home.path / "voices", "clara", voice_sound(seed=1))
    arguments = (book, "--voice", "clara", "--format", "flac", "--no-prefect")
    with speech_server(kind, forgets_after=3) as server:
        user = user_of(home, server)
        words = user.refused(4, "render", *arguments)
        assert "no longer has the recording of clara" in words
        assert "keeps the recording of clara as audiomill-" in words
        report = user.render(*arguments)
        assert 0 < report["cached"] < report["segments"]
        assert len(server.uploads) == 2
        lost = spoken(report)
    with speech_server(kind) as steady:
        whole = user_of(home.with_variables(AUDIOMILL_STORE=home.path / "other"), steady)
        assert np.array_equal(spoken(whole.render(*arguments, "--out", home.path / "out")), lost)


def test_check_judges_for_the_server_of_the_settings_and_its_model(home):
    settings = home.with_variables(AUDIOMILL_CLONED_VOICES=home.path / "voices")
    write_voice(home.path / "voices", "good")
    words = documented("audiomill voices --check --engine openai")
    run = settings.with_variables(AUDIOMILL_OPENAI__PROFILE="xinference").run(*words[1:])
    assert "can be cloned by xinference" in run.stdout
    write_voice(home.path / "voices", "long", voice_sound(20.0), words="")

    def checked(profile, model="", voice="long"):
        user = settings.with_variables(
            AUDIOMILL_OPENAI__PROFILE=profile, AUDIOMILL_OPENAI__MODEL=model
        )
        return user.run("voices", "--check", voice, "--engine", "openai")

    for profile in ("xinference", *UPLOADING, "sglang-omni"):
        fine = checked(profile, voice="good")
        assert (fine.returncode, fine.stderr) == (0, "")
        assert f"can be cloned by {profile}" in fine.stdout
    for profile, model, words in (
        ("xinference", "", "not by xinference: 20.0 s are too long: 12 s at most"),
        ("xinference", "IndexTTS2", "not by xinference: 20.0 s are too long: 15 s at most"),
        ("xinference", "FishSpeech-1.5", "not by xinference: it needs reference.txt"),
        ("xinference", "CosyVoice2-0.5B", "can be cloned by xinference"),
        ("chatterbox-travisvn", "", "can be cloned by chatterbox-travisvn"),
    ):
        run = checked(profile, model)
        assert words in run.stdout, (profile, model, run.stdout, run.stderr)
        assert run.returncode == (4 if words.startswith("not") else 0)
    for profile, model in (("openai", ""), ("xinference", "MeloTTS-French"), ("vllm-omni", "")):
        run = checked(profile, model)
        assert run.returncode == 2
        assert "openai does not clone voices" in run.stderr
