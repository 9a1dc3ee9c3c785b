"""Which runs are taken for dead, by the lock of their attempt and the age of their state."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from prefect.client.schemas import objects

from audiomill.flows.file_lock import FileLock
from audiomill.flows.prefect import attempts

NOW, LONG_AGO = 0.0, 1000.0


class OneRun:
    """What `retry_dead_runs` asks of Prefect's client, with one run."""

    def __init__(self, type_: str, age_s: float) -> None:
        then = datetime.now(UTC) - timedelta(seconds=age_s)
        state = objects.State(type=type_, timestamp=then)
        self.run = objects.FlowRun(id=uuid4(), flow_id=uuid4(), state=state)

    def read_flow_runs(self, **_: object) -> list[Any]:
        return [self.run]

    def read_flow_run_states(self, _: UUID) -> list[Any]:
        return [self.run.state]

    def set_flow_run_state(self, _: UUID, state: Any, *, force: bool) -> None:
        assert force
        self.run.state = state


@pytest.fixture
def locks(tmp_path, monkeypatch):
    monkeypatch.setattr("audiomill.flows.prefect.attempts.cache_folder", lambda: tmp_path)
    return tmp_path / "flow-runs"


def test_a_run_that_has_not_taken_its_lock_yet_is_left_alone(locks):
    """Prefect calls it RUNNING a moment before the flow's own code begins."""
    del locks
    for client in (OneRun("RUNNING", NOW), OneRun("PENDING", attempts.START_S / 2)):
        assert attempts.retry_dead_runs(client, [uuid4()]) == []
        assert client.run.state.type != "SCHEDULED"


@pytest.mark.parametrize("type_", ["RUNNING", "PENDING"])
def test_a_run_that_never_began_gets_another_attempt(locks, type_):
    del locks
    client = OneRun(type_, max(attempts.BEGIN_S, attempts.START_S) + 1)
    assert attempts.retry_dead_runs(client, [uuid4()]) == [client.run]
    assert client.run.state.name == "AwaitingRetry"


def test_a_live_attempt_is_left_alone_however_old(locks):
    client = OneRun("RUNNING", LONG_AGO)
    with FileLock(locks / f"{client.run.id}.lock") as lock:
        assert lock.try_acquire()
        assert attempts.retry_dead_runs(client, [uuid4()]) == []


def test_a_dead_attempt_is_seen_at_once_and_does_not_speak_for_the_next(locks):
    client = OneRun("RUNNING", NOW)
    with FileLock(locks / f"{client.run.id}.lock") as lock:
        assert lock.try_acquire()
    assert attempts.retry_dead_runs(client, [uuid4()]) == [client.run]
    assert client.run.state.name == "AwaitingRetry"
    client.run.state = objects.State(type="RUNNING")
    assert attempts.retry_dead_runs(client, [uuid4()]) == []
