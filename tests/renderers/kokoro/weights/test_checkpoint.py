"""Only the official layout is loaded, and exactly; errors are explained in one line."""

import io
import json
import os
from contextlib import suppress
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.engine.errors import WeightsUnfit
from audiomill.renderers.kokoro.model.config import parse_config
from audiomill.renderers.kokoro.model.padding import PaddingMask
from audiomill.renderers.kokoro.model.source import VOICED_HZ, normal_noise
from audiomill.renderers.kokoro.weights.checkpoint import (
    fold_norms,
    load_model,
    load_pack,
    read_weights,
)
from audiomill.renderers.kokoro.weights.files import find_files
from audiomill.renderers.kokoro.weights.hub import check_intact
from audiomill.renderers.kokoro.weights.random_weights import write_random_model
from audiomill.renderers.kokoro.weights.releases import V1_1_ZH
from support.case_files import each_of
from support.examples import many_examples
from support.kokoro_reference import (
    ours,
    random_lines,
    utterance,
)
from support.kokoro_tiny import TINY, load_tiny, narrow, tiny_parts, tiny_utterances
from support.model_files import check_refused

F64 = torch.float64


@pytest.fixture
def file(tmp_path):
    return tmp_path / "kokoro-v1_0.pth"


refused = partial(check_refused, load_tiny)


def loads(path) -> dict[str, torch.Tensor]:
    return load_tiny(path).state_dict()


def same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return one.keys() == other.keys() and all(one[name].equal(other[name]) for name in one)


# Loading


def test_every_weight_of_the_file_is_loaded(file):
    torch.save(tiny_parts(), file)
    found = loads(file)
    raw = read_weights(file)
    assert all(found[name].equal(raw[name].double()) for name in found.keys() & raw.keys())
    for name in found.keys() - raw.keys():
        length, direction = raw[f"{name}_g"].double(), raw[f"{name}_v"].double()
        wanted = torch._weight_norm(direction, length, 0)
        assert torch.allclose(found[name], wanted, rtol=1e-15, atol=0)


def test_weight_norm_is_folded_exactly():
    """Each direction lies along an axis and its length is a power of two: nothing is rounded."""
    direction = torch.zeros(3, 2, 4)
    direction[0, 1, 2], direction[1, 0, 0], direction[2, 1, 3] = 4.0, -0.5, 2.0
    length = torch.tensor([0.3, 0.7, 5.0]).view(3, 1, 1)
    found = fold_norms({"one.weight_g": length, "one.weight_v": direction, "one.bias": length})
    assert found.keys() == {"one.weight", "one.bias"}
    assert found["one.weight"].equal(direction.sign() * length.double())


def without_prefix(parts):
    return {
        part: {name.removeprefix("module."): tensor for name, tensor in tensors.items()}
        for part, tensors in parts.items()
    }


def with_position_ids(parts):
    ids = {"module.embeddings.position_ids": torch.arange(512)[None]}
    return parts | {"bert": parts["bert"] | ids}


def as_parameters(parts):
    return {
        part: {name: torch.nn.Parameter(tensor) for name, tensor in tensors.items()}
        for part, tensors in parts.items()
    }


@each_of([(without_prefix,), (with_position_ids,), (as_parameters,)])
def test_other_forms_of_the_same_weights_are_loaded(file, changed):
    torch.save(tiny_parts(), file)
    wanted = loads(file)
    torch.save(changed(tiny_parts()), file)
    assert same(loads(file), wanted)


def test_float32_is_rounded_once(file):
    torch.save(tiny_parts(), file)
    exact = loads(file)
    single = load_tiny(file, torch.float32).state_dict()
    assert all(single[name].equal(exact[name].float()) for name in exact)
    assert not any(tensor.requires_grad for tensor in single.values())


def test_the_mandarin_release_with_another_vocabulary_is_loaded(tmp_path):
    vocab = {sign: token for token, sign in enumerate("ㄅㄆㄇㄈㄉㄊㄋㄌ，。12345", 1)}
    with narrow():
        write_random_model(
            tmp_path, ["zf_001"], weights_file=V1_1_ZH.weights_file, config=TINY | {"vocab": vocab}
        )
        files = find_files(str(tmp_path), V1_1_ZH)
        assert files.weights.name == "kokoro-v1_1-zh.pth"
        config = parse_config(json.loads(files.config.read_text("utf-8")))
        assert config.vocab == vocab
        model = load_model(files.weights, config)
    assert len(model.encode_text(tiny_utterances([3]))) == 1


# Refusing


def with_one(value):
    def change(tensor):
        tensor[3, 4] = value
        return tensor

    return change


