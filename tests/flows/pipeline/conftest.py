"""Books that are finished already, in a folder that each test may change."""

import hashlib
import shutil
from pathlib import Path

import pytest

from audiomill.flows.job import Job
from audiomill.flows.pipeline.report import Report
from support.book_data import rendered
from support.changed_book import ChangedBook


class FirstRuns:
    """First runs in an empty `place`. What each has left is kept, and put there the next time."""

    def __init__(self, folder: Path) -> None:
        self.place = folder / "place"
        self._folder = folder
        self._reports: dict[str, Report] = {}

    def __call__(self, job: Job) -> Report:
        told = repr(job).encode() + job.source.read_bytes()
        key = hashlib.sha256(told).hexdigest()
        if key in self._reports:
            shutil.copytree(self._folder / key, self.place, dirs_exist_ok=True)
        else:
            self._reports[key] = rendered(job)
            shutil.copytree(self.place, self._folder / key)
        return self._reports[key]


@pytest.fixture(scope="session")
def _first_runs(tmp_path_factory: pytest.TempPathFactory) -> FirstRuns:
    return FirstRuns(tmp_path_factory.mktemp("first-runs"))


@pytest.fixture
def place(_first_runs: FirstRuns) -> Path:
    """An empty folder, which always has the same path."""
    shutil.rmtree(_first_runs.place, ignore_errors=True)
    _first_runs.place.mkdir()
    return _first_runs.place


@pytest.fixture
def first_run(_first_runs: FirstRuns, place: Path) -> FirstRuns:
    """Renders a job in `place`, where nothing else has been rendered."""
    return _first_runs


@pytest.fixture
def first(first_run: FirstRuns, place: Path) -> Report:
    """The report of a book of one file that is in `place`."""
    return first_run(ChangedBook().job(place, formats=["flac"]))


@pytest.fixture
def first_split(first_run: FirstRuns, place: Path) -> Report:
    """The same of a book with a file for each chapter."""
    return first_run(ChangedBook().job(place, formats=["flac"], split=True))
