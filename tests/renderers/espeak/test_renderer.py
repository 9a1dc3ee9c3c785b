"""espeak-ng: the sound of a request depends only on it, not on what was rendered before."""

import json
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.protocol import Batch
from audiomill.renderers.espeak import libespeak
from audiomill.renderers.espeak.renderer import EspeakRenderer
from support.espeak_data import (
    ESPEAK,
    FOX,
    REQUESTS,
    digest,
    in_another_process,
    open_library,
    render_here,
    say,
)

DIGESTS = (
    "from support.espeak_data import *;"
    "print(json.dumps([digest(one) for one in ESPEAK.render(Batch(tuple(REQUESTS)))]))"
)
DIGESTS_HERE = (
    "from support.espeak_data import *; "
    "print(json.dumps(list(map(digest, render_here(REQUESTS, open_library())))))"
)


@pytest.fixture(scope="module")
def expected():
    """The digest of each request, rendered by an engine that has rendered nothing else."""
    return {one.key: digest(EspeakRenderer().render(Batch((one,)))[0]) for one in REQUESTS}


def test_different_requests_sound_different(expected):
    assert len(set(expected.values())) == len(REQUESTS)


@pytest.mark.parametrize("seed", range(4))
def test_order_and_neighbours_change_no_sample(expected, seed):
    rng = random.Random(seed)
    order = rng.choices(REQUESTS, k=25)
    rendered = ESPEAK.render(Batch(tuple(order)))
    assert [digest(one) for one in rendered] == [expected[one.key] for one in order]


def test_another_process_gives_the_same_samples(expected):
    assert json.loads(in_another_process(DIGESTS)) == [expected[one.key] for one in REQUESTS]


def test_threads_do_not_disturb_each_other(expected):
    def work(seed):
        order = random.Random(seed).sample(REQUESTS, len(REQUESTS))
        for one, rendered in zip(order, ESPEAK.render(Batch(tuple(order))), strict=True):
            assert digest(rendered) == expected[one.key], one

    with ThreadPoolExecutor(4) as threads:
        [*threads.map(work, range(4))]


def test_the_library_open_elsewhere_in_the_process_changes_nothing(expected):
    """For example in a phonemizer: it would keep the state of a shared library alive."""
    elsewhere = (
        "import espeakng_loader;"
        "other = espeakng_loader.load_library();"
        "other.espeak_Initialize(2, 0, espeakng_loader.get_data_path().encode(), 0x8000);"
    )
    assert json.loads(in_another_process(elsewhere + DIGESTS_HERE)) == [
        expected[one.key] for one in REQUESTS
    ]


def test_without_reopened_descriptors_the_sound_is_the_same(expected, monkeypatch):
    """As on macOS: the library's copy is a file, and voices are selected by name."""
    monkeypatch.setattr(libespeak, "DESCRIPTORS", Path("/nowhere"))
    rendered = list(render_here(REQUESTS, open_library()))
    assert [digest(one) for one in rendered] == [expected[one.key] for one in REQUESTS]


def test_a_library_that_stays_loaded_is_refused(monkeypatch):
    monkeypatch.setattr(libespeak, "_unload", lambda _loaded: None)
    with pytest.raises(EngineFailed, match="does not unload"):
        EspeakRenderer()


def test_noise_is_seeded_by_the_key():
    assert digest(say(FOX, "en-us+whisper", key="a")) != digest(say(FOX, "en-us+whisper", key="b"))


def test_speaking_leaves_the_process_as_it_was():
    code = (
        "import os, signal, locale;"
        "state = lambda: (os.getcwd(), [signal.getsignal(s) for s in signal.valid_signals()],"
        " locale.setlocale(locale.LC_NUMERIC), dict(os.environ),"
        " len(os.listdir('/proc/self/task')));"
        "from support.espeak_data import *; before = state();"
        "library = open_library();"
        "speak = lambda: list(render_here([request('Hello.', 'de')], library));"
        "speak(); opened = len(os.listdir('/proc/self/fd'));"
        "[speak() for _ in range(50)];"
        "assert len(os.listdir('/proc/self/fd')) == opened, 'descriptors';"
        "assert state() == before, (before, state());"
        "print(locale.setlocale(locale.LC_CTYPE))"
    )
    assert "UTF-8" in in_another_process(code)
