"""Files of a model that must be refused, whoever reads them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from audiomill.renderers.engine.errors import WeightsUnfit


def check_refused(read: Callable[[Path], object], path: Path, *expected: str) -> None:
    """Assert that `read` fails with one line: the file, the error, and what to do."""
    with pytest.raises(WeightsUnfit) as caught:
        read(path)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    assert message.startswith(str(path))
    assert message.endswith("etch it again.")
    for words in expected:
        assert words in message
