"""A browser for the tests of a file, of each kind that users have."""

from collections.abc import Iterator

import pytest

from support.browsers import BROWSERS, UserTab


@pytest.fixture(scope="module", params=["chromium", "firefox", "webkit"])
def browser(request, tmp_path_factory) -> Iterator[UserTab]:
    if request.param not in BROWSERS:
        pytest.skip(f"no {request.param} with all that drives it")
    with BROWSERS[request.param](tmp_path_factory.mktemp("profile")) as tab:
        yield tab
