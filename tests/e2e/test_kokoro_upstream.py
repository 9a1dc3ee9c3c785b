"""From a Hub cache with the network off to audio that equals upstream's own pipeline."""

import hashlib
import socket
import warnings
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import torch
from huggingface_hub import constants

from audiomill.renderers.engine.errors import WeightsUnfit
from audiomill.renderers.engine.protocol import Batch, Request
from audiomill.renderers.kokoro import loading
from audiomill.renderers.kokoro.inference.rows import seed_of
from audiomill.renderers.kokoro.model.source import normal_noise
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.renderer import KokoroRenderer
from audiomill.renderers.kokoro.weights import releases as official
from audiomill.renderers.kokoro.weights.checkpoint import load_model
from audiomill.renderers.kokoro.weights.releases import V1_0
from support.kokoro_reference import distance, folder, upstream, upstream_heard

TEXT = "La barca cruza el río."
VOICE = "ef_dora"


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """The Hub's cache as its client leaves it, holding random weights as a release; no network."""
    snapshot = tmp_path / f"models--{V1_0.repo.replace('/', '--')}" / "snapshots" / V1_0.revision
    (snapshot / "voices").mkdir(parents=True)
    source = folder("reduced")
    sources = {
        "config.json": source / "config.json",
        "kokoro-v1_0.pth": source / "kokoro-v1_0.pth",
        f"voices/{VOICE}.pt": source / "voices" / "af_heart.pt",
    }
    digests = {
        name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in sources.items()
    }
    for name, path in sources.items():
        (snapshot / name).symlink_to(path)
    release = replace(
        V1_0,
        config_sha256=digests["config.json"],
        weights_sha256=digests["kokoro-v1_0.pth"],
        voices={VOICE: digests[f"voices/{VOICE}.pt"]},
    )
    monkeypatch.setattr(official, "RELEASES", {"v1.0": release})
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(socket, "getaddrinfo", _no_network)
    monkeypatch.setattr(socket.socket, "connect", _no_network)
    return snapshot


@pytest.mark.prove
def test_offline_it_equals_upstreams_pipeline(cache, monkeypatch):
    in_float64 = partial(load_model, dtype=torch.float64)
    monkeypatch.setattr(loading, "load_model", in_float64)
    kokoro = KokoroRenderer(KokoroOptions(workers=0))
    assert kokoro.default_voice("es") == VOICE
    assert kokoro.warnings((VOICE,)) == ()
    key = "ab" * 32
    (ours,) = kokoro.render(Batch((Request(key, TEXT, VOICE, 1.0),)))
    phonemes, theirs = _pipeline(cache, key)
    assert [one.start for one in ours.timings] == [0, 3, 9, 15, 18]
    assert phonemes.count(" ") == 4
    assert ours.samples.size == theirs.numel()
    assert distance(torch.from_numpy(ours.samples), theirs) < 1e-6


@pytest.mark.prove
def test_a_cache_whose_bytes_are_not_the_releases_is_refused(cache, monkeypatch):
    official.RELEASES["v1.0"] = replace(official.RELEASES["v1.0"], weights_sha256="0" * 64)
    kokoro = KokoroRenderer(KokoroOptions(workers=0))
    with pytest.raises(WeightsUnfit, match=r"kokoro-v1_0\.pth"):
        kokoro.fingerprint(VOICE)


def _pipeline(snapshot: Path, key: str) -> tuple[str, torch.Tensor]:
    """What upstream makes of the text in float64, with our noise in place of its own."""
    model = upstream("reduced", torch.float64)
    direction = model.decoder.generator.m_source.l_linear.weight[0].detach()
    direction = direction / direction.norm()

    def draw(like: torch.Tensor) -> torch.Tensor:
        noise = normal_noise([seed_of(key, 0)], like.shape[1], like.device, like.dtype)
        return noise.unsqueeze(-1) * (direction if like.shape[-1] > 1 else 1)

    with warnings.catch_warnings(), upstream_heard(draw, torch.float64):
        warnings.simplefilter("ignore")
        from kokoro import KPipeline

        pipeline = KPipeline("e", V1_0.repo, model)
        voice = str(snapshot / "voices" / f"{VOICE}.pt")
        pipeline.voices[voice] = torch.load(voice, weights_only=True).double()
        (result,) = pipeline(TEXT, voice=voice)
    return result.phonemes, result.audio


def _no_network(*_):
    raise OSError("the network is off")
