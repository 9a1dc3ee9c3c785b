"""`audiomill say`: plays a text, writes its sound to a file, or prints what the engine would get.

`audiomill voices` uses it, too: a voice shows how it sounds by a sentence in its language.
"""

from __future__ import annotations

import argparse
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from audiomill.flows.console import put, put_json, say
from audiomill.flows.errors import UsageError
from audiomill.flows.execution.executor import ThreadExecutor
from audiomill.flows.execution.progress import terminal_progress
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.job import Job
from audiomill.flows.local_player import PLAYERS, find_player, play_file
from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline.pipeline import run_pipeline
from audiomill.flows.pipeline.planning.manuscript import read_manuscript
from audiomill.flows.settings import Settings, load_settings
from audiomill.inputs.languages import registry
from audiomill.inputs.languages.codes import language_tag
from audiomill.inputs.messages import did_you_mean
from audiomill.inputs.model.book import SourceEmpty
from audiomill.outputs.files import require_new, write_new
from audiomill.outputs.formats.registry import FORMATS
from audiomill.outputs.formats.wav import WAV
from audiomill.renderers.engine.planning import requests_of
from audiomill.renderers.engine.protocol import Renderer
from audiomill.renderers.engine.registry import open_renderer

_BY_SUFFIX = {entry.suffix: name for name, entry in FORMATS.items()}
_PAGE = (
    '<!DOCTYPE html><html lang="{language}"><head><meta charset="utf-8"><title>{title}</title>'
    "</head><body><p>{text}</p></body></html>"
)
_INSTEAD = f"Write the sound to a file instead: --out sample{WAV.suffix}"


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
        _put_words(speech, spoken_segments(settings, speech), as_json=arguments.json)
    else:
        duration_s = play_or_write(settings, speech, arguments.out)
        result = {"text": speech.text, "language": speech.language, "duration_s": duration_s}
        put_result(result, arguments.out, as_json=arguments.json)
    return 0


def _put_words(speech: TextToSay, segments: Sequence[SpokenSegment], *, as_json: bool) -> None:
    """Print the words of each segment, and what the model gets where that is something else."""
    if as_json:
        put_json(
            {
                "text": speech.text,
                "language": speech.language,
                "spoken": [one.words for one in segments],
                "given": [one.model_input for one in segments],
            }
        )
        return
    for one in segments:
        put(one.words)
        if one.model_input != one.words:
            put(f"  {one.model_input}")


def _language(name: str) -> str:
    """The tag of a language. Raises UsageError."""
    tag = language_tag(name)
    if not tag:
        raise UsageError(f"--language {name}: write a language like en, en-GB or de.")
    return tag


@dataclass(frozen=True, slots=True)
class TextToSay:
    """A text, and who is to say it. What is None, the settings or the language decide."""

    text: str
    language: str  # BCP 47
    engine: str | None = None
    voice: str | None = None
    speed: float | None = None


@dataclass(frozen=True, slots=True)
class SpokenSegment:
    """A segment's words, and the engine's input for them: phonemes, or its codes in the text."""

    words: str
    model_input: str


def spoken_segments(settings: Settings, speech: TextToSay) -> tuple[SpokenSegment, ...]:
    """The words and the engine's input for each segment of the text.

    Raises UsageError, SourceError for a text without words, RenderError.
    """
    with _job(settings, speech, next(iter(FORMATS))) as job:
        renderer = open_renderer(job.engine, job.options)
        requests = requests_of(read_manuscript(job).segments, renderer, job.speed)
        return tuple(
            SpokenSegment(renderer.normalized_text(one.spoken), renderer.model_input(one))
            for one in requests
        )


def write_speech(settings: Settings, speech: TextToSay, path: Path) -> float:
    """Write the sound to `path`, whose ending is the format, and return its duration in seconds.

    Progress is shown on stderr, as of a book: a text may be as long.
    Raises UsageError, SourceError for a text without words, RenderError, StoreError,
    OutputError.
    """
    format_name = format_of(path)
    require_new(path)
    with _job(settings, speech, format_name) as job:
        with (
            ThreadExecutor() as executor,
            terminal_progress() as progress_of,
            progress_of("") as progress,
        ):
            (made,) = run_pipeline(job, executor, RunContext(progress)).files
        write_new(path, made.path.read_bytes())
    return made.duration_s


@contextmanager
def _job(settings: Settings, speech: TextToSay, format_name: str) -> Generator[Job]:
    """The job of a page with the text, and a library of its own, both for a while."""
    with TemporaryDirectory(prefix="audiomill-") as folder:
        source = Path(folder, "text.html")
        page = _PAGE.format(language=speech.language, title="Text", text=escape(speech.text))
        source.write_text(page, "utf-8", "xmlcharrefreplace")
        job = make_job(
            settings,
            source,
            out=Path(folder, "library"),
            engine=speech.engine,
            voice=speech.voice,
            speed=speech.speed,
            formats=[format_name],
            credits=False,
        )
        try:
            yield job
        except SourceEmpty as error:  # which names a page that the person has never seen
            raise SourceEmpty("The text has no words that can be said. Write some.") from error


def format_of(path: Path) -> str:
    """The format that an ending stands for. Raises UsageError."""
    suffix = path.suffix.lower()
    if suffix not in _BY_SUFFIX:
        raise UsageError(
            f"--out {path}: end the name in {', '.join(sorted(_BY_SUFFIX))}."
            f"{did_you_mean(suffix, _BY_SUFFIX, n=1)}"
        )
    return _BY_SUFFIX[suffix]


def play_or_write(settings: Settings, speech: TextToSay, out: Path | None) -> float:
    """Write the sound to `out`, or play it if that is None. Return its duration in seconds."""
    if out is not None:
        return write_speech(settings, speech, out)
    player = find_player(PLAYERS, _INSTEAD)  # now: the voice may have to be downloaded first
    with TemporaryDirectory(prefix="audiomill-") as folder:
        path = Path(folder, f"speech{WAV.suffix}")
        duration_s = write_speech(settings, speech, path)
        say(speech.text)
        play_file(player, path, _INSTEAD)
        return duration_s


def put_result(result: dict[str, Any], out: Path | None, *, as_json: bool) -> None:
    """Print the file's path, or the JSON object, whose path is null for what was played."""
    if as_json:
        put_json(result | {"path": None if out is None else str(out)})
    elif out is not None:
        put(str(out))


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
