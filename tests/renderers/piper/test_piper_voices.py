"""Voices in a folder: what they tell of themselves, and what is wrong with those that are unfit."""

import json
import os

import pytest

from audiomill.renderers.engine.errors import (
    EngineFailed,
    EngineMissing,
    RenderError,
    UnknownVoice,
    WeightsUnfit,
)
from audiomill.renderers.piper import voices
from audiomill.renderers.piper.options import PiperOptions
from audiomill.renderers.piper.renderer import PiperRenderer
from audiomill.renderers.piper.voices import PiperVoices
from support.case_files import each_row_apart
from support.onnx_data import model_of
from support.piper_voices import add_voice, config_of, open_piper, say

NAME = "en_US-random-medium"


@pytest.fixture
def model(tmp_path):
    return add_voice(tmp_path, NAME)


@pytest.fixture
def empty(tmp_path):
    """A voice whose graph nobody loads."""
    return add_voice(tmp_path, NAME, has_graph=False)


def change_config(model, **changed):
    path = model.with_name(f"{model.name}.json")
    path.write_text(json.dumps(json.loads(path.read_text()) | changed))


def test_voices_tell_language_quality_rate_speakers_and_licence(tmp_path):
    add_voice(tmp_path, "en_GB-many-medium", n_speakers=2, licence="CC BY 4.0", has_graph=False)
    add_voice(tmp_path, "de_DE-random-low", sample_rate=16_000, has_graph=False)
    described = {one.name: (one.language, one.description) for one in PiperVoices(tmp_path).voices}
    assert described == {
        "de_DE-random-low": ("de-DE", "low, 16,000 Hz, licence: not known, see its model card"),
        "en_GB-many-medium#p225": (
            "en-GB",
            "medium, 22,050 Hz, speaker 0 of 2, licence: CC BY 4.0",
        ),
        "en_GB-many-medium#p226": (
            "en-GB",
            "medium, 22,050 Hz, speaker 1 of 2, licence: CC BY 4.0",
        ),
    }


def test_a_card_beside_several_voices_is_nobodys(tmp_path):
    first = add_voice(tmp_path, "en_US-one-low", licence="CC0", has_graph=False)
    second = add_voice(tmp_path, "en_US-two-low", has_graph=False)
    for path in second.parent.iterdir():
        path.rename(first.parent / path.name)
    assert all("not known" in one.description for one in PiperVoices(tmp_path).voices)


def test_old_configs_take_their_language_from_the_files_name(tmp_path):
    model = add_voice(tmp_path, NAME, has_graph=False)
    path = model.with_name(f"{NAME}.onnx.json")
    config = json.loads(path.read_text())
    for key in ("language", "phoneme_type", "dataset", "speaker_id_map"):
        del config[key]
    del config["audio"]["quality"]
    path.write_text(json.dumps(config))
    (voice,) = PiperVoices(tmp_path).voices
    assert (voice.language, voice.description.split(",")[0]) == ("en-US", "medium")


def test_speakers_without_names_are_numbered(tmp_path):
    named = {"anna": 1}
    add_voice(tmp_path, "en_GB-many-medium", n_speakers=3, speaker_id_map=named, has_graph=False)
    assert [one.name for one in PiperVoices(tmp_path).voices] == [
        "en_GB-many-medium#0",
        "en_GB-many-medium#2",
        "en_GB-many-medium#anna",
    ]


@each_row_apart
def test_the_default_voice_is_of_the_region_then_of_the_best_quality(
    tmp_path_factory, language, voice
):
    folder = tmp_path_factory.mktemp("voices")
    for name in ("en_US-a-low", "en_US-best-high", "en_GB-other-low", "de_DE-one-low"):
        config = folder / f"{name}.onnx.json"
        config.write_text(json.dumps(config_of(name)))
        config.with_suffix("").write_bytes(b"")  # no model is loaded to choose a voice
    assert PiperVoices(folder).for_language(language) == voice


def test_languages_without_a_voice_are_refused_with_how_to_add_one(tmp_path, empty):
    with pytest.raises(UnknownVoice, match=r"No Piper voice in .* speaks 'ja'.*download_voices"):
        open_piper(tmp_path).default_voice("ja")


