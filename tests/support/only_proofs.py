"""Which files of tests hold nothing but proofs, as their text tells."""

import re

_ALL = re.compile(rb"^pytestmark = \[?pytest\.mark\.prove", re.MULTILINE)
# The mark of a proof, or what may be a test.
_MARK_OR_TEST = re.compile(
    rb"^(?:@pytest\.mark\.(prove)|(?:async def |def |class )(test_|Test)?)", re.MULTILINE
)


def holds_only_proofs(source: bytes) -> bool:
    """Whether all tests of a file are marked as proofs, together or one by one."""
    if _ALL.search(source):
        return True
    is_proof, n_proofs = False, 0
    for mark, test in _MARK_OR_TEST.findall(source):
        if test and not is_proof:
            return False
        n_proofs += bool(test)
        is_proof = bool(mark)
    return n_proofs > 0
