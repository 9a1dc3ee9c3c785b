"""English G2P: misaki's dictionary, with tags by spaCy's model, or by `RuleTagger` without it.

misaki's own constructor is not used. It downloads the model, and without any tagger misaki drops
punctuation and reads "a" as the letter. Source: misaki/en.py, 0.9.4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import spacy
from misaki import en, espeak
from phonemizer.backend import EspeakBackend
from spacy.lang.en import English
from spacy.language import create_tokenizer
from spacy.vocab import create_vocab

from audiomill.renderers.kokoro.g2p.english_lexicon import EnglishLexicon
from audiomill.renderers.kokoro.g2p.english_tagger import (
    RuleTagger,
    mended_tags,
    pronunciation_overrides,
)
from audiomill.renderers.kokoro.g2p.pieces import Piece
from audiomill.renderers.kokoro.g2p.requirements import ENGLISH_MODEL, SILENT_LOGGER, TEXT_ERRORS
from audiomill.renderers.kokoro.g2p.scripts import ENGLISH

# “Philips’s”: where misaki does not know the name, it leaves out the vowel before the last sound.
_HISSED_TWICE = re.compile(r"(?<=[szʃʒʧʤ])[sz]\Z")
# Of "nymphs" and "typed" misaki's dictionary has the last sound voiced.
_VOICED_S = re.compile(r"(?<=[ptkfθ])z\Z")
_VOICED_T = re.compile(r"(?<=[pkfθsʃʧ])d\Z")
_MARK_INSIDE_NUMBER = re.compile(r"\d[:.,]\d")
_PAUSE_INSIDE_NUMBER = re.compile("[:.,]")
# “It is I.”, “an A.P.I.”: spaCy takes it for one word, so that the end of the sentence is not said.
_LETTERS_AND_STOP = re.compile(r"(?:[A-Z]\.)*[A-Z]\.")
_STOP = re.compile(r"\.$")


class EnglishG2P:
    """G2P for American or British English. Not thread-safe."""

    scripts = ENGLISH

    def __init__(self, *, british: bool, has_model: bool) -> None:
        """`has_model` selects spaCy's model, which must then be installed."""
        self._misaki = _MisakiG2P(british=british, has_model=has_model)
        self._ending = "ɪz" if british else "ᵻz"  # of “Philips’s”

    def pieces(self, text: str) -> Iterator[Piece]:
        """The phonemes of each word, mark and space of `text`."""
        place, currency_start = 0, -1
        for token in self._tokens(text):
            start, end = _span_of(token.text, text, place)
            if start > place:
                yield Piece(place, start, " " if " " in text[place:start] else "")
            place = end
            if token.tag == "$" and not token.phonemes:
                # A currency sign is said after its number, in one piece with it.
                currency_start = start if currency_start < 0 else currency_start
                continue
            phonemes = self._with_right_ending(token.text, _phonemes_of(token))
            yield Piece(currency_start if currency_start >= 0 else start, end, phonemes)
            currency_start = -1
        if place < len(text):
            yield Piece(place, len(text), " ")

    def _with_right_ending(self, word: str, phonemes: str) -> str:
        if "'" in word or "’" in word:
            phonemes = _HISSED_TWICE.sub(self._ending, phonemes)
        return _VOICED_T.sub("t", _VOICED_S.sub("s", phonemes))

    def _tokens(self, text: str) -> Sequence[en.MToken]:
        try:
            return self._misaki(text, preprocess=False)[1]
        except TEXT_ERRORS:
            first, space, rest = text.partition(" ")
            if not space:
                return [self._misaki.spelled_token(text)]
            return [*self._tokens(first), *self._tokens(rest)]


