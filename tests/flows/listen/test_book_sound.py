"""A book that is heard while it is rendered: what is heard, and what is rendered for it, when."""

import io
import threading
from concurrent.futures import CancelledError
from contextlib import ExitStack

import httpx
import numpy as np
import pytest
import soundfile

from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.shard_source import ShardSource
from audiomill.flows.listen.book_chapters import BookChapters
from audiomill.flows.listen.book_server import book_app
from audiomill.flows.listen.book_sound import BeginningRenderer, BookPosition, BookSound
from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline.planning.manuscript import read_manuscript
from audiomill.flows.pipeline.planning.plan import make_plan
from audiomill.flows.speech.scheduler import SpeechScheduler
from audiomill.flows.speech.stream_encoding import StreamEncoder
from audiomill.flows.web_server.connections import ConnectionLimits
from audiomill.flows.web_server.listening import serving
from audiomill.inputs.model.book import SourceCorrupt
from audiomill.outputs.audio.joining import join
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.store.store import open_store
from support.case_files import each_row
from support.process_data import TIMEOUT_S, wait_until

TEXT = """# A Book

## One

It begins. Then it goes on. One ends here.

## Two

A second one begins. A word, *a word*, and the end of it.
"""
KEY = "a-key-that-nobody-guesses"


class NotedScheduler(SpeechScheduler):
    """Notes when segments are due, once they are queued."""

    def __init__(self, *parts):
        super().__init__(*parts)
        self.due_in_s = []

    def submit_following(self, requests, client, due_in_s):
        ticket = super().submit_following(requests, client, due_in_s)
        self.due_in_s.append(due_in_s)
        return ticket


@pytest.fixture
def opened(renderer, settings, tmp_path):
    """Makes a function that opens a book of a text."""
    with ExitStack() as stack:

        def opened(text=TEXT, begins_early=False, on_chapter=lambda *_: None, **options):
            path = tmp_path / "book.md"
            path.write_text(text)
            job = make_job(settings, path, **{"credits": False, **options})
            engine = open_renderer(job.engine, job.options)
            store = stack.enter_context(open_store(job.store).session())
            scheduler = stack.enter_context(
                NotedScheduler(ShardSource(engine, store, RunContext()))
            )
            stack.callback(renderer.go.set)
            book = BookSound(BookChapters(job, engine), engine, scheduler)
            first = BeginningRenderer(book, RunContext())

            def listener(read, segments):
                first(read, segments)
                on_chapter(book, segments)

            manuscript = read_manuscript(job, listener if begins_early else None)
            book.plan = make_plan(manuscript, job, engine)
            book.chapters.complete(book.plan)
            book.due_in_s = scheduler.due_in_s
            return book

        yield opened


def heard(book, *place):
    return np.concatenate(list(book.sound_from(BookPosition(*place)).samples()))


def test_the_beginning_is_rendered_before_anybody_listens(opened, renderer):
    numbered = " ".join(f"Here is number {number} of all of them." for number in range(50))
    book = opened(f"# A Book\n\n{numbered}\n", begins_early=True)
    spoken = [one.request.spoken for one in book.plan.chapters[0].segments]
    assert renderer.rendered == spoken[: len(renderer.rendered)]
    assert 5 < len(renderer.rendered) < 25


def test_chapters_are_heard_as_they_are_cut_and_are_those_of_the_plan(opened):
    early = []

    def on_chapter(book, _segments):
        early.append((book.chapters.known[-1], heard(book, len(book.chapters.known) - 1)))

    book = opened(begins_early=True, on_chapter=on_chapter, credits=True)
    assert [one for one, _ in early] == list(book.chapters.known)
    assert [one.segments for one, _ in early] == [one.segments for one in book.plan.chapters]
    assert [one.title for one, _ in early] == [one.title for one in book.plan.chapters]
    for number, (_, samples) in enumerate(early):
        assert np.array_equal(samples, heard(book, number))


def test_a_book_that_cannot_be_read_on_ends_where_it_is_waited_for(opened):
    def on_chapter(book, _segments):
        book.chapters.fail(SourceCorrupt("Page 2 is gone."))
        sound = book.pcm_from(BookPosition(0))
        with pytest.raises(SourceCorrupt, match="Page 2 is gone"):
            played.extend(sound)

    played = []
    opened(begins_early=True, on_chapter=on_chapter, text="# Book\n\nIt begins.\n")
    assert len(played) > 0


def test_chapters_that_are_not_chosen_are_not_rendered(opened, renderer):
    book = opened(begins_early=True, chapters="2")
    book.render_rest(book.plan.windows, RunContext())
    assert len(renderer.rendered) == book.plan.n_requests == 3


@pytest.mark.parametrize("first", [0, 2])
def test_what_is_heard_is_the_chapter_of_the_book(opened, first):
    book = opened()
    segments = book.plan.chapters[0].segments[first:]
    found = heard(book, 0, first)
    joined = join(map(book.clip, segments), book.plan.sample_rate)
    assert np.array_equal(found, np.concatenate([one.samples for one in joined]))


