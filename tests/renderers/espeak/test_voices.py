"""espeak-ng's voices: all speak, each language has one, and missing files are reported."""

import sys

import numpy as np
import pytest

from audiomill.renderers.engine.errors import EngineMissing, UnknownVoice
from audiomill.renderers.espeak import renderer as espeak
from audiomill.renderers.espeak.renderer import EspeakRenderer
from support.case_files import each_row
from support.espeak_data import ESPEAK, FOX, digest, say


def test_every_voice_speaks():
    for voice in ESPEAK.voices():
        rendered = say("kala mata 12", voice.name)
        assert np.abs(rendered.samples).max() > 0.05, voice.name


def test_voices_are_many_sorted_and_in_bcp47():
    voices = ESPEAK.voices()
    names = [voice.name for voice in voices]
    assert len(names) == len(set(names)) > 130
    assert names == sorted(names)
    by_name = {voice.name: voice for voice in voices}
    assert by_name["pt-br"].language == "pt-BR"
    assert by_name["en-gb-x-rp"].language == "en-GB-x-rp"
    assert by_name["de"].description == "German"
    assert not {"fo", "kaa", "xex"} & set(names)  # listed by the library, without a dictionary


@each_row
def test_the_default_voice_speaks_the_language(language, voice):
    assert ESPEAK.default_voice(language) == voice


@pytest.mark.parametrize("language", ["", "und", "x-private", "i-klingon", "zxx", "fil"])
def test_a_language_without_a_voice_is_reported(language):
    with pytest.raises(UnknownVoice, match="does not speak"):
        ESPEAK.default_voice(language)


@pytest.mark.parametrize(
    ("alias", "name"), [("EN_us", "en-us"), ("en", "en-us"), ("fr", "fr-fr"), ("no", "nb")]
)
def test_voices_have_aliases(alias, name):
    assert digest(say(FOX, alias, key="k")) == digest(say(FOX, name, key="k"))


@pytest.mark.parametrize(
    ("voice", "close"),
    [("en-uss", "en-us"), ("germn", ""), ("de+f33", "f3"), ("de+", ""), ("", ""), ("../af", "")],
)
def test_the_error_for_an_unknown_voice_names_similar_ones(voice, close):
    with pytest.raises(UnknownVoice, match=f"no voice .*{close}.*audiomill voices") as error:
        say(FOX, voice)
    assert "\n" not in str(error.value)
    with pytest.raises(UnknownVoice):
        ESPEAK.fingerprint(voice)


def test_the_fingerprint_depends_on_version_and_data(monkeypatch, tmp_path):
    before = ESPEAK.fingerprint("en-us")
    assert "1.5" in before
    assert ESPEAK.fingerprint("de") == before == EspeakRenderer().fingerprint("en-us")
    other = EspeakRenderer()
    (tmp_path / "en_dict").write_bytes(b"other words")
    monkeypatch.setattr(other, "_data", tmp_path)
    assert other.fingerprint("en-us") != before


def test_a_missing_wheel_is_reported(monkeypatch):
    monkeypatch.setitem(sys.modules, "espeakng_loader", None)
    with pytest.raises(EngineMissing, match="pip install"):
        EspeakRenderer()


@pytest.mark.parametrize("missing", ["library", "data"])
def test_missing_files_are_reported(monkeypatch, tmp_path, missing):
    library, data = espeak._wheel_paths()
    paths = (tmp_path / "none.so", data) if missing == "library" else (library, tmp_path / "none")
    monkeypatch.setattr(espeak, "_wheel_paths", lambda: paths)
    with pytest.raises(EngineMissing, match=r"none.*pip install"):
        EspeakRenderer()


def test_an_invalid_library_is_reported(monkeypatch, tmp_path):
    (tmp_path / "libespeak-ng.so").write_bytes(b"not a library")
    data = espeak._wheel_paths()[1]
    monkeypatch.setattr(espeak, "_wheel_paths", lambda: (tmp_path / "libespeak-ng.so", data))
    with pytest.raises(EngineMissing, match="cannot be loaded"):
        EspeakRenderer()


@each_row
def test_a_variant_pronounces_another_language(voice, language, expected):
    assert ESPEAK.in_language(voice, language) == expected


def test_a_language_that_no_voice_pronounces_is_reported():
    with pytest.raises(UnknownVoice, match="does not speak 'tlh'"):
        ESPEAK.in_language("en-us+f3", "tlh")
