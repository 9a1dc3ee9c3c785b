"""Engines are opened by name, on first use, and only once."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from audiomill.renderers.engine.declaration import Runs
from audiomill.renderers.engine.errors import UnknownEngine
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.engine.registry import (
    ENGINES,
    engine_names,
    open_renderer,
    quick_engine_names,
)
from audiomill.renderers.isolated.catalogue import isolated_specs
from audiomill.renderers.piper.options import PiperOptions


def test_every_engine_opens_under_its_name():
    assert quick_engine_names() == (
        "kokoro",
        "kokoro-onnx",
        "espeak",
        "orpheus",
        "paradee",
        "piper",
        "tone",
    )
    servers = [one.name for one in ENGINES.values() if one.runs is Runs.SERVER]
    assert engine_names() == (*quick_engine_names(), *servers, *isolated_specs())
    for name in ("espeak", "tone"):  # kokoro needs weights: see kokoro/test_renderer.py
        assert open_renderer(name).name == name


def test_concurrent_calls_load_an_engine_once():
    with ThreadPoolExecutor(8) as threads:
        engines = threads.map(lambda _: open_renderer("tone"), range(8))
    assert len({id(engine) for engine in engines}) == 1


def test_options_of_other_engines_load_no_second_engine():
    others = EngineOptions((PiperOptions(sample_rate=24_000),))
    assert open_renderer("tone", others) is open_renderer("tone")


def test_the_error_for_an_unknown_engine_names_the_engines():
    with pytest.raises(UnknownEngine, match="kokoro, kokoro-onnx, espeak, orpheus"):
        open_renderer("gramophone")


def test_a_servers_profile_that_is_taken_for_an_engine_is_told():
    with pytest.raises(UnknownEngine, match="kokoro-fastapi is not an engine but a pro"):
        open_renderer("kokoro-fastapi")


def test_listing_the_engines_imports_nothing_heavy():
    code = (
        "import sys; from audiomill.renderers.engine.registry import engine_names; engine_names();"
        "print([m for m in ('numpy', 'torch', 'soundfile', 'ctypes.util', 'espeakng_loader')"
        " if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
