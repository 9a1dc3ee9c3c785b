"""Shared by the tests of Kokoro's G2P: alphabets, G2Ps loaded once, unusual texts."""

import unicodedata
from functools import cache

from hypothesis import strategies as st

from audiomill.renderers.kokoro.g2p.g2p import G2P, open_g2p
from audiomill.renderers.kokoro.g2p.languages import LANGUAGES, Language
from audiomill.renderers.kokoro.g2p.phonemes import Phonemes
from audiomill.renderers.kokoro.g2p.requirements import Alphabet
from audiomill.renderers.kokoro.model.config import OFFICIAL

ENGLISH: Language = LANGUAGES["a"]
V1_0 = Alphabet(frozenset(OFFICIAL["vocab"]))
# v1.1-zh adds bopomofo, Han characters that stand for finals, tones, and a mark between words.
V1_1_ZH = Alphabet(
    V1_0.vocab
    | frozenset("ㄅㄆㄇㄈㄉㄊㄋㄌㄍㄎㄏㄐㄑㄒㄓㄔㄕㄖㄗㄘㄙㄚㄛㄜㄝㄞㄟㄠㄡㄢㄣㄤㄥㄦㄧㄨㄩㄭ")
    | frozenset("十月压言阳要阴应用又中穵外万王为文瓮我元云R/12345"),
    "v1.1-zh",
)

_UNUSUAL_CHARACTERS = list(
    "aAbzéßñ 'ʼ’‘“”\"[](){}/\\-–—.,:;!?$£€%&@#*_^~`|<>=+0123456789²½ⅣΩλЖйहि日本あアー한שا😀👍🏽"
    "🇫🇷𝓗①ﬁ\u200d\ufe0f\u0301\u0327\ud800\x00\x1b\u00ad\u202e\n\t\u3000\u2028"
)
_UNUSUAL_WORDS = """
the a read don't well-known U.S.A. $3.50 10:30 1984 I lead 'tis Mr. [x](/ˈA/) (en) -- ... 5€ 1,000
3rd 0.5 co-op naïve l’ami 1e5 $ ’s n’t °C C++ e.g. http://a.b/c 走 一 です 3月5日 ×
"""
_fragments = st.lists(
    st.one_of(st.sampled_from(_UNUSUAL_WORDS.split()), st.sampled_from(_UNUSUAL_CHARACTERS)),
    max_size=15,
)
any_text = st.one_of(st.text(max_size=50), _fragments.map(" ".join), _fragments.map("".join))


@cache
def cached_g2p(code: str, alphabet: Alphabet = V1_0) -> G2P:
    """The G2P of the language with this code, loaded once in each process."""
    return open_g2p(LANGUAGES[code], alphabet)


def said(phonemes: Phonemes, text: str) -> list[tuple[str, str]]:
    """The words of `text`, each with its phonemes."""
    return [
        (text[word.start : word.end], phonemes.text[word.first : word.last])
        for word in phonemes.words
    ]


def check_sound(phonemes: Phonemes, text: str, alphabet: Alphabet) -> None:
    """Check what holds for any text in any language.

    The model knows all phonemes, spaces are single, words are in order, and each character is said,
    in a remark, or silent.
    """
    assert alphabet.vocab.issuperset(phonemes.text)
    assert phonemes.text == " ".join(phonemes.text.split())
    _check_words(phonemes, text)
    covered = bytearray(len(text))
    for one in (*phonemes.words, *phonemes.remarks):
        assert 0 <= one.start < one.end <= len(text)
        covered[one.start : one.end] = b"\1" * (one.end - one.start)
    uncovered = {char for at, char in enumerate(text) if not covered[at] and not char.isspace()}
    assert {char for char in uncovered if not _is_silent(char)} == set()


def _check_words(phonemes: Phonemes, text: str) -> None:
    end = last = 0
    for word in phonemes.words:
        assert end <= word.start < word.end <= len(text)
        assert last <= word.first < word.last <= len(phonemes.text)
        assert not {phonemes.text[word.first], phonemes.text[word.last - 1]} & {" "}
        end, last = word.end, word.last


def _is_silent(char: str) -> bool:
    """True for punctuation and lone accents, which are a pause or nothing."""
    category = unicodedata.category(char)
    return (category[0] == "P" and char not in "%&@#§¶") or category == "Sk" or char == "|"
