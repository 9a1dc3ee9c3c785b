"""G2P children that die are replaced, and never make the process that renders die."""

import os
import signal

import pytest

from audiomill.renderers.engine.protocol import Batch, Remark, Request
from audiomill.renderers.engine.text_process import MAX_STARTS
from audiomill.renderers.kokoro.g2p import child, workers
from audiomill.renderers.kokoro.g2p.cache import PhonemeCache
from audiomill.renderers.kokoro.g2p.child import G2PProcess
from audiomill.renderers.kokoro.g2p.languages import LANGUAGES
from audiomill.renderers.kokoro.g2p.phonemes import Phonemes
from audiomill.renderers.kokoro.g2p.workers import G2PPool
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.renderer import KokoroRenderer
from audiomill.renderers.kokoro.weights.random_weights import write_random_model
from support import g2p_children
from support.kokoro_reference import CONFIGS, built
from support.kokoro_text_data import V1_0, cached_g2p
from support.process_data import children

pytestmark = pytest.mark.prove

SPANISH = LANGUAGES["e"]
TEXTS = [f"Compró {number} panes." for number in range(40)]
DEADLY = g2p_children.DEADLY
LEFT_OUT = Phonemes("", (), (Remark(0, 1, "left out"),))


@pytest.fixture
def started(monkeypatch):
    """The children that were started; the deadly text kills each."""
    processes = []

    def start(*arguments):
        processes.append(G2PProcess(*arguments))
        return processes[-1]

    monkeypatch.setattr(child, "read_texts", g2p_children.read_texts)
    monkeypatch.setattr(workers, "G2PProcess", start)
    return processes


@pytest.fixture
def _not_read_here(monkeypatch):
    def fail(*_):
        raise AssertionError("a text was read in the process that renders")

    monkeypatch.setattr(workers, "open_g2p", fail)


@pytest.mark.usefixtures("_not_read_here")
@pytest.mark.parametrize("n_workers", [1, 2])
def test_only_the_text_that_children_die_of_is_left_out(started, n_workers):
    texts = [*TEXTS[:20], DEADLY, *TEXTS[20:]]
    with G2PPool(n_workers, V1_0) as pool:
        pool.prefetch(SPANISH, texts)
        phonemes = {text: pool.phonemes(SPANISH, text) for text in texts}
        assert len(started) <= n_workers + 2
        pool.prefetch(SPANISH, texts)
        assert pool.phonemes(SPANISH, DEADLY) == LEFT_OUT
        assert len(started) <= n_workers + 2
    assert phonemes.pop(DEADLY) == LEFT_OUT
    assert phonemes == {text: cached_g2p("e").phonemes(text) for text in TEXTS}


@pytest.mark.usefixtures("_not_read_here", "started")
def test_all_the_rest_of_a_text_that_children_die_of_is_read():
    first, second = TEXTS[0], "Quiere más aceite."
    text = f"{first} {DEADLY} {second}"
    with G2PPool(1, V1_0) as pool:
        pool.prefetch(SPANISH, [text])
        phonemes = pool.phonemes(SPANISH, text)
    begin = len(first) + 1
    assert phonemes.remarks == (Remark(begin, begin + 1, "left out"),)
    said = {text[word.start : word.end] for word in phonemes.words}
    assert said == {"Compró", "0", "panes", "Quiere", "más", "aceite"}
    for word in phonemes.words:
        sound = phonemes.text[word.first : word.last]
        (alone,) = cached_g2p("e").phonemes(text[word.start : word.end]).words
        assert alone.last - alone.first == len(sound)


@pytest.mark.usefixtures("_not_read_here", "started")
def test_a_text_that_is_left_out_is_not_cached(tmp_path):
    with PhonemeCache(tmp_path / "phonemes") as cache, G2PPool(1, V1_0, cache) as pool:
        pool.prefetch(SPANISH, [DEADLY, TEXTS[0]])
        assert pool.phonemes(SPANISH, DEADLY) == LEFT_OUT
        assert cache.get(pool.fingerprint(SPANISH), DEADLY) is None


@pytest.mark.usefixtures("_not_read_here")
def test_a_child_killed_from_outside_costs_no_text(started):
    with G2PPool(1, V1_0) as pool:
        for texts in (TEXTS[:20], TEXTS[20:]):
            pool.prefetch(SPANISH, texts)
            phonemes = [pool.phonemes(SPANISH, text) for text in texts]
            assert phonemes == [cached_g2p("e").phonemes(text) for text in texts]
            (child,) = children()
            os.kill(child.pid, signal.SIGKILL)
            child.wait()
    assert len(started) == 2


def test_children_that_only_die_are_replaced_a_few_times_and_then_texts_are_read_here(
    monkeypatch, started
):
    monkeypatch.setattr(child, "read_texts", os._exit)
    with G2PPool(1, V1_0) as pool:
        pool.prefetch(SPANISH, TEXTS)
        phonemes = [pool.phonemes(SPANISH, text) for text in TEXTS]
    assert phonemes == [cached_g2p("e").phonemes(text) for text in TEXTS]
    assert len(started) == MAX_STARTS


@pytest.mark.usefixtures("_not_read_here", "started")
def test_a_render_speaks_the_rest_and_remarks_what_it_left_out(tmp_path):
    with built("narrow"):
        write_random_model(tmp_path, ["ef_dora"], config=CONFIGS["narrow"])
        kokoro = KokoroRenderer(KokoroOptions(weights=tmp_path, workers=1, device="cpu"))
        requests = [
            Request(f"{number:064x}", text, "ef_dora", 1.0)
            for number, text in enumerate((TEXTS[0], DEADLY, TEXTS[1]))
        ]
        with kokoro._text._g2p:
            before, dead, after = kokoro.render(Batch(tuple(requests)))
    assert before.timings
    assert after.timings
    assert (before.remarks, dead.remarks, after.remarks) == ((), LEFT_OUT.remarks, ())
    assert dead.samples.size > 0
    assert not dead.samples.any()