class _MisakiG2P(en.G2P):
    """misaki's pipeline with another tokenizer and tagger in front of it."""

    def __init__(self, *, british: bool, has_model: bool) -> None:
        # Does not call super().__init__, which downloads the model.
        self.version = None
        self.british = british
        self.unk = ""
        self.lexicon = EnglishLexicon(british)
        self.fallback = _EspeakFallback(british=british)
        self._nlp = spacy.load(ENGLISH_MODEL, enable=["tok2vec", "tagger"]) if has_model else None
        self._tokenizer = self._nlp or english_tokenizer()
        _split_stop_after_letters(self._nlp.tokenizer if self._nlp else self._tokenizer)
        self._tagger = RuleTagger(self.lexicon.homographs())

    def tokenize(self, text: str, tokens: Any, features: Any) -> list[en.MToken]:  # noqa: ARG002
        """The tokens of spaCy's tokenizer, tagged. Overrides misaki's method."""
        doc = self._tokenizer(text)
        words, spaces = [word.text for word in doc], [bool(word.whitespace_) for word in doc]
        if self._nlp:
            tags = mended_tags(words, spaces, [word.tag_ for word in doc])
        else:
            tags = self._tagger.tags(words, spaces)
        overrides = pronunciation_overrides(words, tags)
        return [
            _token(
                word.text,
                _tag_without_currency(words, tags, index),
                word.whitespace_,
                overrides.get(index),
            )
            for index, word in enumerate(doc)
        ]

    def spelled_token(self, text: str) -> en.MToken:
        """One token that says the names of the letters, digits and signs of `text`."""
        return _token(text, "NN", "", " ".join(map(self.fallback.name_of, text)))


def english_tokenizer() -> Any:
    """The tokenizer of spacy.blank("en"), without loading all of spaCy's pipelines and PyTorch."""
    vocab = create_vocab("en", English.Defaults)
    pipeline: Any = SimpleNamespace(Defaults=English.Defaults, vocab=vocab)
    return create_tokenizer()(pipeline)


def _split_stop_after_letters(tokenizer: Any) -> None:
    """Have a full stop after spelled capitals be a token. Initials of names have none here."""
    spacys = tokenizer.suffix_search

    def suffix(word: str) -> re.Match[str] | None:
        return _STOP.search(word) if _LETTERS_AND_STOP.fullmatch(word) else spacys(word)

    tokenizer.suffix_search = suffix


class _EspeakFallback(espeak.EspeakFallback):
    """espeak-ng for words that misaki does not know: no log, no "(en)" among the phonemes."""

    def __init__(self, *, british: bool) -> None:
        self.british = british
        self.version = None
        self.backend = EspeakBackend(
            language="en-gb" if british else "en-us",
            preserve_punctuation=True,
            with_stress=True,
            tie="^",
            language_switch="remove-flags",
            logger=SILENT_LOGGER,
        )

    def name_of(self, character: str) -> str:
        """The phonemes of the name of a character."""
        return self(_token(character, "NN"))[0] or ""


def _token(text: str, tag: str, space: str = "", phonemes: str | None = None) -> en.MToken:
    return en.MToken(
        text=text,
        tag=tag,
        whitespace=space,
        phonemes=phonemes,
        _=en.MToken.Underscore(is_head=True, num_flags="", prespace=False),
    )


def _tag_without_currency(words: Sequence[str], tags: Sequence[str], index: int) -> str:
    """The tag of a word; NN for a number after a mark, so that "$5, 20 men" has no 20 dollars.

    misaki applies the currency of a sum to every number up to the next word.
    """
    is_after_mark = index > 0 and tags[index - 1] in {",", ":", ".", "-LRB-", "``", "''"}
    is_separate = is_after_mark and words[index - 1] not in "-–—"
    return "NN" if is_separate and tags[index] == "CD" else tags[index]


def _phonemes_of(token: en.MToken) -> str:
    """A token's phonemes, without pauses inside numbers: 10:30 is ten thirty."""
    phonemes = token.phonemes or ""
    if token.text == ")":
        return ")"  # of "):", which spaCy's tokenizer takes for a face, misaki says the colon only
    if _MARK_INSIDE_NUMBER.search(token.text):
        return _PAUSE_INSIDE_NUMBER.sub(" ", phonemes)
    return phonemes


def _span_of(token: str, text: str, place: int) -> tuple[int, int]:
    """The span of `token` in `text` from `place` on. misaki's tokens may lack apostrophes."""
    start = place = text.index(token[0], place)
    for char in token:
        place = text.index(char, place) + 1
    return start, place