REMOVED = object()
F0_CONV, NORM = "module.F0_conv.weight", "module.encode.norm1.norm"
EMBEDDING, BIAS = "module.embedding.weight", "module.bias"
NO_NUMBERS = "text_encoder.embedding.weight holds values that are not numbers"
BESIDES = "besides decoder.F0_conv.weight_g"
LACKS_PARTS = "not bert, bert_encoder, predictor, text_encoder, decoder"


# The part ("" is the file), its other contents, and what is said. A function changes what is there.
@pytest.mark.prove
@each_of(
    [
        ("predictor", {"module.F0_proj.bias": REMOVED}, "it lacks predictor.F0_proj.bias"),
        ("decoder", {"module.extra.weight": torch.zeros(3)}, "besides decoder.extra.weight"),
        ("bert_encoder", {BIAS: torch.zeros(17)}, "bert_encoder.bias is (17,), not (16,)"),
        ("bert_encoder", {BIAS: torch.tensor(0.0)}, "bert_encoder.bias is (), not (16,)"),
        ("text_encoder", {EMBEDDING: with_one(torch.nan)}, NO_NUMBERS),
        ("text_encoder", {EMBEDDING: with_one(-torch.inf)}, NO_NUMBERS),
        # The direction of a weight, and its length.
        ("decoder", {f"{F0_CONV}_v": torch.zeros_like}, "decoder.F0_conv.weight holds values that"),
        ("decoder", {f"{F0_CONV}_g": torch.ones(7)}, f"{BESIDES}, decoder.F0_conv.weight_v"),
        ("decoder", {f"{F0_CONV}_v": REMOVED}, BESIDES),
        ("decoder", {F0_CONV: torch.zeros(1, 1, 3)}, f"{BESIDES}, decoder.F0_conv.weight_v"),
        # Half a norm, and one of another shape.
        ("decoder", {f"{NORM}.weight": torch.ones(18)}, "besides decoder.encode.norm1.norm.weight"),
        (
            "decoder",
            {f"{NORM}.weight": torch.ones(1, 18), f"{NORM}.bias": torch.zeros(1, 18)},
            "besides decoder.encode.norm1.norm.bias",
        ),
        ("", {"decoder": REMOVED}, LACKS_PARTS),
        ("", {"diffusion": {}}, "'diffusion'"),
        ("", {"decoder": [1, 2]}, "its decoder is no table of tensors"),
        ("decoder", {"module.F0_conv.bias": 1.0}, "its decoder is no table of tensors"),
        ("bert_encoder", {BIAS: torch.zeros(16, dtype=torch.int64)}, "bias is of torch.int64"),
        ("bert_encoder", {BIAS: torch.zeros(16, dtype=torch.complex64)}, "is of torch.complex64"),
        (
            "bert_encoder",
            {BIAS: torch.Tensor.to_sparse},
            "is of torch.float32 and torch.sparse_coo",
        ),
        ("bert_encoder", {"bias": torch.zeros(16)}, "it holds bert_encoder.bias twice"),
    ]
)
def test_other_contents_are_refused(file, part, contents, words):
    parts = tiny_parts()
    changed = parts[part] if part else parts
    for name, content in contents.items():
        before = changed.pop(name, None)
        if content is not REMOVED:
            changed[name] = content(before) if callable(content) else content
    torch.save(parts, file)
    refused(file, words)


def test_long_lists_of_names_are_shortened(file):
    parts = tiny_parts()
    parts["bert"] = {}
    torch.save(parts, file)
    refused(file, "it lacks bert.embeddings.LayerNorm.bias", "more")


@pytest.mark.parametrize("other", [[1], torch.ones(3), {}, {1: 2}, None, "weights"], ids=repr)
def test_other_objects_are_refused(file, other):
    torch.save(other, file)
    refused(file, "it holds")


