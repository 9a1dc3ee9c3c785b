"""espeak-ng: its sound depends only on the request; phonemes are said, and words are timed."""

import ctypes
import json
import random
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from ctypes import c_int, c_size_t, c_void_p
from pathlib import Path

import pytest

from audiomill.inputs.model.book import Pronunciation
from audiomill.renderers.engine.errors import EngineFailed, UnknownPhoneme
from audiomill.renderers.engine.protocol import Batch, Request
from audiomill.renderers.espeak import libespeak
from audiomill.renderers.espeak.libespeak import CHARS_UTF8, IPA, PHONEMES, Callback
from audiomill.renderers.espeak.pronounced import _COMMON, _LANGUAGES, codes_of
from audiomill.renderers.espeak.renderer import EspeakRenderer
from support.case_files import each_row
from support.espeak_data import (
    ESPEAK,
    FOX,
    REQUESTS,
    digest,
    open_library,
    render_here,
    say,
    timed_words,
)
from support.process_data import printed_by

DIGESTS = (
    "import json; from support.espeak_data import *;"
    "print(json.dumps([digest(one) for one in ESPEAK.render(Batch(tuple(REQUESTS)))]))"
)
DIGESTS_HERE = (
    "import json; from support.espeak_data import *; "
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
    assert json.loads(printed_by(DIGESTS)) == [expected[one.key] for one in REQUESTS]


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
    assert json.loads(printed_by(elsewhere + DIGESTS_HERE)) == [
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
    assert "UTF-8" in printed_by(code)


def pronounced(spoken, *given, voice="en-us"):
    """The audio of `spoken`, in which each of the words `given` is said by its phonemes."""
    places = [(spoken.index(word), word, phonemes) for word, phonemes in given]
    pronunciations = tuple(
        Pronunciation(at, at + len(word), ESPEAK.own_phonemes(phonemes, voice))
        for at, word, phonemes in places
    )
    (rendered,) = ESPEAK.render(Batch((Request("k", spoken, voice, 1.0, pronunciations),)))
    return rendered


@each_row
def test_phonemes_sound_as_a_word_that_has_them(voice, phonemes, word):
    by_phonemes = pronounced(f"The Xyzzy {word} stood.", ("Xyzzy", phonemes), voice=voice)
    by_spelling = pronounced(f"The {word} {word} stood.", voice=voice)
    assert abs(by_phonemes.samples.size - by_spelling.samples.size) < 600
    assert digest(by_phonemes) != digest(pronounced(f"The Xyzzy {word} stood.", voice=voice))


def test_words_of_the_text_are_timed():
    spoken = "The Saint Xy left, and [[nobody]] saw Worcester’s man."
    rendered = pronounced(spoken, ("Saint Xy", "sˈɪn dʒˈɪn"), ("Worcester’s", "wˈʊstəz"))
    words = ["The", "Saint", "Xy", "left", "and", "nobody", "saw", "Worcester’s", "man"]
    assert timed_words(rendered, spoken) == words
    times = [time for one in rendered.timings for time in (one.start_s, one.end_s)]
    assert times == sorted(times)
    assert rendered.timings[-1].end_s > 0.8 * rendered.samples.size / ESPEAK.sample_rate


def test_brackets_of_the_text_are_no_phonemes_beside_phonemes():
    without, beside = (pronounced(f"One {two} Xy.", ("Xy", "wˈɪn")) for two in ("", "[[two]]"))
    assert beside.samples.size > without.samples.size + 2000


def test_a_language_without_codes_takes_no_phonemes():
    assert ESPEAK.own_phonemes("wˈɪn", "pl") == ""


def test_an_unknown_phoneme_is_named():
    with pytest.raises(UnknownPhoneme, match=r"^ʘ$"):
        ESPEAK.own_phonemes("wʘn", "en-us")


def test_phonemes_of_kokoro_are_taken():
    assert codes_of("ʤˈAn ɹˈId", "gmw/en-US") == "dZ|'|eI|n r|'|aI|d"


def test_the_phonemes_that_it_finds_can_be_given_to_it():
    words = ["church", "judge", "measure", "young", "boy", "out", "Łódź", "thither", "Bach", "over"]
    for voice in ("en-us", "en-gb"):
        for phonemes in ESPEAK.phonemes(words, voice):
            assert ESPEAK.own_phonemes(phonemes, voice), phonemes


def ipa_of(library, identifier, codes):
    """What the library says that each code sounds like, in IPA."""
    c_library = ctypes.CDLL(None)
    c_library.open_memstream.restype = c_void_p
    with library._fresh() as loaded:
        library._set_voice(loaded, identifier, "")
        silent = Callback(lambda *_: 0)
        loaded.espeak_SetSynthCallback(silent)
        for code in codes:
            place, size = c_void_p(), c_size_t()
            file = c_void_p(c_library.open_memstream(ctypes.byref(place), ctypes.byref(size)))
            loaded.espeak_SetPhonemeTrace(c_int(IPA), file)
            text = f"[[{code}]]".encode()
            flags = CHARS_UTF8 | PHONEMES
            loaded.espeak_ng_Synthesize(text, c_size_t(len(text) + 1), 0, 1, 0, flags, None, None)
            loaded.espeak_SetPhonemeTrace(0, None)
            c_library.fclose(file)
            yield ctypes.string_at(place, size.value).decode().strip()
            c_library.free(place)


@pytest.mark.parametrize("identifier", [*_LANGUAGES])
def test_each_code_is_one_of_its_language(identifier):
    """The library says of each vowel that it is that vowel, or another, but never nothing."""
    rows = [row.split() for row in f"{_COMMON}, {_LANGUAGES[identifier]}".split(",")]
    vowels = {ipa: code for ipa, code in rows if ipa[0] in "aeiouyøœɐɑɒæɔəɘɵɛɜɪʊʌɨʉɯɤʏɚ"}
    consonants = {ipa: code for ipa, code in rows if ipa not in vowels}
    library = open_library()
    heard = [*ipa_of(library, identifier, [f"'|{code}" for code in vowels.values()])]
    said = dict(zip(vowels, heard, strict=True))
    assert [ipa for ipa, sound in said.items() if sound in ("", "ˈ")] == []
    after = [f"{code}|'|a" for code in consonants.values()]
    alone, *heard = ipa_of(library, identifier, ["'|a", *after])
    said = dict(zip(consonants, heard, strict=True))
    assert [ipa for ipa, sound in said.items() if sound == alone or not sound] == []
    exact = [*"pbtdkɡfvszʃʒθðhmnŋljxç"]
    assert {ipa: unicodedata.normalize("NFC", said[ipa])[: len(ipa)] for ipa in exact} == {
        ipa: ipa for ipa in exact
    }
