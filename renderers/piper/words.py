"""Text and phonemes as Piper gets them; which are which word, and when each word sounds. Pure.

    text       He   paid   $3.50,          once.
    phonemes   hiː  pˈeɪd  θɹˈiː dˈɑːlɚz   wˈʌns
    words      hiː  pˈeɪd  θɹˈiː dˈɑːlɚz   wˈʌns
    samples    ├────┼──────┼─────────────┤ ├─────┤     the durations that the model has predicted

espeak-ng joins words ("of the"), divides them ("$3.50") and does not say which is which. Where its
words are not those of the text, the phonemes of the phrase are aligned with those of each word said
alone, as Kokoro's are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

from audiomill.renderers.engine.errors import UnknownPhoneme
from audiomill.renderers.engine.protocol import Rendered, Request, WordTiming
from audiomill.renderers.engine.text_renderer import speakable
from audiomill.renderers.espeak.long_words import break_long_words
from audiomill.renderers.espeak.pronounced import TextWithCodes, literal, with_codes
from audiomill.renderers.speech.alignment import align_words, split_words
from audiomill.renderers.speech.ipa import decomposed_ipa
from audiomill.renderers.speech.timing import word_spans

PAUSING = frozenset(" .,:;!?")  # phonemes without a sound
_MODIFYING = frozenset("ˈˌː\u0303ʰʲ˞\u0329\u032f")  # of no sound alone
_NO_SOUND = re.compile("[\u035c\u0361.\u203f]")  # ties, and dots between syllables
_MARKS = frozenset("_^$")  # phonemes of a voice that stand for no sound of a word


@dataclass(frozen=True, slots=True)
class PhonemeIds:
    """What the model gets for a sentence."""

    ids: tuple[int, ...]
    n_before: int  # ids before the first phoneme: those of ^ and of the padding after it
    n_of_each: tuple[int, ...]  # ids of each phoneme, with its padding; 0 if the voice lacks it


def phoneme_ids(phonemes: Sequence[str], id_map: Mapping[str, Sequence[int]]) -> PhonemeIds:
    """The ids of a sentence, as `phonemes_to_ids` of `piper/phoneme_ids.py` gives them."""
    pad = id_map["_"]
    before = [*id_map["^"], *pad]
    each = [[*id_map[one], *pad] if one in id_map else [] for one in phonemes]
    return PhonemeIds((*before, *chain(*each), *id_map["$"]), len(before), tuple(map(len, each)))


@dataclass(frozen=True, slots=True)
class SpokenSentence:
    """A sentence that the model has spoken."""

    phonemes: tuple[str, ...]
    ids: PhonemeIds
    durations: tuple[int, ...]  # of each id, in samples of the model
    start_s: float  # in the request's audio


def has_own_phonemes(sentences: Sequence[Sequence[str]], words: Sequence[str]) -> bool:
    """Whether the words of the phonemes are those of the text, as far as one can see."""
    spoken = [word for word in split_words(_joined(sentences)) if _sounds(word)]
    return len(spoken) == len(words) and not any(map(str.isdecimal, "".join(words)))


def word_timings(
    text: str, sentences: Sequence[SpokenSentence], alone: Sequence[str], sample_rate: int
) -> tuple[WordTiming, ...]:
    """When each word of `text` sounds. `alone` is that of `PhonemeText`; rate: of the model."""
    spans = [*word_spans(text)]
    phrase = _joined([one.phonemes for one in sentences])
    parts = _parts(phrase, len(spans), alone)
    times = [*_times(sentences, sample_rate)]  # of each character of `phrase`
    timings: list[WordTiming] = []
    place = 0
    for part, span in parts:
        sounding = [place + index for index, one in enumerate(part) if _sounds(one)]
        place += len(part)
        if sounding and span is not None:
            (start, _), (_, end) = times[sounding[0]], times[sounding[-1]]
            timings.append(WordTiming(*spans[span], start, end))
    return tuple(timings)


def _parts(phrase: str, n_words: int, alone: Sequence[str]) -> Iterator[tuple[str, int | None]]:
    """The phrase in parts, each with the number of its word; None for parts of no word."""
    if alone:
        yield from ((part, index) for index, part in enumerate(align_words(phrase, alone)))
        return
    n_yielded = 0
    for part in split_words(phrase):
        is_word = _sounds(part) and n_yielded < n_words
        yield part, n_yielded if is_word else None
        n_yielded += is_word


def _times(sentences: Sequence[SpokenSentence], sample_rate: int) -> Iterator[tuple[float, float]]:
    """The start and end of each character of the joined phonemes, in seconds."""
    for number, sentence in enumerate(sentences):
        samples = [0, *accumulate(sentence.durations)]
        at = sentence.ids.n_before
        if number:  # the space between two sentences
            yield sentence.start_s, sentence.start_s
        for phoneme, n_ids in zip(sentence.phonemes, sentence.ids.n_of_each, strict=True):
            start_s, end_s = (
                sentence.start_s + samples[min(place, len(samples) - 1)] / sample_rate
                for place in (at, at + n_ids)
            )
            at += n_ids
            yield from [(start_s, end_s)] * len(phoneme)  # a cluster of vowels is one phoneme


def _joined(sentences: Sequence[Sequence[str]]) -> str:
    return " ".join("".join(sentence) for sentence in sentences)


def _sounds(phonemes: str) -> bool:
    return any(one not in PAUSING and one not in _MODIFYING for one in phonemes)


def own_phonemes(phonemes: str, known: Collection[str]) -> str:
    """The phonemes, each a character that the voice has an id for. Raises UnknownPhoneme."""
    ipa = _NO_SOUND.sub("", decomposed_ipa(phonemes))
    for one in ipa:
        if one not in known or one in _MARKS:
            raise UnknownPhoneme(unicodedata.normalize("NFC", one))
    return " ".join(ipa.split())


def said_text(request: Request) -> str:
    """What the child gets: the text with phonemes in brackets, and no other brackets like them."""
    return speakable(break_long_words(_coded(request).text).text)


def _coded(request: Request) -> TextWithCodes:
    if request.pronunciations:
        return with_codes(request.spoken, request.pronunciations)
    return TextWithCodes(request.spoken, literal(request.spoken))


def of_spoken(rendered: Rendered, request: Request) -> Rendered:
    """The audio with positions in the spoken text, as it was before it became what is said."""
    coded = _coded(request)
    return coded.of_spoken(break_long_words(coded.text).of_original(rendered))