def test_the_next_chapter_is_rendered_while_one_is_heard_to_its_end(opened, renderer):
    book = opened(TEXT + "\n## Three\n\nNobody has come that far.\n")
    assert heard(book, 0).any()
    near = [one.request.spoken for chapter in book.plan.chapters[:2] for one in chapter.segments]
    wait_until(lambda: len(renderer.rendered) >= len(near))
    assert sorted(renderer.rendered) == sorted(near)


def test_each_segment_begins_where_it_is_told(opened):
    book = opened()
    sound = book.sound_from(BookPosition(0))
    samples = np.concatenate(list(sound.samples()))
    assert len(sound.starts_s) == len(book.plan.chapters[0].segments)
    for start_s in sound.starts_s[1:]:
        at = round(start_s * book.plan.sample_rate)
        assert np.abs(samples[at - 200 : at - 20]).max() < 1e-3 < np.abs(samples[at:][:2400]).max()


def test_what_is_heard_goes_before_the_rest(opened, renderer):
    numbered = " ".join(f"Here is number {number} of them." for number in range(50))
    book = opened(
        f"# A Book\n\n## One\n\nThis is the longest one, and it is held. {numbered}\n\n"
        "## Two\n\nA word. It is heard.\n"
    )
    rest = threading.Thread(target=book.render_rest, args=[book.plan.windows, RunContext()])
    rest.start()
    assert renderer.begun.wait(TIMEOUT_S)
    hearing = threading.Thread(target=heard, args=[book, 1, 2])
    hearing.start()
    wait_until(lambda: 0.0 in book.due_in_s)
    renderer.go.set()
    hearing.join(TIMEOUT_S)
    rest.join(TIMEOUT_S)
    assert len(renderer.batches[0]) == 32
    assert renderer.batches[1] == ["It is heard."]
    assert all(book.n_stored(one) == len(one.segments) for one in book.chapters.known)
    assert len(renderer.rendered) == len(set(renderer.rendered))


def test_a_sound_that_is_dropped_ends_and_is_rendered_no_more(opened, renderer, dropped):
    book = opened("# Book\n\nThis is held. Never heard. Nor this.\n")
    assert isinstance(dropped(book.sound_from(BookPosition(0, 1))), CancelledError)
    renderer.go.set()
    assert heard(book, 0, 3).any()
    assert renderer.rendered == ["This is held.", "Nor this."]


def test_a_segment_that_cannot_be_said_keeps_the_rest(opened):
    book = opened("# Book\n\nIt begins. This is broken. It ends.\n")
    book.render_rest(book.plan.windows, RunContext())
    (chapter,) = book.chapters.known
    assert book.n_stored(chapter) == len(chapter.segments) - 1
    assert book.problem == "This cannot be said."


@pytest.fixture
def served(opened):
    """Makes a function that serves a book until the test ends, and returns a client of it."""
    with ExitStack() as stack:

        def served(key="", **book):
            encoder = StreamEncoder(4)
            stack.callback(encoder.close)
            app = book_app(opened(**book), encoder, key)
            port = stack.enter_context(serving(app, "127.0.0.1", 0, ConnectionLimits()))
            url = f"http://127.0.0.1:{port}"
            return stack.enter_context(httpx.Client(base_url=url, timeout=TIMEOUT_S))

        yield served


@pytest.fixture
def client(served):
    return served()


def test_a_browser_gets_text_sound_and_times(served):
    client = served()
    book = client.get("/book.json").json()
    assert [one["title"] for one in book["chapters"]] == ["One", "Two"]
    assert book["isComplete"]
    blocks = client.get("/chapters/1.json").json()["blocks"]
    assert [one["kind"] for one in blocks] == ["heading", "paragraph"]
    texts = [part["text"] for block in blocks for part in block["segments"]]
    assert texts == ["Two", "A second one begins.", "A word, a word, and the end of it."]
    answer = client.get("/chapters/1/sound?from=1")
    sound, rate = soundfile.read(io.BytesIO(answer.content))
    starts_s = client.get("/chapters/1/starts.json?from=1").json()
    assert len(starts_s) == 2
    assert starts_s[1] < sound.size / rate
    assert client.get("/book.json").json()["chapters"][1]["stored"] == 2


def test_a_sound_that_fails_ends_and_the_page_is_told_why(served):
    client = served(text="# Book\n\nIt begins. This is broken.\n")
    assert client.get("/chapters/0/sound").status_code == 200
    assert client.get("/book.json").json()["problem"] == "This cannot be said."


@each_row
def test_places_that_there_are_not(client, path):
    assert client.get(path).status_code == 404


def test_pages_of_other_sites_may_not_use_it(served):
    client = served()
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 421
    assert client.get("/book.json", headers={"Origin": "http://evil.example"}).status_code == 403
    assert client.post("/book.json").status_code == 405


def test_the_key_of_the_address_is_kept_by_the_browser(served):
    client = served(KEY)
    for path in ("/", "/book.json", "/chapters/0/sound", "/?key=wrong"):
        assert client.get(path).status_code == 401
    answer = client.get(f"/?key={KEY}")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    assert client.get("/book.json").status_code == 200
    assert KEY not in client.get("/").text
