"""A book whose segments a server of speech renders as they are to be heard."""

import math
from concurrent.futures import CancelledError, wait
from contextlib import ExitStack

import numpy as np
import pytest

from audiomill.flows.cluster.server_executor import RenderingServer
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.listen.book_chapters import BookChapters
from audiomill.flows.listen.book_sound import BookPosition, BookSound
from audiomill.flows.listen.server_rows import ServerRows
from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline.planning.manuscript import read_manuscript
from audiomill.flows.pipeline.planning.plan import make_plan
from audiomill.outputs.audio.joining import join
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.store.store import open_store
from support.held_speech import waiting_rows
from support.process_data import TIMEOUT_S, wait_until


@pytest.fixture
def opened(served, settings, tmp_path):
    """Makes a function that opens a book of a text: with its plan, and the server's address."""
    with ExitStack() as stack:

        def opened(text):
            path = tmp_path / "book.md"
            path.write_text(text)
            job = make_job(settings, path, credits=False)
            engine = open_renderer(job.engine, job.options)
            store = stack.enter_context(open_store(job.store).session())
            context = RunContext()
            url = served()
            server = RenderingServer(url, "")
            rows = stack.enter_context(ServerRows(job, store, server, context))
            stack.callback(context.cancel)
            book = BookSound(BookChapters(job, engine), engine, rows)
            plan = make_plan(read_manuscript(job), job, engine)
            book.chapters.complete(plan)
            return book, plan, url

        yield opened


def test_what_is_heard_is_the_chapter_of_the_book_and_is_rendered_once(opened, renderer):
    book, plan, _ = opened("# Book\n\nIt begins. Then it goes on. It begins. It ends.\n")
    found = np.concatenate(list(book.sound_from(BookPosition(0)).samples()))
    joined = join(map(book.clip, plan.chapters[0].segments), plan.sample_rate)
    assert np.array_equal(found, np.concatenate([one.samples for one in joined]))
    book.render_rest(plan.windows, RunContext())
    assert len(renderer.rendered) == len(set(renderer.rendered)) == plan.n_requests


def test_what_is_heard_goes_before_the_rest(opened, renderer):
    book, plan, url = opened("# A Book\n\nThis is held. Here it is. And more of it. It is heard.\n")
    _, held, *rest, heard = [one.request for one in plan.chapters[0].segments]
    tickets = [book.submit([held], math.inf)]
    assert renderer.begun.wait(TIMEOUT_S)
    tickets.append(book.submit(rest, math.inf))
    wait_until(lambda: waiting_rows(url) == 2)
    tickets.append(book.submit([heard], 0.0))
    wait_until(lambda: waiting_rows(url) == 3)
    renderer.go.set()
    wait([one for ticket in tickets for one in ticket.stored], TIMEOUT_S)
    assert renderer.batches[1] == ["It is heard."]


def test_a_sound_that_is_dropped_ends(opened, dropped):
    book, _, _ = opened("# Book\n\nThis is held. Never heard. Nor this.\n")
    assert isinstance(dropped(book.sound_from(BookPosition(0, 1))), CancelledError)


def test_a_segment_that_cannot_be_said_is_told(opened):
    book, _, _ = opened("# Book\n\nThis is broken.\n")
    with pytest.raises(EngineFailed, match=r"^This cannot be said\.$"):
        list(book.sound_from(BookPosition(0, 1)).samples())


def test_a_damaged_segment_is_rendered_again_by_the_server(opened, renderer, tmp_path):
    book, plan, _ = opened("# Book\n\nIt begins.\n")
    before = np.concatenate(list(book.sound_from(BookPosition(0)).samples()))
    n_rendered = len(renderer.rendered)
    key = plan.chapters[0].segments[1].request.key
    (shard,) = (one for one in (tmp_path / "store").rglob(f"*{key[2:]}*") if one.is_file())
    shard.write_bytes(b"damaged")
    again = np.concatenate(
        [one.samples for one in join(map(book.clip, plan.chapters[0].segments), plan.sample_rate)]
    )
    assert np.array_equal(before, again)
    assert len(renderer.rendered) == n_rendered + 1
