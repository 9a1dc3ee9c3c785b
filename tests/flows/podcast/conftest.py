"""What tests of podcasts share: a site on loopback, and a cache of their own."""

from collections.abc import Iterator

import pytest

from support.web_server import Site, serving_site


@pytest.fixture
def site(tmp_path, monkeypatch) -> Iterator[Site]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with serving_site() as served:
        yield served
