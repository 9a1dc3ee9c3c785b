"""A Prefect API of our own on loopback, and what the tests beside this file render."""

import pytest
from e2e.flow_runs.runs import TEXT

from support.prefect_api import put_database, running_server


@pytest.fixture(scope="package")
def server(tmp_path_factory):
    """The URL of a Prefect API of our own, for the tests of this folder that follow each other."""
    home = tmp_path_factory.mktemp("server") / "prefect"
    put_database(home)
    with running_server(home) as (url, _):
        yield url


@pytest.fixture
def book(home):
    path = home.path / "book.md"
    path.write_text(TEXT)
    return path