def test_an_empty_or_absent_folder_says_how_to_fill_it(tmp_path):
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(EngineMissing, match=r"-m piper\.download_voices .*--download-d"):
            open_piper(folder)
    with pytest.raises(EngineMissing, match=r"piper\.voices"):
        PiperRenderer(PiperOptions())


def test_where_piper_is_missing_its_own_program_is_not_advised(tmp_path, monkeypatch):
    monkeypatch.setattr(voices, "find_spec", lambda _name: None)
    with pytest.raises(EngineMissing, match="Piper is not installed either") as refused:
        open_piper(tmp_path)
    assert "python -m piper" not in str(refused.value)


def test_an_unknown_voice_names_close_ones(tmp_path, empty):
    with pytest.raises(UnknownVoice, match=f"Did you mean {NAME}"):
        open_piper(tmp_path).known_voice("en_US-random-medum")


@each_row_apart
def test_a_broken_config_is_told_when_its_voice_is_asked_for(tmp_path, empty, content, problem):
    path = empty.with_name(f"{NAME}.onnx.json")
    if content is None:
        path.unlink()
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        change_config(empty, **content)
    add_voice(tmp_path, "de_DE-sound-low", has_graph=False)
    engine = open_piper(tmp_path)
    assert [one.name for one in engine.voices()] == ["de_DE-sound-low"]
    with pytest.raises(WeightsUnfit, match=problem) as error:
        engine.known_voice(NAME)
    assert "\n" not in str(error.value)


def damaged(model):
    content = bytearray(model.read_bytes())
    content[2000:4000] = bytes(2000)
    model.write_bytes(content)


def other_model(model):
    model.write_bytes(b"")


GRAPHS = {
    "empty": (other_model, "is cut short, or is no ONNX file"),
    "half": (lambda one: os.truncate(one, one.stat().st_size // 2), "is cut short"),
    "text": (lambda one: one.write_text("<html>Not found</html>"), "is no ONNX file"),
    "zeros inside": (damaged, "is no ONNX file"),
    "for several speakers": (
        lambda one: change_config(one, num_speakers=3, speaker_id_map={}),
        "its inputs are .*, not .*sid",
    ),
    "gone": (lambda one: one.unlink(), "cannot be read"),
}


@pytest.mark.prove
@pytest.mark.parametrize("case", GRAPHS)
def test_a_broken_graph_is_an_error_of_one_line(tmp_path, model, case):
    engine = open_piper(tmp_path)
    spoil, problem = GRAPHS[case]
    spoil(model)
    engine = open_piper(tmp_path) if model.exists() else engine
    with pytest.raises(RenderError, match=problem) as error:
        say(engine, voice=engine.known_voice(NAME))
    assert "\n" not in str(error.value)
    assert "Traceback" not in str(error.value)


def test_a_language_that_espeak_does_not_read_is_told(tmp_path, model):
    change_config(model, espeak={"voice": "fr-fr"})
    with pytest.raises(WeightsUnfit, match="cannot read for 'fr-fr'"):
        say(open_piper(tmp_path))


def test_a_language_that_needs_a_package_says_which(tmp_path, model):
    change_config(model, phoneme_type="japanese")
    with pytest.raises(EngineMissing, match="pyopenjtalk"):
        say(open_piper(tmp_path))


def test_ids_beyond_the_models_are_an_error_of_one_line(tmp_path, model):
    ids = config_of(NAME)["phoneme_id_map"] | {"f": [100_000]}
    change_config(model, phoneme_id_map=ids)
    with pytest.raises(EngineFailed, match=r"failed: .*out of (data )?bounds"):
        say(open_piper(tmp_path))


def test_samples_that_are_no_numbers_are_refused(tmp_path, model):
    inputs = "int64[] input, int64[] input_lengths, float[] scales"
    graph = model_of("output = Div(scales, zero)", inputs=inputs, weights="float zero={0}")
    model.write_bytes(graph.SerializeToString())
    with pytest.raises(EngineFailed, match=f"{NAME} gave samples that are not numbers"):
        say(open_piper(tmp_path))
