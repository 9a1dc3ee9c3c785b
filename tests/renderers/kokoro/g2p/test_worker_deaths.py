"""Workers that die are replaced; what they die of never reaches the process that renders."""

import multiprocessing
import os
import signal

import pytest

from audiomill.renderers.base import Batch, Remark, Request
from audiomill.renderers.host.child_process import start_ignoring_sigint
from audiomill.renderers.kokoro.bench.random_weights import write_random_model
from audiomill.renderers.kokoro.g2p import workers as g2p_hand
from audiomill.renderers.kokoro.g2p import workers as g2p_pool
from audiomill.renderers.kokoro.g2p.cache import PhonemeCache
from audiomill.renderers.kokoro.g2p.phonemes import Phonemes
from audiomill.renderers.kokoro.g2p.workers import G2PPool
from audiomill.renderers.kokoro.languages import LANGUAGES
from audiomill.renderers.kokoro.renderer import KokoroRenderer
from audiomill.renderers.options import KokoroOptions
from support import deadly_worker
from support.kokoro_reference import CONFIGS, built
from support.kokoro_text_data import V1_0, reader

pytestmark = pytest.mark.xdist_group("misaki")

SPANISH = LANGUAGES["e"]
TEXTS = [f"Compró {number} panes." for number in range(40)]
DEADLY = f"{deadly_worker.DEADLY} aquí."
LEFT_OUT = Phonemes("", (), (Remark(0, 10, "left out"),))


@pytest.fixture
def started(monkeypatch):
    """Workers are mortal; each that is started is listed."""
    workers = []

    def start(process):
        workers.append(process)
        start_ignoring_sigint(process)

    monkeypatch.setattr(g2p_hand, "work", deadly_worker.work)
    monkeypatch.setattr(g2p_hand, "start_ignoring_sigint", start)
    return workers


@pytest.fixture
def _unread_here(monkeypatch):
    def none(*_):
        raise AssertionError("a text was read in the process that renders")

    monkeypatch.setattr(g2p_pool, "open_g2p", none)


@pytest.mark.usefixtures("_unread_here")
@pytest.mark.parametrize("n_workers", [1, 2])
def test_a_text_that_workers_die_of_is_left_out_and_no_other(started, n_workers):
    texts = [*TEXTS[:20], DEADLY, *TEXTS[20:]]
    with G2PPool(n_workers, V1_0) as pool:
        pool.prefetch(SPANISH, texts)
        made = {text: pool.phonemes(SPANISH, text) for text in texts}
        assert len(started) <= n_workers + 2
        pool.prefetch(SPANISH, texts)
        assert pool.phonemes(SPANISH, DEADLY) == LEFT_OUT
        assert len(started) <= n_workers + 2
    assert made.pop(DEADLY) == LEFT_OUT
    assert made == {text: reader("e").phonemes(text) for text in TEXTS}


@pytest.mark.usefixtures("_unread_here", "started")
def test_what_is_left_out_is_not_remembered_as_phonemes(tmp_path):
    with PhonemeCache(tmp_path / "phonemes") as cache, G2PPool(1, V1_0, cache) as pool:
        pool.prefetch(SPANISH, [DEADLY, TEXTS[0]])
        assert pool.phonemes(SPANISH, DEADLY) == LEFT_OUT
        assert cache.get(pool.fingerprint(SPANISH), DEADLY) is None


@pytest.mark.usefixtures("_unread_here")
def test_a_worker_killed_from_outside_costs_no_text(started):
    with G2PPool(1, V1_0) as pool:
        for texts in (TEXTS[:20], TEXTS[20:]):
            pool.prefetch(SPANISH, texts)
            made = [pool.phonemes(SPANISH, text) for text in texts]
            assert made == [reader("e").phonemes(text) for text in texts]
            (worker,) = multiprocessing.active_children()
            os.kill(worker.pid, signal.SIGKILL)
            worker.join()
    assert len(started) == 2


def test_workers_that_only_die_are_replaced_a_few_times_and_then_texts_are_read_here(
    monkeypatch, started
):
    monkeypatch.setattr(g2p_hand, "work", os._exit)
    with G2PPool(1, V1_0) as pool:
        pool.prefetch(SPANISH, TEXTS)
        made = [pool.phonemes(SPANISH, text) for text in TEXTS]
    assert made == [reader("e").phonemes(text) for text in TEXTS]
    assert len(started) == g2p_hand.MOST_DEATHS


@pytest.mark.usefixtures("_unread_here", "started")
def test_a_render_says_the_rest_and_remarks_what_it_left_out(tmp_path):
    with built("narrow"):
        write_random_model(tmp_path, ["ef_dora"], config=CONFIGS["narrow"])
        kokoro = KokoroRenderer(KokoroOptions(weights=tmp_path, workers=1, device="cpu"))
        requests = [
            Request(f"{number:064x}", text, "ef_dora", 1.0)
            for number, text in enumerate((TEXTS[0], DEADLY, TEXTS[1]))
        ]
        with kokoro._g2p:
            before, dead, after = kokoro.render(Batch(tuple(requests)))
    assert before.timings
    assert after.timings
    assert (before.remarks, dead.remarks, after.remarks) == ((), LEFT_OUT.remarks, ())
    assert dead.samples.size > 0
    assert not dead.samples.any()
