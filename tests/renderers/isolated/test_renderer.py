"""The renderer of engines in environments of their own, with the engine "tones"."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from audiomill.renderers.engine import errors
from audiomill.renderers.engine.errors import (
    EngineFailed,
    EngineMissing,
    PartlyRendered,
    UnknownVoice,
)
from audiomill.renderers.engine.faults import Fault
from audiomill.renderers.engine.planning import make_request
from audiomill.renderers.engine.protocol import Batch, Request
from audiomill.renderers.isolated import catalogue
from audiomill.renderers.isolated.catalogue import isolated_specs
from audiomill.renderers.isolated.options import IsolatedOptions
from audiomill.renderers.isolated.renderer import IsolatedRenderer
from audiomill.renderers.takes.seeds import seed_of
from support.case_files import each_row_apart
from support.isolated_data import (
    calls,
    seeds,
    tones_model,
    tones_options,
    tones_spec,
)
from support.process_data import children


def render(renderer, *texts, voice="sine", speed=1.0):
    requests = tuple(make_request(text, voice, renderer, speed) for text in texts)
    return [one.samples for one in renderer.render(Batch(requests))]


def test_a_batch_is_rendered_in_order(tones):
    found = render(tones(), "one", "three", "of speed two", speed=2.0)
    assert [samples.size for samples in found] == [120, 200, 480]
    assert all(samples.dtype == np.float32 for samples in found)


def test_the_sound_of_a_request_depends_on_nothing_else(tones, tmp_path):
    together = render(tones(), "one", "two", "three")
    in_lists = tones(batch=4, settings={"rows_per_call": 4})
    for text, samples in zip(("one", "two", "three"), together, strict=True):
        assert np.array_equal(render(tones(), text)[0], samples)
    # Other settings have other keys; with the same key it is the same sound in any batch.
    requests = [Request(f"key {n}", "the same", "sine", 1.0) for n in range(3)]
    (alone,) = (one.samples for one in in_lists.render(Batch((requests[1],))))
    among = [one.samples for one in in_lists.render(Batch(tuple(requests)))]
    assert np.array_equal(among[1], alone)
    assert not np.array_equal(among[0], alone)


def test_a_text_without_words_is_silence_and_no_engine_is_asked(tones, tmp_path):
    log = tmp_path / "log"
    renderer = tones(settings={"log": str(log)})
    silence, said, more = render(renderer, "…", "word", " — !")
    assert not silence.any() and not more.any() and said.any()
    assert silence.size == 400  # 50 ms
    assert calls(log) == [["word"]]


def test_of_a_batch_with_a_text_that_fails_the_others_are_handed_over(tones):
    renderer, texts = tones(), ("one", "…", "three", "RAISES here", "five")
    requests = tuple(make_request(text, "sine", renderer, 1.0) for text in texts)
    with pytest.raises(PartlyRendered, match="this text has no phonemes") as failed:
        renderer.render(Batch(requests))
    one, three = requests[0], requests[2]
    assert failed.value.done.keys() == {one.key, three.key}
    assert failed.value.done[three.key].samples.size == 400


def test_what_engines_do_not_expect_is_a_space_to_them(tones, tmp_path):
    log = tmp_path / "log"
    render(tones(settings={"log": str(log)}), "a\ud800b\x00c\x07d")
    assert calls(log) == [["a b c d"]]


def test_voices_are_those_of_the_model_and_unknown_ones_are_named(tones):
    renderer = tones()
    assert [voice.name for voice in renderer.voices()] == ["low", "sine"]
    assert renderer.known_voice("low") == "low"
    with pytest.raises(UnknownVoice, match=r"no voice 'lo'.*Did you mean low"):
        renderer.known_voice("lo")


def test_a_voice_can_be_told_the_language(tones):
    renderer = tones()
    assert renderer.in_language("sine", "en-GB") == "sine"
    assert renderer.in_language("sine", "de-AT") == "sine@de"
    assert renderer.in_language("sine@de", "en") == "sine@en"
    assert renderer.default_voice("de") == "low@de"
    assert renderer.default_voice("en") == "low"
    assert renderer.known_voice("sine@de-CH") == "sine@de"
    with pytest.raises(UnknownVoice, match="“fr”"):
        renderer.in_language("sine", "fr")
    with pytest.raises(UnknownVoice, match="“xx”"):
        renderer.known_voice("sine@xx")
    assert renderer.fingerprint("sine") != renderer.fingerprint("sine@de")


def test_a_speed_that_the_engine_lacks_is_refused(tones):
    with pytest.raises(EngineFailed, match=r"from 0\.5 to 2, not 3"):
        render(tones(), "fast", speed=3.0)
    with pytest.raises(EngineFailed, match="one pace only"):
        render(tones(spec=tones_spec(speeds=(1.0, 1.0))), "fast", speed=1.1)


def test_what_a_model_said_is_kept_so_that_no_worker_need_start(tones, tmp_path):
    first = tones()
    first.voices()
    first.stop()
    second = tones()
    assert [voice.name for voice in second.voices()] == ["low", "sine"]
    assert second.sample_rate == 8000
    assert second.fingerprint("sine") == first.fingerprint("sine")
    assert not children()


def test_other_weights_and_settings_have_other_keys(tones, tmp_path):
    fingerprint = tones().fingerprint("sine")
    (tmp_path / "model" / "model.bin").write_bytes(b"weights")  # the same again
    assert tones().fingerprint("sine") == fingerprint
    changed = tones(settings={"most_rows": 3}).fingerprint("sine")
    assert changed != fingerprint
    (tmp_path / "model" / "model.bin").write_bytes(b"others!")
    renderer = IsolatedRenderer(
        tones_spec(), tones_options(tmp_path / "model"), tmp_path / "environments"
    )
    assert renderer.fingerprint("sine") != fingerprint
    renderer.stop()


def test_how_rows_are_batched_and_where_changes_no_key(tones):
    fingerprints = {
        tones(**choices).fingerprint("sine")
        for choices in ({}, {"batch": 4}, {"device": "cpu,cpu"}, {"row_timeout_s": 5.0})
    }
    assert len(fingerprints) == 1


def test_a_licence_that_forbids_something_is_said(tones, tmp_path):
    spec = isolated_specs()["xtts"]
    assert "not be used commercially: Coqui Public Model License" in spec.licence_warning
    (warning,) = tones().warnings(["sine"])
    assert "its licence is not known" in warning


@pytest.mark.parametrize(
    ("python", "words"),
    [(None, "audiomill engines install tones"), ("nowhere", "engines.tones.python")],
)
def test_an_engine_that_is_not_installed_says_what_to_do(tmp_path, python, words):
    options = replace(
        tones_options(tones_model(tmp_path / "model")), python=python and tmp_path / python
    )
    with pytest.raises(EngineMissing, match=words):
        IsolatedRenderer(tones_spec(), options, tmp_path)


@each_row_apart
def test_a_model_that_is_not_there_is_told(tmp_path, monkeypatch, model, kind, words):
    monkeypatch.chdir(tmp_path)
    options = replace(tones_options(tmp_path), model=model)
    renderer = IsolatedRenderer(tones_spec(), options, tmp_path.with_name("environments"))
    with pytest.raises(getattr(errors, kind), match=words):
        renderer.fingerprint("sine")


def test_batches_have_several_rows_on_a_gpu_and_one_on_a_cpu(tmp_path):
    model = tones_model(tmp_path / "model")
    for device, n_rows in (("cpu", 4), ("cuda:0", 16), ("cuda:0,cuda:1", 32)):
        options = tones_options(model, device=device)
        assert IsolatedRenderer(tones_spec(), options, tmp_path).limits.max_rows == n_rows


def test_options_can_be_keys_and_travel(tmp_path):
    options = tones_options(tmp_path, settings={"log": "x"})
    arrived = pickle.loads(pickle.dumps(options))  # noqa: S301 - our own
    assert (arrived, hash(arrived)) == (options, hash(options))
    assert isinstance(options, IsolatedOptions)


@pytest.mark.parametrize("spec", isolated_specs().values(), ids=lambda spec: spec.name)
def test_each_entry_of_the_catalogue_is_whole(spec):
    assert spec.script.is_file()
    # Below each package are its hashes, which tests/renderers/isolated/test_installing.py looks at.
    lock = [line for line in spec.lock.read_text().splitlines() if not line.startswith(" ")]
    assert {*spec.packages} <= {line.partition(" ")[0] for line in lock}
    assert all("==" in line for line in lock)
    assert spec.speeds[0] <= 1.0 <= spec.speeds[1]
    assert {*spec.common_settings} <= {*dict(spec.settings)}


@pytest.mark.parametrize("content", ["title = ", 'tilte = "X"'])
def test_a_mistake_in_the_file_of_an_engine_is_told_with_the_file(monkeypatch, tmp_path, content):
    monkeypatch.setattr(catalogue, "FOLDER", tmp_path)
    monkeypatch.setattr(catalogue, "isolated_names", lambda: ("own-voice",))
    (tmp_path / "own_voice.toml").write_text(content)
    with pytest.raises((TypeError, ValueError)) as raised:
        catalogue.isolated_specs.__wrapped__()
    assert raised.value.__notes__ == [f"In {tmp_path / 'own_voice.toml'}"]


@pytest.mark.parametrize("varies", [True, False])
def test_each_take_has_a_seed_of_its_own_if_the_engine_varies(tmp_path, varies):
    """Its tones break off in mid-sound, in each take."""
    log = tmp_path / "log"
    options = tones_options(tones_model(tmp_path / "model"), settings={"log": str(log)})
    spec = tones_spec(varies=varies)
    renderer = IsolatedRenderer(spec, options, tmp_path / "environments", n_retakes=2)
    request = make_request("a text that never ends as it should", "sine", renderer, 1.0)
    (rendered,) = renderer.render(Batch((request,)))
    renderer.stop()
    assert seeds(log) == [seed_of(request.key, take) for take in range(3 if varies else 1)]
    assert rendered.usage.n_takes == len(seeds(log))
    assert (Fault.CUT_OFF in {one.fault for one in rendered.findings}) == varies
