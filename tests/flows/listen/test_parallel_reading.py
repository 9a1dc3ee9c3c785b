"""A book that somebody waits to hear: from another process, or kept from before."""

import pytest

from audiomill.flows.execution.executor import ThreadExecutor
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.listen import book_reader, parallel_reading
from audiomill.flows.listen.parallel_reading import ParallelReading
from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline.pipeline import run_pipeline
from audiomill.inputs.model.book import Limits, SourceCorrupt
from audiomill.inputs.readers.kept_books import KeptBooks
from audiomill.inputs.readers.sources import read_book
from audiomill.inputs.reading.choices import Reading
from audiomill.inputs.reading.rules import ReadingRules
from audiomill.renderers.host.child_process import do_nothing
from audiomill.renderers.tone.renderer import ToneRenderer
from support.epub_data import three_chapters
from support.paths import SAMPLES
from support.process_data import children, wait_until

MILL = SAMPLES / "the-lighthouse-mill.epub"
ARGUMENTS = Limits(), ReadingRules()


class LoadedTones(ToneRenderer):
    is_loaded = False

    def load_ahead(self):
        self.is_loaded = True


@pytest.fixture
def reading(tmp_path, monkeypatch):
    """Makes what reads for an engine, each time as a new run would."""
    monkeypatch.setattr(parallel_reading, "usable_cores", lambda: 2)
    return lambda renderer, reader=None: ParallelReading(
        KeptBooks(tmp_path / "kept"), renderer, do_nothing, tmp_path / "library", reader
    )


@pytest.mark.prove
def test_the_engine_loads_beside_a_new_book_only(reading):
    renderer = LoadedTones()
    book = reading(renderer)(MILL, *ARGUMENTS)
    assert book == read_book(MILL, *ARGUMENTS)
    assert renderer.is_loaded
    again = LoadedTones()
    assert reading(again)(MILL, *ARGUMENTS) == book
    assert not again.is_loaded


OTHERWISE = Limits(), ReadingRules(Reading(notes="chapter"))


@pytest.mark.prove
@pytest.mark.parametrize("wanted", [ARGUMENTS, OTHERWISE])
def test_a_process_that_reads_from_the_first_moment_on_reads_the_same(reading, monkeypatch, wanted):
    monkeypatch.setattr(book_reader, "usable_cores", lambda: 2)
    before = children()
    for _ in range(2):  # the second time the book is kept
        with book_reader.reading_process(MILL) as reader:
            wait_until(lambda: [one for one in children() if one not in before])
            with monkeypatch.context() as other:
                other.setattr(parallel_reading, "read_book", None)  # this process reads nothing
                book = reading(None, reader)(MILL, *wanted)
            wait_until(lambda: not [one for one in children() if one not in before])
        assert book == read_book(MILL, *wanted)


@pytest.mark.prove
def test_a_book_that_has_changed_since_is_read_again(reading, monkeypatch, tmp_path):
    monkeypatch.setattr(book_reader, "usable_cores", lambda: 2)
    path = tmp_path / "book.epub"
    path.write_bytes(MILL.read_bytes())
    with book_reader.reading_process(path) as reader:
        reader.book(path, *ARGUMENTS, do_nothing)
        three_chapters().write(path.parent)
        assert reading(None, reader)(path, *ARGUMENTS) == read_book(path, *ARGUMENTS)


@pytest.mark.parametrize(("source", "n_cores"), [("book.md", 2), ("book.epub", 1)])
def test_no_process_is_started_where_it_would_be_of_no_use(monkeypatch, source, n_cores):
    monkeypatch.setattr(book_reader, "usable_cores", lambda: n_cores)
    with book_reader.reading_process(source) as reader:
        assert reader is None


def test_no_engine_loads_for_a_book_that_is_finished(reading, tmp_path, settings):
    options = {"out": tmp_path / "library", "engine": "tone", "formats": "flac"}
    job = make_job(settings, MILL, chapters="1", speed=4.0, **options)
    run_pipeline(job, ThreadExecutor(), RunContext())
    renderer = LoadedTones()
    assert reading(renderer)(MILL, *ARGUMENTS) == read_book(MILL, *ARGUMENTS)
    assert not renderer.is_loaded


@pytest.mark.prove
def test_a_book_that_cannot_be_read_is_told_as_ever(reading, tmp_path):
    path = tmp_path / "book.epub"
    path.write_bytes(MILL.read_bytes()[:-200])
    for renderer in (LoadedTones(), ToneRenderer(), None):
        with pytest.raises(SourceCorrupt) as told:
            reading(renderer)(path, *ARGUMENTS)
        with pytest.raises(SourceCorrupt) as expected:
            read_book(path, *ARGUMENTS)
        assert str(told.value) == str(expected.value)


@pytest.mark.parametrize("renderer", [ToneRenderer(), None])
def test_where_nothing_has_to_be_loaded_the_book_is_read_here(reading, renderer):
    assert reading(renderer)(MILL, *ARGUMENTS) == read_book(MILL, *ARGUMENTS)
    assert reading(renderer)(MILL, *ARGUMENTS) == read_book(MILL, *ARGUMENTS)
