"""The folder of a cloned voice: what is read of it, and the one clear line for each fault."""

import pytest

from audiomill.renderers.reference_voices.clones import cloning_engines, read_voices
from audiomill.renderers.reference_voices.voice import VoiceUnfit, read_voice
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


def change(**files):
    """A change of a folder: new contents of files; None removes one."""

    def made(place):
        for name, content in files.items():
            path = place / name.replace("__", ".")
            if content is None:
                path.unlink()
            else:
                path.write_bytes(content)

    return made


HEAD = b'name = "a"\nlanguage = "en"\nconsent = "yes"\n'


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (change(voice__toml=None), "voice.toml is missing"),
        (change(voice__toml=b"name ="), "voice.toml.*not (valid TOML|UTF-8)"),
        (change(voice__toml=b"\xff\xfe"), "voice.toml.*not (valid TOML|UTF-8)"),
        (change(voice__toml=b'language = "en"\nconsent = "yes"'), "has no name"),
        (change(voice__toml=b'name = "a"\nconsent = "yes"'), "has no language"),
        (change(voice__toml=b'name = "a"\nlanguage = "en"'), "has no consent. Write who allowed"),
        (change(voice__toml=b'name = "a"\nlanguage = "en"\nconsent = " "'), "has no consent"),
        (change(voice__toml=HEAD.replace(b'"en"', b'"x y z"')), "there is no language “x y z”"),
        (change(voice__toml=HEAD.replace(b'"a"', b'"a/b"')), "“a/b” is no name for a voice"),
        (change(voice__toml=HEAD.replace(b'"a"', b'".."')), "“..” is no name for a voice"),
        (change(voice__toml=HEAD.replace(b'"a"', b'"a@de"')), "“a@de” is no name for a voice"),
        (change(voice__toml=HEAD + b'speeker = "b"'), "no speeker. Did you mean speaker?"),
        (change(voice__toml=HEAD + b"speaker = 3"), "speaker is 3; write a text"),
        (change(voice__toml=HEAD + b"[kokoro]"), r"\[kokoro\]: no engine of this name clones"),
        (change(voice__toml=HEAD + b"[chaterbox]"), "Did you mean chatterbox?"),
        (change(voice__toml=HEAD + b"[xtts]\ntop = 2"), "no setting top.*It takes temperature"),
        (change(voice__toml=HEAD + b'[xtts]\ntop_k = "2"'), "top_k is '2'; write one like 50"),
        (change(voice__toml=HEAD + b"[dia]\ndtype = 2"), "a voice has no setting dtype"),
        (change(reference__wav=None), "has no recording: put a reference.wav there"),
        (
            change(reference__flac=b"x"),
            r"several recordings \(reference.flac, reference.wav\)",
        ),
        (change(reference__wav=None, reference__m4a=b"x"), "audiomill voices --replace --add"),
        (change(reference__txt=b" \n"), "reference.txt is empty"),
        (change(reference__txt=b"..."), "reference.txt is empty"),
        (change(reference__txt=b"\xff"), "reference.txt cannot be read .line 1 is not UTF-8"),
        (
            change(reference__txt=b"a" * 70_000),
            "reference.txt .*larger than 65,536",
        ),
    ],
)
def test_each_fault_is_one_clear_line(tmp_path, fault, words):
    place = write_voice(tmp_path)
    fault(place)
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
