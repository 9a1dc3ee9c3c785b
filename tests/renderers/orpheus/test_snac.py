"""SNAC with random weights in the official layout: exact lengths, and noise of a seed."""

import json
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from audiomill.renderers.engine.errors import EngineMissing, WeightsUnfit
from audiomill.renderers.orpheus.codes import CodeReader, SnacCodes, tokens_of
from audiomill.renderers.orpheus.snac import SnacDecoder
from audiomill.renderers.orpheus.snac_files import weights_hash
from support.orpheus_data import OFFICIAL, TINY, snac, tiny_snac, write_snac


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny_snac(tmp_path_factory.mktemp("snac"))


@pytest.fixture(scope="module")
def decoder(folder):
    return SnacDecoder(folder)


def random_codes(n_frames, seed=1):
    reader = CodeReader()
    reader.add_all(tokens_of(np.random.default_rng(seed).integers(0, 4096, (n_frames, 7)).tolist()))
    return reader.codes()


@pytest.mark.parametrize("n_frames", [1, 2, 5, 40])
def test_a_frame_is_2048_samples(decoder, n_frames):
    samples = decoder.decode(random_codes(n_frames), 1)
    assert samples.shape == (n_frames * 2048,)
    assert samples.dtype == np.float32
    assert 0.01 < np.abs(samples).max() <= 1


def test_the_noise_comes_from_the_seed_whatever_else_was_decoded(decoder, folder):
    codes = random_codes(6)
    first = decoder.decode(codes, 5)
    torch.manual_seed(99)
    decoder.decode(random_codes(3, 2), 6)
    assert np.array_equal(decoder.decode(codes, 5), first)
    assert np.array_equal(SnacDecoder(folder).decode(codes, 5), first)
    assert not np.array_equal(decoder.decode(codes, 6), first)


def test_nobody_elses_noise_is_touched(decoder):
    torch.manual_seed(3)
    expected = torch.rand(4)
    torch.manual_seed(3)
    decoder.decode(random_codes(2), 1)
    assert torch.equal(torch.rand(4), expected)


def test_without_noise_it_is_what_the_package_decodes(tmp_path):
    folder = write_snac(tmp_path, TINY | {"noise": False})
    codes = random_codes(8)
    reference = snac.SNAC.from_pretrained(str(folder))
    with torch.inference_mode():
        expected = reference.decode([torch.tensor([layer]) for layer in codes.layers])
    found = SnacDecoder(folder).decode(codes, 1)
    assert np.allclose(found, expected.reshape(-1).numpy(), atol=1e-5)


def test_the_noise_is_of_the_packages_kind(folder, decoder):
    """With the same draws, the decoder and the package's own give the same samples."""
    codes = random_codes(4)
    reference = snac.SNAC.from_pretrained(str(folder))
    torch.manual_seed(5)  # the package draws from the global generator, in the same order
    with torch.inference_mode():
        expected = reference.decode([torch.tensor([layer]) for layer in codes.layers])
    assert np.allclose(decoder.decode(codes, 5), expected.reshape(-1).numpy(), atol=1e-5)


def test_all_codes_at_once_differ_from_windows(decoder):
    """Decoding parts loses what the convolutions see beyond each edge."""
    codes = random_codes(8)
    halves = [
        SnacCodes(tuple(layer[: len(layer) // 2] for layer in codes.layers)),
        SnacCodes(tuple(layer[len(layer) // 2 :] for layer in codes.layers)),
    ]
    joined = np.concatenate([decoder.decode(half, 1) for half in halves])
    assert not np.allclose(joined, decoder.decode(codes, 1), atol=1e-3)


def test_the_official_config_makes_the_official_model():
    assert OFFICIAL.keys() == TINY.keys()
    model = snac.SNAC(**OFFICIAL)
    assert sum(weights.numel() for weights in model.parameters()) == 19_842_914


def spoil_config(folder, **changed):
    (folder / "config.json").write_text(json.dumps(TINY | changed))


FAULTS = {
    "no config": (lambda one: (one / "config.json").unlink(), "hf download hubertsiuzdak/snac_24"),
    "no weights": (lambda one: (one / "pytorch_model.bin").unlink(), "hf download"),
    "not JSON": (lambda one: (one / "config.json").write_text("{"), "is not JSON"),
    "44 kHz": (lambda one: spoil_config(one, sampling_rate=44_100), "not of SNAC at 24 kHz"),
    "four codebooks": (lambda one: spoil_config(one, vq_strides=[8, 4, 2, 1]), "not of SNAC at"),
    "other size": (lambda one: spoil_config(one, decoder_dim=64), "is not the weights of SNAC"),
    "unknown key": (lambda one: spoil_config(one, kind="x"), "is not the weights of SNAC"),
    "half": (lambda one: os.truncate(one / "pytorch_model.bin", 5000), "not the weights"),
    "text": (lambda one: (one / "pytorch_model.bin").write_text("<html>"), "not the weights"),
    "empty": (lambda one: (one / "pytorch_model.bin").write_bytes(b""), "not the weights"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_damaged_files_are_errors_of_one_line(tmp_path, case):
    spoil, problem = FAULTS[case]
    spoil(tiny_snac(tmp_path))
    with pytest.raises((EngineMissing, WeightsUnfit), match=problem) as error:
        SnacDecoder(tmp_path)
    assert "\n" not in str(error.value)


def test_other_weights_have_another_hash(tmp_path, folder):
    other = write_snac(tmp_path / "other", TINY | {"encoder_dim": 3})
    assert weights_hash(other) != weights_hash(folder) == weights_hash(tiny_snac(tmp_path / "same"))
    with pytest.raises(EngineMissing, match="hf download"):
        weights_hash(tmp_path / "nowhere")


def test_side_by_side_each_has_the_noise_of_its_seed(decoder):
    texts = [(random_codes(3 + number % 4, number), number) for number in range(12)]
    alone = [decoder.decode(*one) for one in texts]
    with ThreadPoolExecutor(6) as threads:
        together = [*threads.map(lambda one: decoder.decode(*one), texts)]
    assert all(map(np.array_equal, alone, together))
