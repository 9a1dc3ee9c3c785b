"""The engine "tones" in an environment of its own, for tests of its renderer."""

import pytest

from support.isolated_data import tones_renderer
from support.process_data import children


@pytest.fixture
def tones(tmp_path):
    """Opens the engine with the cloned voices in `tmp_path`; the test's end stops it."""
    opened = []

    def open_engine(**choices):
        opened.append(tones_renderer(tmp_path, cloned_voices=tmp_path / "voices", **choices))
        return opened[-1]

    yield open_engine
    for renderer in opened:
        renderer.stop()
    assert not children()
