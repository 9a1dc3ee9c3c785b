"""`audiomill voices`: lists an engine's voices, and lets one be heard."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict

from audiomill.flows.cli.speech_output import play_or_write, put_result
from audiomill.flows.console import put, put_json, say
from audiomill.flows.demo_sentences import demo_language, demo_sentence
from audiomill.flows.job import UsageError
from audiomill.flows.make_job import choose_engine
from audiomill.flows.settings import load_settings
from audiomill.flows.speech import TextToSay
from audiomill.inputs.languages import language_tag
from audiomill.inputs.suggestions import did_you_mean
from audiomill.renderers.base import Renderer, UnknownVoice, Voice
from audiomill.renderers.registry import known_voice, open_renderer

HEADER = Voice("NAME", "LANGUAGE", "GENDER", "DESCRIPTION")


def run(arguments: argparse.Namespace) -> int:
    """Print all voices, or those of one language; or play one or write it to a file."""
    settings = load_settings()
    _check(arguments)
    options = settings.engine_options()
    engine, warnings = choose_engine(arguments.engine or settings.engine, options)
    for warning in warnings:
        say(f"Warning: {warning}")
    renderer = open_renderer(engine, options)
    if arguments.play:
        voice = known_voice(renderer, arguments.play, options)
        language = demo_language(renderer, voice)
        text = demo_sentence(language) if arguments.text is None else arguments.text
        duration_s = play_or_write(
            settings, TextToSay(text, language, engine, voice), arguments.out
        )
        sample = {"voice": voice, "language": language, "text": text, "duration_s": duration_s}
        put_result(sample, arguments.out, as_json=arguments.json)
    else:
        _put_voices(renderer, arguments.language, as_json=arguments.json)
    return 0


def _check(arguments: argparse.Namespace) -> None:
    """Raise UsageError for options of a sample without a voice, and for an empty text."""
    if not arguments.play and (arguments.out or arguments.text is not None):
        raise UsageError("Name the voice to be heard: --play NAME, with --text and --out.")
    if arguments.text is not None and not arguments.text.strip():
        raise UsageError("--text is empty: write what the voice is to say.")


def _put_voices(renderer: Renderer, language: str, *, as_json: bool) -> None:
    voices = _voices_of(renderer, language) if language else renderer.voices()
    if as_json:
        put_json({"engine": renderer.name, "voices": [asdict(voice) for voice in voices]})
        return
    rows = (HEADER, *voices)
    name_width = max(len(one.name) for one in rows)
    language_width = max(len(one.language) for one in rows)
    for one in rows:
        names = f"{one.name:{name_width}}  {one.language:{language_width}}"
        put(f"{names}  {one.gender:6}  {one.description}".rstrip())
    if voices:  # an account may have none of its own
        say(f"To hear one: audiomill voices --engine {renderer.name} --play {voices[0].name}")


def _voices_of(renderer: Renderer, language: str) -> Sequence[Voice]:
    """The voices that speak a language. Raises UnknownVoice, which lists the known ones."""
    tag = language_tag(language).lower()
    voices = [one for one in renderer.voices() if f"{one.language.lower()}-".startswith(f"{tag}-")]
    if tag and voices:
        return voices
    try:
        name = renderer.default_voice(tag)
    except UnknownVoice:
        known = sorted({voice.language for voice in renderer.voices()})
        hint = did_you_mean(language, known)
        raise UnknownVoice(
            f"{renderer.name} has no voice for “{language}”.{hint}\n"
            f"Known languages: {', '.join(known)}"
        ) from None
    return [one for one in renderer.voices() if one.name == name]
