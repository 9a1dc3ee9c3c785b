"""A file with one everyday test is collected for `make test`."""

import pytest

from support.only_proofs import holds_only_proofs

PROOF = "@pytest.mark.prove\n@each_row\ndef test_proof():\n    pass\n"
LONG = "@pytest.mark.parametrize('n', [1])\n@pytest.mark.prove_long\ndef test_long(n):\n    pass\n"
EVERYDAY = "def test_everyday():\n    pass\n"
HELPER = "def helper():\n    pass\n"


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((PROOF, HELPER, LONG), True),
        (("pytestmark = pytest.mark.prove\n", EVERYDAY), True),
        (("pytestmark = [pytest.mark.prove, pytest.mark.longest]\n", EVERYDAY), True),
        ((PROOF, EVERYDAY), False),
        ((EVERYDAY, PROOF), False),
        (("@pytest.mark.prove\n", HELPER, EVERYDAY), False),
        ((PROOF, "async " + EVERYDAY), False),
        ((PROOF, "class TestMore:\n    def test_everyday(self):\n        pass\n"), False),
        (("pytestmark = pytest.mark.longest\n", EVERYDAY), False),
        ((HELPER,), False),
    ],
)
def test_only_files_without_an_everyday_test_are_left_out(parts, expected):
    assert holds_only_proofs("\n\n".join(parts).encode()) == expected
