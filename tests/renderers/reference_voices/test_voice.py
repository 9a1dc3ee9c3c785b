"""The folder of a cloned voice: what is read of it, and the one clear line for each fault."""

import pytest

from audiomill.renderers.reference_voices.clones import cloning_engines, read_voices
from audiomill.renderers.reference_voices.voice import VoiceUnfit, read_voice
from support.case_files import each_row_apart
from support.voice_data import CONSENT, WORDS, write_voice

ENGINES = cloning_engines()


def test_a_folder_is_read(tmp_path):
    place = write_voice(
        tmp_path,
        "folder",
        name="Grand-mother 2",
        language="german",
        speaker="Jane Doe",
        licence="CC0",
        source="an old tape",
        toml="[chatterbox]\nexaggeration = 1\n[xtts]\ntop_k = 20",
        words="  The lamp\n in the old lighthouse\twas lit again. ",
    )
    voice = read_voice(place, ENGINES)
    assert (voice.name, voice.language, voice.consent) == ("Grand-mother 2", "de", CONSENT)
    assert (voice.speaker, voice.licence, voice.source) == ("Jane Doe", "CC0", "an old tape")
    assert voice.text == "The lamp in the old lighthouse was lit again."
    assert voice.audio == place / "reference.wav"
    assert voice.settings_of("chatterbox") == (("exaggeration", 1.0),)
    assert voice.settings_of("xtts") == (("top_k", 20),)
    assert voice.settings_of("dia") == ()


@each_row_apart
def test_each_fault_is_one_clear_line(tmp_path, files, words):
    """Files of a voice have other contents, or, where that is None, are gone."""
    place = write_voice(tmp_path)
    for name, content in files.items():
        (place / name).unlink(missing_ok=True)
        if content is not None:
            (place / name).write_bytes(content)
    with pytest.raises(VoiceUnfit, match=words) as caught:
        read_voice(place, ENGINES)
    assert "\n" not in str(caught.value)
    assert str(place) in str(caught.value)


def test_one_broken_folder_spoils_no_other(tmp_path):
    write_voice(tmp_path, "anna", name="anna")
    write_voice(tmp_path, "bob", name="bob", consent="")
    write_voice(tmp_path, "copy of anna", name="anna")
    (tmp_path / "a file").write_text("is no voice")
    (tmp_path / ".anna.part").mkdir()
    found = read_voices(tmp_path, ENGINES)
    assert [voice.name for voice in found.voices] == ["anna"]
    faults = dict(found.faults)
    assert sorted(faults) == ["bob", "copy of anna"]
    assert "Change the name" in str(faults["copy of anna"])


def test_there_may_be_no_folder(tmp_path):
    assert read_voices(None, ENGINES).voices == ()
    assert read_voices(tmp_path / "nowhere", ENGINES).voices == ()


def test_no_text_is_a_voice_too(tmp_path):
    assert read_voice(write_voice(tmp_path, words=""), ENGINES).text == ""
    assert read_voice(write_voice(tmp_path, "b"), ENGINES).text == WORDS
