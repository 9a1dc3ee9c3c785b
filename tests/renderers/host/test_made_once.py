"""Values that are made once for each key."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from audiomill.renderers.host.threads import MadeOnce


def test_each_value_is_made_once_by_any_number_of_threads():
    made = []

    def make(key):
        made.append(key)
        return [key]

    values = MadeOnce(make)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(values.of, ["a", "b"] * 200))
    assert sorted(made) == ["a", "b"]
    assert all(one is found[n % 2] for n, one in enumerate(found))


def test_what_failed_is_tried_again():
    answers = iter([ValueError("not yet"), 7])

    def make(_key):
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    values = MadeOnce(make)
    with pytest.raises(ValueError, match="not yet"):
        values.of("a")
    assert (values.of("a"), values.of("a")) == (7, 7)
