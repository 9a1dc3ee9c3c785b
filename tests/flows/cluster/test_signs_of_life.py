"""A worker that sends no heartbeat is noticed by the scheduler's answers, never by a clock."""

from audiomill.flows.cluster.signs_of_life import QUIET_LOOKS, SILENT_LOOKS, SignsOfLife


def looked(n_workers: int, n_looks: int) -> SignsOfLife:
    """All workers send heartbeats, except the one of address "0"."""
    signs = SignsOfLife()
    for look in range(n_looks + 1):
        signs.look({str(one): 0.0 if one == 0 else float(look) for one in range(n_workers)})
    return signs


def test_a_worker_without_heartbeats_is_first_quiet_and_then_silent():
    states = [
        (signs.is_quiet("0"), signs.is_silent("0"))
        for signs in (looked(2, n) for n in range(SILENT_LOOKS + 1))
    ]
    quiet = SILENT_LOOKS - QUIET_LOOKS
    assert states == [*[(False, False)] * QUIET_LOOKS, *[(True, False)] * quiet, (True, True)]


def test_others_are_neither_and_one_that_is_back_is_not_any_more():
    signs = looked(2, SILENT_LOOKS)
    assert not (signs.is_quiet("1") or signs.is_silent("1") or signs.is_silent("unknown"))
    signs.look({"0": 1.0})
    assert not (signs.is_quiet("0") or signs.is_silent("0"))


def test_workers_of_a_large_cluster_may_be_slower():
    assert not looked(2000, SILENT_LOOKS).is_silent("0")
    assert looked(2000, SILENT_LOOKS + 40).is_silent("0")
