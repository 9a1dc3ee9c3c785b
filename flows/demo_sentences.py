"""The sentence in each language by which a voice shows how it sounds."""

from __future__ import annotations

from audiomill.inputs.languages import registry
from audiomill.inputs.languages.codes import language_tag
from audiomill.renderers.engine.protocol import Renderer

# Every engine and every language reads digits.
_NUMBERS = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10."


def demo_language(renderer: Renderer, voice: str) -> str:
    """The language (BCP 47) of a voice, of a variant of it, or of the first voice of a mix."""
    voice, _, pronounced = voice.partition("@")  # Kokoro: a voice with another pronunciation
    if pronounced:
        return language_tag(pronounced) or "und"
    listed = [one for one in renderer.voices() if voice.lower().startswith(one.name)]
    if listed:
        return max(listed, key=lambda one: len(one.name)).language
    return language_tag(voice.partition("+")[0]) or "und"  # espeak: a language is a voice too


def demo_sentence(language: str) -> str:
    """A short text in `language` (BCP 47); numbers where there is no sentence."""
    return registry.demo_sentence(language) or _NUMBERS
