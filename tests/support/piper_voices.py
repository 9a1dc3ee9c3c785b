"""Piper voices with random weights, in exactly the layout of published ones.

The graph is made by the package's own training code (`piper/train`, which the wheel has) and
exported as its `export_onnx.py` exports: opset 15, the same inputs, outputs and dynamic axes. Only
the channels and layers are fewer. With all of them, its file has the size of a published voice.
An export takes seconds, so it is kept in `build/` for the same code and packages.
"""

import json
import os
import warnings
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from io import BytesIO
from pathlib import Path

from piper.phoneme_ids import DEFAULT_PHONEME_ID_MAP

from audiomill.renderers.engine.protocol import Batch, Request
from audiomill.renderers.piper.options import PiperOptions
from audiomill.renderers.piper.renderer import PiperRenderer
from support.paths import ROOT

OPSET = 15
FOX = "The quick brown fox jumps over the lazy dog, and then it slept."
CARD = Path(__file__).with_name("piper_card.md").read_text("utf-8")
LANGUAGES = {"en_US": "en-us", "en_GB": "en-gb-x-rp", "de_DE": "de", "fr_FR": "fr"}


@cache
def graph(n_speakers: int = 1, *, tiny: bool = True) -> bytes:
    """An exported graph; not `tiny`: as large as a published voice of medium quality."""
    made_by = [Path(__file__).read_text(), *map(version, ("torch", "piper-tts"))]
    name = sha256(repr((made_by, n_speakers, tiny)).encode()).hexdigest()[:16]
    kept = ROOT / "build" / "piper-graphs" / f"{name}.onnx"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        new = kept.with_suffix(f".{os.getpid()}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of old ways to normalise weights, to trace, to export
            new.write_bytes(_exported(n_speakers, tiny=tiny))
        new.rename(kept)
    return kept.read_bytes()


def _model(n_speakers: int, *, tiny: bool):
    from piper.train.vits.models import SynthesizerTrn

    n_hidden, n_upsample = (16, 32) if tiny else (192, 256)
    return SynthesizerTrn(
        n_vocab=256,
        spec_channels=513,
        segment_size=32,
        inter_channels=n_hidden,
        hidden_channels=n_hidden,
        filter_channels=2 * n_hidden if tiny else 768,
        n_heads=2,
        n_layers=1 if tiny else 6,
        kernel_size=3,
        p_dropout=0.1,
        resblock="2",
        resblock_kernel_sizes=(3, 5, 7),
        resblock_dilation_sizes=((1, 2), (2, 6), (3, 12)),
        upsample_rates=(8, 8, 4),
        upsample_initial_channel=n_upsample,
        upsample_kernel_sizes=(16, 16, 8),
        n_speakers=n_speakers,
        gin_channels=(n_hidden if tiny else 512) if n_speakers > 1 else 0,
    ).eval()


def _exported(n_speakers: int, *, tiny: bool) -> bytes:
    import torch

    torch.manual_seed(n_speakers)
    model = _model(n_speakers, tiny=tiny)
    model.dec.remove_weight_norm()

    def infer(text, lengths, scales, sid=None):
        scaled = {"noise_scale": scales[0], "length_scale": scales[1], "noise_scale_w": scales[2]}
        return model.infer(text, lengths, sid=sid, **scaled)[0].unsqueeze(1)

    model.forward = infer
    given = (
        torch.randint(0, 256, (1, 50)),
        torch.LongTensor([50]),
        torch.FloatTensor([0.667, 1.0, 0.8]),
        torch.LongTensor([0]) if n_speakers > 1 else None,
    )
    file, n_threads = BytesIO(), torch.get_num_threads()
    torch.set_num_threads(1)  # the work is small: more would wait for each other
    with torch.no_grad():
        torch.onnx.export(
            model,
            given,
            file,
            opset_version=OPSET,
            input_names=["input", "input_lengths", "scales", "sid"],
            output_names=["output"],
            dynamic_axes={
                "input": {0: "batch_size", 1: "phonemes"},
                "input_lengths": {0: "batch_size"},
                "output": {0: "batch_size", 2: "time"},
            },
            dynamo=False,
        )
    torch.set_num_threads(n_threads)
    return file.getvalue()


def config_of(name: str, *, n_speakers: int = 1, sample_rate: int = 22_050, **changed) -> dict:
    """The config of a voice: the keys of a published one, and `changed` ones."""
    code, dataset, quality = name.split("-")
    family, region = code.split("_")
    return {
        "audio": {"sample_rate": sample_rate, "quality": quality},
        "espeak": {"voice": LANGUAGES[code]},
        # Three: random weights give each id about one frame, a trained voice some four.
        "inference": {"noise_scale": 0.667, "length_scale": 3, "noise_w": 0.8},
        "phoneme_type": "espeak",
        "phoneme_map": {},
        "phoneme_id_map": DEFAULT_PHONEME_ID_MAP,
        "num_symbols": 256,
        "num_speakers": n_speakers,
        "speaker_id_map": {f"p{225 + n}": n for n in range(n_speakers)} if n_speakers > 1 else {},
        "piper_version": "1.0.0",
        "language": {"code": code, "family": family, "region": region},
        "dataset": dataset,
    } | changed


def add_voice(
    folder: Path,
    name: str = "en_US-random-medium",
    *,
    n_speakers: int = 1,
    licence: str = "",
    has_graph: bool = True,
    **config,
) -> Path:
    """Write a voice into a folder of its own in `folder`. Returns the path of its graph."""
    code, dataset, quality = name.split("-")
    own = folder / code.split("_")[0] / code / dataset / quality
    own.mkdir(parents=True, exist_ok=True)
    model = own / f"{name}.onnx"
    model.write_bytes(graph(n_speakers) if has_graph else b"")
    values = config_of(name, n_speakers=n_speakers, **config)
    model.with_name(f"{name}.onnx.json").write_text(json.dumps(values), "utf-8")
    if licence:
        card = CARD.format(
            name=dataset, quality=quality, code=code, n_speakers=n_speakers, licence=licence
        )
        (own / "MODEL_CARD").write_text(card, "utf-8")
    return model


def open_piper(folder: Path, **options) -> PiperRenderer:
    return PiperRenderer(PiperOptions(voices=folder, **options))


def request(text: str = FOX, voice="en_US-random-medium", speed=1.0, key="", pronunciations=()):
    return Request(key or f"{text} {voice} {speed}", text, voice, speed, tuple(pronunciations))


def say(engine: PiperRenderer, *arguments, **options):
    (rendered,) = engine.render(Batch((request(*arguments, **options),)))
    return rendered
