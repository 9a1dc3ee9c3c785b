"""English: misaki's lexicon, with tags by spaCy's model where it is installed, else by our rules.

misaki's own constructor fetches the model from the network, and with no tagger at all misaki
drops punctuation and reads "a" as the letter. Source: misaki/en.py, 0.9.4.
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

from audiomill.renderers.kokoro.g2p.english_tagger import RuleTagger, unlisted
from audiomill.renderers.kokoro.g2p.pieces import Piece
from audiomill.renderers.kokoro.g2p.requirements import BREAKS, ENGLISH_MODEL, QUIET
from audiomill.renderers.kokoro.g2p.scripts import ENGLISH

_AMONG_DIGITS, _INSIDE = re.compile(r"\d[:.,]\d"), re.compile("[:.,]")


class EnglishG2P:
    """A reader of American or British English. Not for several threads at once."""

    scripts = ENGLISH

    def __init__(self, *, british: bool, tagged: bool) -> None:
        """`tagged` asks for spaCy's model, which must be installed."""
        self._misaki = _Misaki(british=british, tagged=tagged)

    def pieces(self, text: str) -> Iterator[Piece]:
        """What is said for each word, mark and space of `text`."""
        at, owed = 0, -1
        for token in self._tokens(text):
            start, end = _found(text, token.text, at)
            if start > at:
                yield Piece(at, start, " " if " " in text[at:start] else "")
            at = end
            if token.tag == "$" and not token.phonemes:
                owed = start if owed < 0 else owed  # said after the number
                continue
            yield Piece(owed if owed >= 0 else start, end, _said(token))
            owed = -1
        if at < len(text):
            yield Piece(at, len(text), " ")

    def _tokens(self, text: str) -> Sequence[en.MToken]:
        try:
            return self._misaki(text, preprocess=False)[1]
        except BREAKS:
            first, space, rest = text.partition(" ")
            if not space:
                return [self._misaki.spelled(text)]
            return [*self._tokens(first), *self._tokens(rest)]


class _Misaki(en.G2P):
    """misaki's pipeline with another tagger in front. Tokens and tags are all that it needs."""

    def __init__(self, *, british: bool, tagged: bool) -> None:
        # Not super().__init__: see above.
        self.version = None
        self.british = british
        self.unk = ""
        self.lexicon = _Lexicon(british)
        self.fallback = _Fallback(british=british)
        self._nlp = spacy.load(ENGLISH_MODEL, enable=["tok2vec", "tagger"]) if tagged else None
        self._tokenizer = self._nlp or english_tokenizer()
        self._tagger = RuleTagger(self.lexicon.homographs())

    def tokenize(self, text: str, tokens: Any, features: Any) -> list[en.MToken]:  # noqa: ARG002
        """The words of spaCy's tokenizer with the tagger's tags."""
        doc = self._tokenizer(text)
        words, spaces = [one.text for one in doc], [bool(one.whitespace_) for one in doc]
        tags = [one.tag_ for one in doc] if self._nlp else self._tagger.tags(words, spaces)
        said = unlisted(words, tags)
        return [
            _token(one.text, _unpriced(words, tags, at), one.whitespace_, said.get(at))
            for at, one in enumerate(doc)
        ]

    def spelled(self, text: str) -> en.MToken:
        """One token whose letters, digits and signs are said by name."""
        return _token(text, "NN", "", " ".join(map(self.fallback.named, text)))


def english_tokenizer() -> Any:
    """That of spacy.blank("en"), which would load every pipeline there is, and PyTorch."""
    vocab = create_vocab("en", English.Defaults)
    pipeline: Any = SimpleNamespace(Defaults=English.Defaults, vocab=vocab)
    return create_tokenizer()(pipeline)


class _Lexicon(en.Lexicon):
    """misaki's dictionary; what it breaks on, it does not know."""

    def __call__(self, tk: Any, ctx: Any) -> tuple[str | None, int | None]:
        """Phonemes and how far to trust them."""
        try:
            return super().__call__(tk, ctx)
        except BREAKS:
            return None, None

    def homographs(self) -> dict[str, frozenset[str]]:
        """Words that are said in several ways, and the tags that tell."""
        return {
            word: frozenset(ways) - {"DEFAULT", "None"}
            for word, ways in self.golds.items()
            if isinstance(ways, dict)
        }


class _Fallback(espeak.EspeakFallback):
    """espeak-ng for words that misaki does not know; quiet, and without "(en)" among phonemes."""

    def __init__(self, *, british: bool) -> None:
        self.british = british
        self.version = None
        self.backend = EspeakBackend(
            language="en-gb" if british else "en-us",
            preserve_punctuation=True,
            with_stress=True,
            tie="^",
            language_switch="remove-flags",
            logger=QUIET,
        )

    def named(self, character: str) -> str:
        """What one character is called."""
        return self(_token(character, "NN"))[0] or ""


def _token(text: str, tag: str, space: str = "", phonemes: str | None = None) -> en.MToken:
    return en.MToken(
        text=text,
        tag=tag,
        whitespace=space,
        phonemes=phonemes,
        _=en.MToken.Underscore(is_head=True, num_flags="", prespace=False),
    )


def _unpriced(words: Sequence[str], tags: Sequence[str], at: int) -> str:
    """The tag of a word. misaki gives every number up to the next word a sum's currency: $5, 20."""
    after_mark = at > 0 and tags[at - 1] in {",", ":", ".", "-LRB-", "``", "''"}
    return "NN" if tags[at] == "CD" and after_mark and words[at - 1] not in "-–—" else tags[at]


def _said(token: en.MToken) -> str:
    """A token's phonemes, without pauses inside numbers: 10:30 is ten thirty."""
    phonemes = token.phonemes or ""
    return _INSIDE.sub(" ", phonemes) if _AMONG_DIGITS.search(token.text) else phonemes


def _found(text: str, token: str, at: int) -> tuple[int, int]:
    """Where `token` is in `text` from `at` on; misaki drops some apostrophes of both."""
    start = at = text.index(token[0], at)
    for char in token:
        at = text.index(char, at) + 1
    return start, at
