"""`audiomill say`: says a text, or prints what the engine would be given for it."""

from __future__ import annotations

import argparse

from audiomill.flows.cli.short_text import TextToSay, play_or_write, put_result, spoken_segments
from audiomill.flows.console import put, put_json
from audiomill.flows.job import UsageError
from audiomill.flows.settings import load_settings
from audiomill.inputs.languages.codes import language_tag


def run(arguments: argparse.Namespace) -> int:
    """Play the text, write its sound to a file, or print the words of each segment."""
    settings = load_settings()
    speech = TextToSay(
        " ".join(arguments.text),
        _language(arguments.language),
        arguments.engine,
        arguments.voice,
        arguments.speed,
    )
    if not speech.text.strip():
        raise UsageError("There is nothing to say: write a text after the command.")
    if arguments.print and arguments.out:
        raise UsageError("--print makes no sound for --out. Leave one of them out.")
    if arguments.print:
        segments = spoken_segments(settings, speech)
        if arguments.json:
            put_json(
                {
                    "text": speech.text,
                    "language": speech.language,
                    "spoken": [one.words for one in segments],
                    "given": [one.model_input for one in segments],
                }
            )
        else:
            for one in segments:
                put(one.words)
                if one.model_input != one.words:
                    put(f"  {one.model_input}")
    else:
        duration_s = play_or_write(settings, speech, arguments.out)
        result = {"text": speech.text, "language": speech.language, "duration_s": duration_s}
        put_result(result, arguments.out, as_json=arguments.json)
    return 0


def _language(name: str) -> str:
    """The tag of a language. Raises UsageError."""
    tag = language_tag(name)
    if not tag:
        raise UsageError(f"--language {name}: write a language like en, en-GB or de.")
    return tag
