"""Engines by name, loaded when asked for and once."""

import subprocess
import sys
import threading

import pytest

from audiomill.renderers.base import UnknownEngine
from audiomill.renderers.registry import engine_names, open_renderer


def test_every_engine_opens_under_its_name():
    assert engine_names() == ("kokoro", "espeak", "tone")
    for name in ("espeak", "tone"):  # kokoro, which needs weights: test_kokoro_renderer.py
        assert open_renderer(name).name == name


def test_an_engine_is_one_per_process_however_many_ask():
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(open_renderer("tone"))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len({id(one) for one in found}) == 1


def test_an_unknown_engine_names_those_there_are():
    with pytest.raises(UnknownEngine, match="kokoro, espeak, tone"):
        open_renderer("gramophone")


def test_asking_for_names_loads_nothing_heavy():
    code = (
        "import sys; from audiomill.renderers.registry import engine_names; engine_names();"
        "print([m for m in ('numpy', 'torch', 'soundfile', 'ctypes.util', 'espeakng_loader')"
        " if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
