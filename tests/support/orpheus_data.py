"""A tiny SNAC with random weights in the official layout, and engines that speak with it."""

import json
import warnings
from functools import cache
from pathlib import Path

import torch

from audiomill.renderers.engine.protocol import Batch, Request
from audiomill.renderers.orpheus.options import OrpheusOptions
from audiomill.renderers.orpheus.renderer import OrpheusRenderer

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of torch.jit.script
    import snac

# config.json of hubertsiuzdak/snac_24khz.
OFFICIAL = json.loads(Path(__file__).with_name("snac.json").read_text("utf-8"))
# A decoder's threads have one core each; what a test decodes beside it waits for no others either.
torch.set_num_threads(1)
TINY = OFFICIAL | {"encoder_dim": 2, "decoder_dim": 16}  # the same shape, fewer channels
HELLO = "Hello there, my friend."


def write_snac(folder: Path, config: dict = TINY) -> Path:
    """Write a folder as `SNAC.from_pretrained` reads it, with random weights."""
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(7)
    model = snac.SNAC(**config)
    with torch.no_grad():
        for name, weights in model.named_parameters():
            if name.endswith("alpha"):
                continue
            weights.copy_(torch.randn_like(weights) * 0.4)
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    torch.save(model.state_dict(), folder / "pytorch_model.bin")
    return folder


@cache
def tiny_weights() -> tuple[str, bytes]:
    """The two files of the tiny model, made once."""
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        folder = write_snac(Path(name))
        return (folder / "config.json").read_text(), (folder / "pytorch_model.bin").read_bytes()


def tiny_snac(folder: Path) -> Path:
    config, weights = tiny_weights()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(config)
    (folder / "pytorch_model.bin").write_bytes(weights)
    return folder


def open_orpheus(url: str, snac_folder: Path, n_retakes: int = 0, **options) -> OrpheusRenderer:
    return OrpheusRenderer(OrpheusOptions(url=url, snac=snac_folder, **options), n_retakes)


def request(text: str = HELLO, voice: str = "tara", key: str = "", speed: float = 1.0) -> Request:
    return Request(key or f"{text} {voice}", text, voice, speed)


def say(engine: OrpheusRenderer, *arguments, **options):
    (rendered,) = engine.render(Batch((request(*arguments, **options),)))
    return rendered
