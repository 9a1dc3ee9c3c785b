"""Which English words misaki's dictionaries know; others it leaves to espeak-ng's rules."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

from audiomill.renderers.kokoro.g2p.requirements import TEXT_ERRORS


def known_words(words: Iterable[str], *, british: bool) -> frozenset[str]:
    """The words that the dictionaries have, as they are or without -s, -ed, -ing.

    Loads misaki, which takes seconds.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecations in the libraries
        from misaki import en

        lexicon = en.Lexicon(british)
    context = en.TokenContext()

    def is_known(word: str) -> bool:
        try:
            return lexicon.get_word(word, "NN", None, context)[0] is not None
        except TEXT_ERRORS:
            return False

    plain = ((word, word.replace("’", "'").split("-")) for word in words)
    return frozenset(word for word, parts in plain if all(map(is_known, filter(None, parts))))
