"""`make prove-engine ENGINE=vits`: an engine's real package, with tiny or random weights.

tiny/NAME.py, in the engine's environment ─▶ weights in the official layout
our own worker, with them ─▶ each claim, printed; exit code 1 if one does not hold

An engine that runs in audiomill itself has tests that use its package: these are run.
"""

import os
import subprocess
import sys
import tempfile
import wave
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from audiomill.renderers.engine.protocol import Batch, Rendered, Request
from audiomill.renderers.host.foreign_process import run_program
from audiomill.renderers.isolated.catalogue import EngineSpec, isolated_specs
from audiomill.renderers.isolated.environment import environment_of
from audiomill.renderers.isolated.installing import install
from audiomill.renderers.isolated.options import IsolatedOptions
from audiomill.renderers.isolated.renderer import IsolatedRenderer
from engines.own_tests import OWN_TESTS

TINY = Path(__file__).with_name("tiny")
# What makes random weights quick: they never end by themselves, and are as slow as real ones.
QUICK = {
    "csm": {"max_audio_s": 2.0},
    "f5-tts": {"architecture": "F5TTS_v1_Small", "nfe_step": 2},
    "qwen3-tts": {"max_audio_s": 2.0},
}
TEXTS = ("Hello there, dear reader.", "One more.", "Nobody oiled the wheel that spring.")
CLONED = "recording"
VOICE = f'name = "{CLONED}"\nlanguage = "en"\nconsent = "Nobody: it is a tone."\n'
SAID = "These words are said by nobody at all, for six seconds."


def main(name: str, python: str = "") -> int:
    if name in OWN_TESTS:
        return run_own_tests(name)
    specs = isolated_specs()
    if name not in specs:
        print(f"There is nothing to prove of {name}. Known: {', '.join((*OWN_TESTS, *specs))}")
        return 2
    spec = specs[name]
    builder = TINY / f"{name.replace('-', '_')}.py"
    if not builder.is_file():
        print(f"{name} has no random weights here: docs/engines.md says why")
        return 2
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        model, recording = home / "model", write_recording(home / "voices" / CLONED)
        model.mkdir()
        interpreter = Path(python) if python else installed(spec, model)
        code = run_program([interpreter, "-I", builder, model, recording], print)
        if code:
            return code
        settings = QUICK.get(name, {}) | vocoder_beside(model)
        os.environ |= downloads_beside(model)
        options = IsolatedOptions(
            name, str(model), interpreter, "cpu", settings=tuple(settings.items())
        )
        failed = [claim for claim, holds in claims(spec, options, home) if not holds]
    print(f"{name}: {len(failed)} claims do not hold" if failed else f"{name}: all claims hold")
    return bool(failed)


def run_own_tests(name: str) -> int:
    """Those that use the engine's package. Orpheus's must not pass for want of a server."""
    if name == "orpheus" and not os.environ.get("AUDIOMILL_TEST_LLAMA_SERVER"):
        print("There is no llama-server. Name one: LLAMA_SERVER=/path/to/llama-server")
        return 2
    return subprocess.call([sys.executable, "-m", "pytest", "-q", *OWN_TESTS[name]])


def installed(spec: EngineSpec, model: Path) -> Path:
    """The interpreter of the user's environment, made as by `audiomill engines install`."""
    environment = environment_of(replace(spec, more_models=()), None)
    install(environment, IsolatedOptions(spec.name, str(model)), print)
    return environment.python


def vocoder_beside(model: Path) -> dict[str, str]:
    vocoder = model.with_name(f"{model.name}-vocoder")
    return {"vocoder": str(vocoder)} if vocoder.is_dir() else {}


def downloads_beside(model: Path) -> dict[str, str]:
    """Variables for what a package would download by itself, where random ones lie beside."""
    hub, nltk_data = (model.with_name(f"{model.name}-{kind}") for kind in ("hub", "nltk"))
    variables = {"NLTK_DATA": str(nltk_data)} if nltk_data.is_dir() else {}
    if hub.is_dir():
        variables |= {"HF_HOME": str(hub), "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    return variables


def claims(spec: EngineSpec, options: IsolatedOptions, home: Path) -> Iterator[tuple[str, bool]]:
    """Each claim, and whether it holds; printed as it is found."""

    def told(claim: str, *, holds: bool) -> tuple[str, bool]:
        print(f"{'ok    ' if holds else 'FAILED'} {claim}", flush=True)
        return claim, holds

    clones = home / "voices"
    renderer = IsolatedRenderer(spec, options, home / "environments", clones)
    voices = [voice.name for voice in renderer.voices()]
    own = [name for name in voices if name != CLONED]
    voice = renderer.in_language(own[0], "en") if own else CLONED
    print(f"{len(voices)} voices at {renderer.sample_rate} Hz; {voice} speaks")
    together = rendered(renderer, voice, range(3))
    durations = [one.samples.size / renderer.sample_rate for one in together]
    print("seconds of audio:", *(f"{duration_s:.2f}" for duration_s in durations))
    yield told(
        "each text has audio that is finite and not silent",
        holds=all(np.abs(one.samples).max() > 1e-4 for one in together),
    )
    alone = [rendered(renderer, voice, [number])[0] for number in (2, 0, 1)]
    yield told(
        "a text alone, in another order, is the same to the last bit",
        holds=all(
            same(together[number], one) for number, one in zip((2, 0, 1), alone, strict=True)
        ),
    )
    other = rendered(renderer, voice, [0], key="another")[0]
    yield told("another key is another take", holds=not same(other, together[0]))
    if CLONED in voices and len(voices) > 1:
        cloned = rendered(renderer, CLONED, [0])[0]
        yield told("a recording is another voice", holds=not same(cloned, together[0]))
        again = rendered(renderer, voice, [0])[0]
        yield told("after it, the first voice is as before", holds=same(again, together[0]))
    renderer.stop()
    if spec.rows_per_call > 1:
        batched = IsolatedRenderer(spec, replace(options, batch=3), home / "environments", clones)
        distance = max(
            np.abs(one.samples - two.samples).max() if one.samples.size == two.samples.size else 9.0
            for one, two in zip(together, rendered(batched, voice, range(3)), strict=True)
        )
        yield told(f"three in one call are the same but for {distance:.1e}", holds=distance < 1e-4)
        batched.stop()


def rendered(renderer: IsolatedRenderer, voice: str, numbers, key: str = "key") -> list[Rendered]:
    requests = (Request(f"{key} {number}", TEXTS[number], voice, 1.0) for number in numbers)
    return renderer.render(Batch(tuple(requests)))


def same(one: Rendered, two: Rendered) -> bool:
    return np.array_equal(one.samples, two.samples)


def write_recording(folder: Path) -> Path:
    """A cloned voice: six seconds of a tone that sways, as 16 bits at 24 kHz."""
    folder.mkdir(parents=True)
    (folder / "voice.toml").write_text(VOICE)
    (folder / "reference.txt").write_text(SAID)
    path = folder / "reference.wav"
    time_s = np.arange(6 * 24_000) / 24_000
    pitch = 150 + 30 * np.sin(2 * np.pi * 3 * time_s)
    swell = 0.5 + 0.5 * np.sin(2 * np.pi * 2 * time_s)
    noise = np.random.default_rng(1).standard_normal(time_s.size)
    samples = 0.2 * swell * np.sin(2 * np.pi * pitch * time_s) + 0.01 * noise
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(24_000)
        file.writeframes((samples * 32767).astype("<i2").tobytes())
    return path


sys.exit(main(*sys.argv[1:]))
