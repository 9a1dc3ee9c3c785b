"""`audiomill voices`: lists an engine's voices, lets one be heard, adds and checks cloned ones."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path

from audiomill.flows.cli.say import (
    TextToSay,
    demo_language,
    demo_sentence,
    play_or_write,
    put_result,
)
from audiomill.flows.cloned_voices import NewVoice, add_voice, check_voices
from audiomill.flows.console import EXIT_RENDER, put, put_json, say
from audiomill.flows.engine_settings import choose_engine
from audiomill.flows.errors import UsageError
from audiomill.flows.known_voice import known_voice
from audiomill.flows.settings import Settings, load_settings
from audiomill.inputs.files import read_text
from audiomill.inputs.languages.codes import language_tag
from audiomill.inputs.messages import did_you_mean
from audiomill.renderers.engine.errors import UnknownVoice
from audiomill.renderers.engine.protocol import Renderer, Voice
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.reference_voices.voice import MAX_TEXT_BYTES, one_line

ADDING = 'audiomill voices --add NAME --audio FILE --text "…" --consent "…"'
HEADER = Voice("NAME", "LANGUAGE", "GENDER", "DESCRIPTION")


def run(arguments: argparse.Namespace) -> int:
    """Print all voices, or those of one language; play or write one; add or check cloned ones."""
    settings = load_settings()
    _check(arguments)
    if arguments.add:
        return _add(arguments, settings.voices_folder)
    if arguments.check is not None:
        return _check_cloned(arguments, settings)
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
    """Raise UsageError for options of a sample or of a new voice without one, and empty texts."""
    has_words = arguments.text is not None
    if not arguments.play and (arguments.out or (has_words and not arguments.add)):
        raise UsageError("Name the voice to be heard: --play NAME, with --text and --out.")
    if has_words and not arguments.text.strip():
        raise UsageError("--text is empty: write what the voice is to say.")
    if arguments.play and (arguments.add or arguments.check is not None):
        raise UsageError("--play and --add or --check are two commands: use one after the other.")
    of_new = (arguments.audio, arguments.text_file, arguments.consent, arguments.speaker)
    if not arguments.add and (any(of_new) or arguments.replace):
        raise UsageError(f"Name the voice to be added: {ADDING}")
    if arguments.add and not (arguments.audio and arguments.consent):
        raise UsageError(f"A voice needs a recording and its speaker's consent: {ADDING}")
    if has_words and arguments.text_file:
        raise UsageError("--text and --text-file say the same: leave one out.")


def _add(arguments: argparse.Namespace, folder: Path) -> int:
    """Add a cloned voice, and say what is not good about it."""
    language = language_tag(arguments.language or "en")
    if not language:
        raise UsageError(f"--language {arguments.language}: write it as en, pt-BR or german.")
    new = NewVoice(
        name=arguments.add,
        audio=arguments.audio,
        consent=arguments.consent,
        language=language,
        text=_words_of(arguments),
        speaker=arguments.speaker or "",
    )
    voice, flaws = add_voice(folder, new, replace=arguments.replace)
    for flaw in flaws:
        say(f"Warning: {flaw.words}")
    (report,) = check_voices(folder, voice.name)
    if arguments.json:
        put_json({"voice": asdict(report)})
        return 0
    for line in report.lines():
        put(line)
    return 0


def _words_of(arguments: argparse.Namespace) -> str:
    """The text of the recording, in one line; "" if none is named. Raises UsageError."""
    if arguments.text_file is None:
        return one_line(arguments.text or "")
    try:
        words = one_line(read_text(arguments.text_file, MAX_TEXT_BYTES))
    except OSError as error:
        reason = error.strerror or error
        raise UsageError(f"--text-file {arguments.text_file} cannot be read: {reason}.") from error
    if not words:
        raise UsageError(f"--text-file {arguments.text_file} is empty: write what is said.")
    return words


def _check_cloned(arguments: argparse.Namespace, settings: Settings) -> int:
    """Judge the cloned voices, for all engines or for one."""
    folder, options = settings.voices_folder, settings.engine_options()
    reports = check_voices(folder, arguments.check, arguments.engine or "", options)
    if arguments.json:
        put_json({"folder": str(folder), "voices": [asdict(report) for report in reports]})
    elif not reports:
        put(f"There are no cloned voices in {folder}. Add one: {ADDING}")
    else:
        for line in chain(*(report.lines() for report in reports)):
            put(line)
    return 0 if all(report.is_good for report in reports) else EXIT_RENDER


def _put_voices(renderer: Renderer, language: str, *, as_json: bool) -> None:
    voices = _voices_of(renderer, language) if language else renderer.voices()
    if as_json:
        listed = [asdict(one) | {"display_name": renderer.display_name(one.name)} for one in voices]
        put_json({"engine": renderer.name, "voices": listed})
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
