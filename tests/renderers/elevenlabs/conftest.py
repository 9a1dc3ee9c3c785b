"""The stand-in as it is by itself, and renderers for it."""

import pytest

from support import elevenlabs_data
from support.elevenlabs_server import elevenlabs_server

renderer_of = elevenlabs_data.renderer_of


@pytest.fixture
def server():
    with elevenlabs_server() as server:
        yield server
