"""No message has a secret of ours, however a server sends it back."""

import base64
import json
from urllib.parse import quote

import pytest

from audiomill.inputs.messages import mask_error, masked

KEY = 'sk-live-7d1f+9a/x"Q2='


@pytest.mark.parametrize(
    "sent_back",
    [
        KEY,
        KEY.upper(),
        KEY[:14],  # of a message that is cut
        KEY[7:],
        quote(KEY),
        quote(KEY, safe=""),
        json.dumps(KEY),
        repr(KEY),
        base64.b64encode(KEY.encode()).decode(),
        quote(base64.b64encode(KEY.encode()).decode(), safe=""),
        base64.urlsafe_b64encode(KEY.encode()).decode(),
        base64.b64encode(f"a{KEY}z".encode()).decode(),  # of a whole header, as “Bearer KEY”
        base64.b64encode(f"ab{KEY}".encode()).decode(),
        KEY.encode().hex(),
    ],
)
def test_a_secret_in_any_form_is_masked(sent_back):
    text = masked(f"no such key: Bearer {sent_back}, sorry (401) \u0130", [KEY])
    assert text.startswith("no such key: Bearer ") and text.endswith(", sorry (401) \u0130")
    shown = text.removeprefix("no such key: Bearer ").removesuffix(", sorry (401) \u0130")
    assert "***" in shown and len(shown.replace("***", "")) <= 6


def test_words_that_a_short_secret_is_a_part_of_stay():
    assert masked("the latest test", ["test"]) == "the latest ***"
    assert masked("the key is on", ["on"]) == "the key is on"


def test_an_error_is_masked_with_those_that_it_came_from():
    error = RuntimeError(f"refused: {KEY}")
    error.__cause__ = ValueError(f"{KEY} is wrong")
    mask_error(error, [KEY])
    assert (str(error), str(error.__cause__)) == ("refused: ***", "*** is wrong")
