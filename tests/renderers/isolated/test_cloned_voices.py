"""An engine in an environment of its own speaks with recordings, and sounds as they do.

The engine "tones" refuses a recording that is not mono, of 16 bits and at its rate.
"""

import shutil

import numpy as np
import pytest

from audiomill.renderers.engine.errors import UnknownVoice
from audiomill.renderers.engine.planning import make_request
from audiomill.renderers.engine.protocol import Batch
from audiomill.renderers.reference_voices.voice import VoiceUnfit
from support.isolated_data import tones_spec
from support.voice_data import WORDS, voice_sound, write_voice


def speak(renderer, *voices, text="hello there"):
    requests = tuple(make_request(text, voice, renderer, 1.0) for voice in voices)
    return [one.samples for one in renderer.render(Batch(requests))]


def key(renderer, voice="grandmother"):
    return make_request("hello", voice, renderer, 1.0).key


def test_cloned_voices_are_listed_beside_the_models_own(tones, tmp_path):
    write_voice(tmp_path / "voices", language="de", speaker="Jane Doe")
    renderer = tones()
    assert [voice.name for voice in renderer.voices()] == ["grandmother", "low", "sine"]
    voice = renderer.voices()[0]
    assert (voice.language, voice.description) == ("de", "cloned from a recording of Jane Doe")
    assert renderer.default_voice("de") == "low@de"  # a voice of its own comes first
    assert renderer.known_voice("grandmother@en") == "grandmother@en"
    assert renderer.in_language("grandmother", "en") == "grandmother@en"


def test_a_worker_gets_the_cleaned_recording_its_words_and_settings(tones, tmp_path):
    sound = voice_sound(6.0, 44_100, before_s=1.0, after_s=1.0)
    stereo = np.stack((sound, sound), axis=1)
    voices = tmp_path / "voices"
    write_voice(voices, "a", stereo, rate=44_100, name="grandmother", toml="[xtts]\ntop_k = 9")
    renderer = tones()
    row = renderer._row(make_request("hello", "grandmother", renderer, 1.0))
    message = row.as_message()
    assert (message["voice"], message["language"], message["settings"]) == ("", "en", {})
    assert message["reference"]["text"] == WORDS
    (kept,) = (tmp_path / "environments" / "tones" / "references").iterdir()
    assert message["reference"]["audio"] == str(kept)
    assert kept.stat().st_size == pytest.approx(44 + 6.2 * 8000 * 2, rel=0.02)
    assert speak(renderer, "grandmother")[0].any()


def test_the_sound_depends_on_the_recording_and_not_on_the_batch(tones, tmp_path):
    write_voice(tmp_path / "voices", "anna", voice_sound(seed=1))
    write_voice(tmp_path / "voices", "bob", voice_sound(seed=2))
    renderer = tones()
    anna, bob, own = speak(renderer, "anna", "bob", "sine")
    assert len({one.tobytes() for one in (anna, bob, own)}) == 3
    assert np.array_equal(speak(renderer, "bob")[0], bob)


def test_rows_with_settings_of_their_own_are_never_in_one_call(tones, tmp_path):
    write_voice(tmp_path / "voices", "anna", toml="[chatterbox]\nexaggeration = 0.9")
    write_voice(tmp_path / "voices", "bob", toml="[tones]\nwarmth = 2.5")
    settings = {"log": str(tmp_path / "log"), "rows_per_call": 4}
    renderer = tones(batch=4, settings=settings)
    speak(renderer, "anna", "sine", "bob", "bob", "low")
    calls = [line.count("\t") + 1 for line in (tmp_path / "log").read_text().splitlines()]
    assert calls == [2, 2, 1]
    alone = [speak(renderer, voice)[0] for voice in ("anna", "bob")]
    assert not np.array_equal(*alone)


