"""Books whose segments a server of speech renders: the same files, and nothing twice."""

import threading
from contextlib import ExitStack
from dataclasses import replace

import pytest

from audiomill.flows.cluster.choice import ServerChoice, place_of_windows
from audiomill.flows.execution.executor import ThreadExecutor
from audiomill.flows.execution.run_context import Interrupted, RunContext
from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline.pipeline import run_pipeline
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.store.store import open_store
from support import patient_http
from support.held_speech import waiting_rows
from support.loopback import Handler, answering
from support.prefect_api import free_port
from support.process_data import TIMEOUT_S, wait_until

IN_ONE = {"changes": {"window_s": 6000.0}}  # all of a book is one window
TEXT = "# A Book\n\n## One\n\nIt begins. Then it goes on.\n\n## Two\n\nA second one. And its end.\n"


@pytest.fixture
def rendered_by(renderer, settings, tmp_path):
    """Makes a function that renders a text with a server, or here, into a library of its own."""
    with ExitStack() as stack:

        def rendered_by(url, text=TEXT, context=None, key="", changes=None, **options):
            path = tmp_path / "book.md"
            path.write_text(text)
            options = {"out": tmp_path / "library", "formats": ["wav"], "credits": False} | options
            job = replace(make_job(settings, path, **options), **(changes or {}))
            place = stack.enter_context(place_of_windows(ServerChoice(url, key) if url else None))
            with ThreadExecutor() as threads:
                return run_pipeline(job, place.executor(threads), context or RunContext())

        yield rendered_by


def test_the_files_are_those_of_a_run_without_it(served, rendered_by, renderer, tmp_path):
    report = rendered_by(served())
    n_rendered = len(renderer.rendered)
    assert report.rendered == n_rendered == 7
    here = rendered_by(None, out=tmp_path / "here", store=str(tmp_path / "other"))
    assert len(renderer.rendered) == 2 * n_rendered
    assert report.files[0].path.read_bytes() == here.files[0].path.read_bytes()
    again = rendered_by(None, out=tmp_path / "again")
    assert (again.rendered, again.cached) == (0, n_rendered)


def test_who_listens_goes_before_the_book(served, rendered_by, renderer):
    url = served()
    numbered = " ".join(f"Here is number {number} of them." for number in range(50))
    text = f"# A Book\n\nThis is the longest one, and it is held. {numbered}\n"
    book = threading.Thread(target=rendered_by, args=[url, text], kwargs=IN_ONE)
    book.start()
    assert renderer.begun.wait(TIMEOUT_S)
    hearing = threading.Thread(target=speak, args=[url, "Hear this."])
    hearing.start()
    wait_until(lambda: waiting_rows(url) == 52 - 32 + 1)
    renderer.go.set()
    hearing.join(TIMEOUT_S)
    book.join(TIMEOUT_S)
    assert len(renderer.batches[0]) == 32
    assert renderer.batches[1] == ["Hear this."]
    assert len(renderer.rendered) == len(set(renderer.rendered)) == 53


def speak(url, text):
    body = {"input": text, "response_format": "pcm"}
    return patient_http.post(f"{url}/v1/audio/speech", json=body).raise_for_status()


def test_a_run_that_is_stopped_has_nothing_more_rendered(served, rendered_by, renderer):
    url, context = served(), RunContext()
    numbered = " ".join(f"This is number {number} of them all." for number in range(50))
    stopped = []

    def run():
        try:
            rendered_by(
                url,
                f"# A Book\n\nThis is the longest one, and it is held. {numbered}\n",
                context,
                **IN_ONE,
            )
        except Interrupted:
            stopped.append(True)

    book = threading.Thread(target=run)
    book.start()
    assert renderer.begun.wait(TIMEOUT_S)
    context.stop.set()
    book.join(TIMEOUT_S)
    wait_until(lambda: waiting_rows(url) == 0)
    renderer.go.set()
    speak(url, "The next one.")
    assert stopped == [True]
    assert [len(batch) for batch in renderer.batches] == [32, 1]


def test_a_segment_that_cannot_be_said_ends_the_run(served, rendered_by):
    with pytest.raises(EngineFailed, match=r"^This cannot be said\.$"):
        rendered_by(served(), "# A Book\n\nA good one. This is broken.\n")


def test_a_server_that_is_not_there_is_waited_for_and_named(rendered_by):
    with pytest.raises(EngineFailed, match="audiomill serve --speech, or render here with"):
        rendered_by(f"http://127.0.0.1:{free_port()}", changes={"outage_s": 0.0})


def test_a_server_with_another_store_or_voice_is_refused(
    served, rendered_by, renderer, monkeypatch, tmp_path
):
    url = served()
    with pytest.raises(EngineFailed, match=r"another store\. Give both the same --store"):
        rendered_by(url, store=str(tmp_path / "other"))
    body = {"engine": "held", "store": identity(tmp_path / "store"), "rows": [REQUEST]}
    answer = patient_http.post(f"{url}/rows", json=body)
    assert answer.status_code == 409
    assert "would sound otherwise here" in answer.json()["error"]["message"]
    assert renderer.rendered == []


REQUEST = {"key": "0" * 64, "spoken": "One.", "voice": "sine", "speed": 1.0}


def identity(store):
    return open_store(str(store)).give_identity()


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"[]", b"{", b'{"engine": "held"}', b'{"engine": 1, "store": "", "rows": []}'),
        b'{"engine": "held", "store": "", "rows": [{"key": "x"}]}',
    ],
)
def test_what_is_no_request_for_rows(served, body):
    answer = patient_http.post(f"{served()}/rows", content=body)
    assert answer.status_code == 400
    assert "These are no rows" in answer.json()["error"]["message"]


def test_a_server_with_a_key_renders_for_who_has_it(served, rendered_by):
    key = "a-key-that-nobody-guesses"
    url = served(key)
    with pytest.raises(EngineFailed, match="The key is missing or wrong"):
        rendered_by(url)
    assert rendered_by(url, key=key).rendered == 7


def test_a_server_of_something_else_is_named(rendered_by):
    class Other(Handler):
        def do_POST(self):
            self.reply(404, b"nothing", {"Content-Type": "text/plain"})

    with (
        answering(Other) as other,
        pytest.raises(EngineFailed, match="it is no server of audiomill, or an older one"),
    ):
        rendered_by(other.url)
