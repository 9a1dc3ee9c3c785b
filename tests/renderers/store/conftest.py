"""A service with buckets, which fails as a test wants it to."""

import pytest

from support.cloud import serving_cloud


@pytest.fixture
def cloud():
    with serving_cloud() as cloud:
        yield cloud
