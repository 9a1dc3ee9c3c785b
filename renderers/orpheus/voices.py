"""The voices that Orpheus's models were trained on. Pure.

English is one model, and each other language has its own (Spanish and Italian share one). A server
has one of them loaded, and a name that its model does not know gives a voice that nobody has
chosen. Sources: README of canopyai/Orpheus-TTS (English, in the order of its authors), the
multilingual release of April 2025, and the table in `tts_engine/inference.py` of
Lex-au/Orpheus-FastAPI.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.codes import primary_subtag
from audiomill.renderers.engine.errors import UnknownVoice
from audiomill.renderers.engine.protocol import Voice
from audiomill.renderers.engine.text_renderer import unknown_voice

# Language, its model on the hub, and its voices, of which the first is the default.
MODELS = (
    ("en", "canopylabs/orpheus-3b-0.1-ft", "tara leah jess leo dan mia zac zoe"),
    ("fr", "canopylabs/3b-fr-ft-research_release", "pierre amelie marie"),
    ("de", "canopylabs/3b-de-ft-research_release", "jana thomas max"),
    ("ko", "canopylabs/3b-ko-ft-research_release", "유나 준서"),
    ("hi", "canopylabs/3b-hi-ft-research_release", "ऋतिका"),
    ("zh", "canopylabs/3b-zh-ft-research_release", "长乐 白芷"),
    ("es", "canopylabs/3b-es_it-ft-research_release", "javi sergio maria"),
    ("it", "canopylabs/3b-es_it-ft-research_release", "pietro giulia carlo"),
)
# Words in the names of model files that name their language.
_LANGUAGE_WORDS = {
    "fr": "fr french",
    "de": "de german",
    "ko": "ko korean",
    "hi": "hi hindi",
    "zh": "zh chinese mandarin",
    "es": "es spanish",
    "it": "it italian",
}


class OrpheusVoices:
    """The known voices, and those of a model of one's own: "anna" or "anna:de"."""

    def __init__(self, own: tuple[str, ...] = ()) -> None:
        self._languages = {
            name: language for language, _, names in MODELS for name in names.split()
        }
        for one in own:
            name, _, language = one.partition(":")
            self._languages[name] = language or "en"
        self.voices = tuple(
            Voice(name, language, "", _model_of(language))
            for name, language in sorted(self._languages.items())
        )

    def check(self, name: str) -> str:
        """The name. Raises UnknownVoice."""
        if name not in self._languages:
            raise UnknownVoice(
                f"{unknown_voice('orpheus', name, [*self._languages])} One of a model of your own"
                " must be named in the setting orpheus.voices."
            )
        return name

    def language(self, name: str) -> str:
        """The language of a voice. Raises UnknownVoice."""
        return self._languages[self.check(name)]

    def for_language(self, language: str) -> str:
        """The first voice of a language (BCP 47). Raises UnknownVoice."""
        primary = primary_subtag(language)
        fit = [name for name, own in self._languages.items() if primary_subtag(own) == primary]
        if not fit:
            known = dict.fromkeys(self._languages.values())
            raise UnknownVoice(
                f"Orpheus does not speak {language!r}, only {', '.join(sorted(known))}."
            )
        return fit[0]


def languages_of_model(file: str) -> frozenset[str]:
    """The languages that the name of a model file names; none for an English model's."""
    words = set(re.split(r"[^a-z]+", file.lower()))
    return frozenset(
        language for language, names in _LANGUAGE_WORDS.items() if words & {*names.split()}
    )


def _model_of(language: str) -> str:
    model = next((model for known, model, _ in MODELS if known == language), "a model of your own")
    return f"model {model}" if "/" in model else model
