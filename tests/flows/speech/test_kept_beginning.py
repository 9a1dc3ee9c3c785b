"""A server of speech begins with a book that it has rendered before, while the book is read."""

from functools import partial

import pytest

from audiomill.flows.cluster.row_wire import ROWS_PATH, wanted_bytes, wanted_rows
from audiomill.flows.speech.kept_beginning import MAX_KEPT, KeptBeginning, ServerPlace
from audiomill.renderers.engine.planning import make_request
from audiomill.renderers.store.store import open_store
from support import patient_http
from support.process_data import TIMEOUT_S, wait_until


@pytest.fixture
def source(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "book.md"
    path.write_text("# A Book\n")
    return path


@pytest.fixture
def heard(source, renderer, settings):
    """Makes a function that keeps the beginning of a book as it was heard from a server."""

    def heard(url, speed=None, key_file=None, options=()):
        request = make_request("A Book.", "sine", renderer, speed or 1.0)
        identity = open_store(settings.store).give_identity()
        rows = wanted_bytes(wanted_rows("held", identity, [request], 0.0))
        KeptBeginning(source, dict(options), speed).keep(
            ServerPlace(f"{url}{ROWS_PATH}", key_file), rows
        )

    return heard


def test_a_beginning_is_rendered_at_the_speed_of_now_under_the_key_of_the_book(
    heard, served, source, renderer, settings
):
    heard(served())
    with KeptBeginning(source, {}, 1.25).sent():
        request = make_request("A Book.", "sine", renderer, 1.25)
        wait_until(partial(open_store(settings.store).has, request.key))
    assert renderer.rendered == ["A Book."]


def test_a_server_that_wants_a_key_gets_it(heard, served, source, renderer, tmp_path):
    key_file = tmp_path / "key"
    key_file.write_text("a-key-that-nobody-guesses\n")
    heard(served("a-key-that-nobody-guesses"), key_file=key_file)
    with KeptBeginning(source, {}, None).sent():
        assert renderer.begun.wait(TIMEOUT_S)


@pytest.mark.parametrize("change", ["other options", "another text", "the speed of the settings"])
def test_what_may_begin_otherwise_is_not_sent(change, heard, served, source, renderer):
    url = served()
    heard(url, speed=1.25)
    if change == "another text":
        source.write_text("# Another Book\n")
    options = {"voice": "square"} if change == "other options" else {}
    speed = None if change == "the speed of the settings" else 1.25
    with KeptBeginning(source, options, speed).sent():
        body = {"input": "It is the next one.", "response_format": "pcm"}
        patient_http.post(f"{url}/v1/audio/speech", json=body).raise_for_status()
    assert renderer.rendered == ["It is the next one."]


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"speed": null, "rows": 1}', b"\xff"])
def test_what_is_damaged_or_has_no_server_ends_nothing(content, heard, source, tmp_path):
    heard("http://127.0.0.1:9")
    with KeptBeginning(source, {}, None).sent():
        pass
    (kept,) = (tmp_path / "cache").rglob("beginnings/*")
    kept.write_bytes(content)
    with KeptBeginning(source, {}, None).sent():
        pass


def test_the_last_ones_stay(heard, source, tmp_path):
    for number in range(MAX_KEPT + 2):
        heard("http://127.0.0.1:9", options={"chapters": number}.items())
    assert len([*(tmp_path / "cache").rglob("beginnings/*")]) == MAX_KEPT
    assert (tmp_path / "cache" / "audiomill" / "beginnings").stat().st_mode & 0o077 == 0
