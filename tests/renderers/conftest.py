"""What all tests of engines share."""

import functools
import ssl

import pytest


@pytest.fixture(scope="session", autouse=True)
def one_tls_context():
    """Each client of HTTP would read all certificates anew, which takes 20 ms."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", functools.cache(ssl.create_default_context))
        yield