class Code:
    """An object that creates a folder when it is unpickled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self):
        return os.mkdir, (str(self.folder),)


@pytest.mark.parametrize("is_zip", [True, False])
def test_code_is_not_run(file, tmp_path, is_zip):
    code = Code(tmp_path / "created")
    torch.save({"bert": code}, file, _use_new_zipfile_serialization=is_zip)
    refused(file, "cannot be read: it is damaged, or holds more than tensors")
    assert not code.folder.exists()


def test_files_without_tensors_are_refused(file, tmp_path):
    for contents in (b"", b"hello", b"\x80\x02}q\x00.", b"PK\x03\x04"):
        file.write_bytes(contents)
        refused(file)
    refused(tmp_path / "none.pth", "No such file")
    refused(tmp_path, "Is a directory")


@pytest.mark.prove
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("is_zip", [True, False])
def test_truncated_files_are_refused(file, share, is_zip):
    torch.save(tiny_parts(), file, _use_new_zipfile_serialization=is_zip)
    contents = file.read_bytes()
    file.write_bytes(contents[: int(share * len(contents))])
    refused(file, "cannot be read")


# Flipped bits


@cache
def saved(is_zip: bool) -> bytes:
    written = io.BytesIO()
    torch.save(tiny_parts(), written, _use_new_zipfile_serialization=is_zip)
    return written.getvalue()


@cache
def unharmed() -> dict[str, torch.Tensor]:
    parts = tiny_parts()
    prefix = len("module.")
    return {f"{part}.{name[prefix:]}": one for part in parts for name, one in parts[part].items()}


def flips(is_zip: bool):
    """Indices of bits, mostly near the ends: most of a file is numbers, its structure is there."""
    n_bits = 8 * len(saved(is_zip))
    ends = st.integers(0, 20_000) | st.integers(n_bits - 50_000, n_bits - 1)
    place = ends | st.integers(0, n_bits - 1)
    return st.lists(place, min_size=1, max_size=3, unique=True)


def flipped(contents: bytes, places: list[int]) -> bytes:
    damaged = bytearray(contents)
    for place in places:
        damaged[place // 8] ^= 1 << place % 8
    return bytes(damaged)


@pytest.mark.prove
@pytest.mark.filterwarnings("ignore:Detected pickle protocol")
@many_examples(100)
@given(flips(is_zip=True))
def test_flipped_bits_are_detected_or_change_nothing(tmp_path_factory, places):
    file = tmp_path_factory.getbasetemp() / "flipped.pth"
    file.write_bytes(flipped(saved(True), places))
    try:
        check_intact(file)
        found = read_weights(file)
    except WeightsUnfit as error:
        assert str(file) in str(error)
        assert len(str(error).splitlines()) == 1
    else:
        assert same(found, unharmed())


@pytest.mark.prove
@pytest.mark.filterwarnings("ignore:Detected pickle protocol")
@many_examples(50)
@given(flips(is_zip=False))
def test_a_damaged_file_of_the_old_format_raises_only_weights_unfit(tmp_path_factory, places):
    """It has no checksums, so a changed weight may go unnoticed."""
    file = tmp_path_factory.getbasetemp() / "flipped-old.pth"
    file.write_bytes(flipped(saved(False), places))
    with suppress(WeightsUnfit):
        read_weights(file)


# Random weights


def test_the_same_seed_gives_the_same_weights():
    def drawn(seed: int) -> dict[str, torch.Tensor]:
        return {
            f"{part}.{name}": tensor
            for part, tensors in tiny_parts(seed).items()
            for name, tensor in tensors.items()
        }

    assert same(drawn(1), drawn(1))
    assert not same(drawn(1), drawn(2))


def test_random_packs_are_loaded_as_voices(tmp_path):
    with narrow():
        write_random_model(tmp_path, ["af_heart", "bm_george"], config=TINY)
    first, second = (load_pack(path) for path in sorted((tmp_path / "voices").iterdir()))
    assert not first.equal(second)


@pytest.mark.prove
def test_random_weights_give_durations_and_f0_of_speech():
    model = ours("full", torch.float32)
    lines = random_lines(np.random.default_rng(4), 24, 30)
    readings = model.encode_text([utterance(line, model) for line in lines])
    durations = torch.tensor([frames for one in readings for frames in one.durations])
    assert 2 <= durations.double().mean() <= 4
    assert len(durations.unique()) >= 5
    f0 = torch.cat([f0_of(model, reading) for reading in readings])
    assert ((f0 > 60) & (f0 < 260)).double().mean() > 0.75
    assert 0.005 < (f0 < VOICED_HZ).double().mean() < 0.2


def f0_of(model, reading):
    frames = torch.tensor(reading.durations)
    aligned = reading.for_prosody.repeat_interleave(frames, 0)[None]
    rows = PaddingMask([reading.n_frames], model.device)
    style = reading.style[None, model.config.style_dim :]
    with torch.inference_mode():
        return model.predictor.curves(aligned, style, rows)[0][0]


@pytest.mark.prove
def test_random_weights_give_the_level_of_speech():
    model = ours("full", torch.float32)
    (line,) = random_lines(np.random.default_rng(4), 1, 8)
    readings = model.encode_text([utterance(line, model)])
    n_samples = readings[0].n_frames * model.config.samples_per_frame
    noise = normal_noise([line.seed], n_samples, model.device, model.dtype)
    (audio,) = model.speak(readings, noise)
    assert 0.05 < audio.std() < 0.15
    assert audio.abs().max() < 1
