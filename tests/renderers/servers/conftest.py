"""Renderers for stand-ins for servers of speech."""

import pytest

from support.server_rendering import renderers
from support.speech_server import KEY, speech_server


@pytest.fixture
def clones(tmp_path):
    """The folder of cloned voices, which has none yet."""
    return tmp_path / "voices"


@pytest.fixture
def renderer_of(monkeypatch, clones):
    """Makes renderers for stand-ins, which know the key of OpenAI's and the cloned voices."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with renderers(clones) as make:
        yield make


@pytest.fixture
def server(kind):
    """The stand-in of a kind, which the test names."""
    with speech_server(kind) as server:
        yield server