def test_only_what_an_engine_hears_makes_another_key(tones, tmp_path):
    folder, sound = tmp_path / "voices", voice_sound()

    def key_with(folder_name="grandmother", **change):
        shutil.rmtree(folder, ignore_errors=True)
        write_voice(folder, folder_name, **{"sound": sound, "name": "grandmother"} | change)
        return key(tones())

    before = key_with()
    assert before == key_with("another folder")
    for change in (
        {"consent": "Somebody else, later."},
        {"speaker": "Jane Doe", "licence": "CC0", "source": "a tape"},
        {"audio": "reference.flac"},
        {"words": WORDS.replace(" ", " \n ")},
        {"toml": "[xtts]\ntop_k = 20"},
    ):
        assert key_with(**change) == before, change
    assert before != key_with(sound=voice_sound(seed=2))
    assert before != key_with(sound=voice_sound(6.9))
    assert before != key_with(words=f"{WORDS[:-1]}!")
    assert before != key_with(toml="[tones]\nwarmth = 2")


def test_words_count_only_where_the_engine_reads_them(tones, tmp_path):
    write_voice(tmp_path / "voices")
    deaf = tones_spec(reference_text="unused")
    before = key(tones(spec=deaf))
    write_voice(tmp_path / "voices", words=f"{WORDS[:-1]}!")
    assert key(tones(spec=deaf)) == before


def test_an_engine_with_no_voice_but_cloned_ones_speaks_with_those(tones, tmp_path):
    spec = tones_spec(settings=(*tones_spec().settings, ("voiceless", 1)))
    with pytest.raises(UnknownVoice, match=r"needs a recording to clone: audiomill voices --add"):
        tones(spec=spec).default_voice("en")
    write_voice(tmp_path / "voices", language="de")
    assert tones(spec=spec).default_voice("de") == "grandmother"


def test_a_voice_that_cannot_be_used_says_why_and_spoils_no_other(tones, tmp_path):
    write_voice(tmp_path / "voices", "short", voice_sound(2.0))
    write_voice(tmp_path / "voices", "mute", words="")
    write_voice(tmp_path / "voices", "secret", consent="")
    write_voice(tmp_path / "voices", "noisy", voice_sound(noise_db=-30.0))
    renderer = tones(spec=tones_spec(reference_s=(3.0, 6.0)))
    assert speak(renderer, "sine")[0].any()
    for voice, words in (
        ("short", r"The voice short .* cannot be used. The voice is 2.0 s long"),
        ("secret", "has no consent"),
        ("noisy", "Tones cannot clone noisy .* 7.0 s are too long: 6 s at most"),
    ):
        with pytest.raises(VoiceUnfit, match=words):
            renderer.known_voice(voice)
    longer = tones()
    with pytest.raises(VoiceUnfit, match=r"Tones cannot clone mute .* it needs reference.txt"):
        longer.known_voice("mute")
    assert any("The recording of noisy is not good: The noise" in one for one in warned(longer))


def warned(renderer):
    return renderer.warnings(["noisy", "sine"])


def test_an_engine_that_cannot_clone_has_no_cloned_voices(tones, tmp_path):
    write_voice(tmp_path / "voices")
    renderer = tones(spec=tones_spec(reference_text=""))
    assert [voice.name for voice in renderer.voices()] == ["low", "sine"]
    with pytest.raises(UnknownVoice, match="no voice 'grandmother'"):
        renderer.known_voice("grandmother")


def test_a_recording_is_cleaned_once_and_a_lost_one_again(tones, tmp_path):
    write_voice(tmp_path / "voices")
    first = speak(tones(), "grandmother")[0]
    (kept,) = (tmp_path / "environments" / "tones" / "references").iterdir()
    content, changed = kept.read_bytes(), kept.stat().st_mtime_ns
    assert np.array_equal(speak(tones(), "grandmother")[0], first)
    assert kept.stat().st_mtime_ns == changed
    kept.unlink()
    assert np.array_equal(speak(tones(), "grandmother")[0], first)
    assert kept.read_bytes() == content
