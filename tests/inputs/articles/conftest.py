"""A web server for the tests of a file, whose pages each test writes anew."""

import pytest

from support.web_server import serving_site


@pytest.fixture(scope="module")
def server():
    with serving_site() as site:
        yield site


@pytest.fixture
def site(server):
    server.pages.clear()
    server.requests.clear()
    return server
