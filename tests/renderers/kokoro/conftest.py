"""What Kokoro's engines share in tests."""

from unittest import mock

import pytest

from support.kokoro_text_data import cached_g2p


@pytest.fixture(scope="module")
def shared_g2p():
    """Loads each language once for all renderers of a process, which takes a second."""
    with mock.patch(
        "audiomill.renderers.kokoro.g2p.workers.open_g2p",
        lambda language, alphabet: cached_g2p(language.code, alphabet),
    ):
        yield
