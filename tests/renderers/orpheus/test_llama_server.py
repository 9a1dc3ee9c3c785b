"""The real llama-server with a tiny model of Orpheus's vocabulary: the wire format is what we read.

make prove-engine ENGINE=orpheus LLAMA_SERVER=/path/to/llama-server
"""

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
import pytest

from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.protocol import Batch
from support import patient_http
from support.hasty_waiter import HastyWaiter
from support.orpheus_data import HELLO, open_orpheus, request, say, tiny_snac
from support.prefect_api import free_port
from support.process_data import wait_until
from support.tiny_orpheus import CONTROL, USER_DEFINED, write_tiny_orpheus

PROGRAM = os.environ.get("AUDIOMILL_TEST_LLAMA_SERVER", "")
pytestmark = [
    pytest.mark.prove,
    pytest.mark.skipif(not PROGRAM, reason="AUDIOMILL_TEST_LLAMA_SERVER names no llama-server"),
]
TEXTS = ["One.", HELLO, "He wrote <|eot_id|> there, and went on.", "The light went out at last."]


@contextmanager
def llama_server(model, *arguments):
    port = free_port()
    # One thread: on cores that others use, too, several would mostly wait for each other.
    command = [PROGRAM, "-m", model, "--port", str(port), "-np", "4", "-t", "1", *arguments]
    with subprocess.Popen(
        [*map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            process.kill()


@pytest.fixture(scope="module", params=[USER_DEFINED, CONTROL], ids=["user-defined", "control"])
def url(request, tmp_path_factory):
    """Custom tokens are printed by some files, and hidden by others."""
    model = write_tiny_orpheus(
        tmp_path_factory.mktemp("gguf") / "orpheus.gguf", custom_kind=request.param
    )
    with llama_server(model, "-c", "16384", "--no-warmup") as url:
        yield url


@pytest.fixture
def engine(url, tmp_path):
    return open_orpheus(url, tiny_snac(tmp_path))


def test_texts_are_spoken_the_same_again_and_side_by_side(engine, url, tmp_path):
    alone = [engine.render(Batch((request(text),)))[0].samples for text in TEXTS]
    other = open_orpheus(url, tiny_snac(tmp_path))
    batches = [Batch((request(text),)) for text in TEXTS]
    with ThreadPoolExecutor(4) as threads:
        together = [*threads.map(other.render, batches)]
    for samples, (rendered,) in zip(alone, together, strict=True):
        assert samples.size % 2048 == 0
        assert np.abs(samples).max() > 0
        assert np.array_equal(samples, rendered.samples)


def test_facts_are_those_of_the_server(engine):
    assert "orpheus.gguf" in engine.fingerprint("tara")
    assert (engine._speaker.facts.n_slots, engine._speaker.facts.slot_tokens) == (4, 4096)


def test_slots_are_free_when_speech_has_ended(engine, url):
    """Else each text would hold its slot until the model is out of tokens."""
    say(engine)
    wait_until(
        lambda: not any(one["is_processing"] for one in patient_http.get(f"{url}/slots").json())
    )


def test_a_model_that_loads_is_waited_for_and_a_small_context_is_told(tmp_path):
    model = write_tiny_orpheus(tmp_path / "orpheus.gguf")
    snac = tiny_snac(tmp_path / "snac")
    with llama_server(model, "-c", "1024") as url:
        engine, waiter = open_orpheus(url, snac), HastyWaiter(3000.0)
        engine.render(Batch((request("One."),)), waiter)
        long = request("A longer text, for which there is no room in a slot so small as this.")
        with pytest.raises(EngineFailed, match=r"too small: 256 tokens"):
            engine.render(Batch((long,)), waiter)


def test_a_key_is_asked_for(tmp_path, monkeypatch):
    model = write_tiny_orpheus(tmp_path / "orpheus.gguf")
    snac = tiny_snac(tmp_path / "snac")
    with llama_server(model, "-c", "16384", "--api-key", "secret") as url:
        with pytest.raises(EngineFailed, match="does not accept the key"):
            open_orpheus(url, snac).render(Batch((request(),)), HastyWaiter(3000.0))
        monkeypatch.setenv("LLAMA_API_KEY", "secret")
        assert say(open_orpheus(url, snac)).samples.size
