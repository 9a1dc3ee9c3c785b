"""A text to be said at once, as segments with their pauses: planned by the rules of books.

Spoken forms, lexicons, sentences, voices and pauses are those of the settings, so that a sentence
has the same key, and the same sound, here and in a book.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread

from audiomill.flows.engine_settings import choose_engine
from audiomill.flows.errors import UsageError
from audiomill.flows.job import Job
from audiomill.flows.known_voice import known_voice
from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline.planning.manuscript import manuscript_of
from audiomill.flows.pipeline.planning.plan import PlannedSegment, make_plan
from audiomill.flows.settings import Settings
from audiomill.inputs.languages.codes import language_tag
from audiomill.inputs.languages.detection import DEFAULT, language_of_text
from audiomill.inputs.languages.grammars import compile_rules
from audiomill.inputs.lexicons.entries import LexiconError
from audiomill.inputs.model.book import Block, BlockKind, Book, Chapter, Segment, SourceEmpty
from audiomill.inputs.segmentation.chunking import OPENING
from audiomill.inputs.text.paragraphs import join_lines, split_paragraphs
from audiomill.outputs.formats.registry import FORMATS
from audiomill.renderers.engine.registry import open_renderer
from audiomill.renderers.servers.voices import UNKNOWN_LANGUAGE

_NO_FILE = Path("text-of-a-request")  # that there never is: the text is in memory


@dataclass(frozen=True, slots=True)
class TextToSpeak:
    """A text, and who says it. What is "" or None, the settings or the text decide."""

    text: str
    engine: str = ""
    voice: str = ""
    speed: float | None = None
    language: str = ""  # BCP 47
    as_book: bool = False  # cut as a book is, though its beginning is heard later


@dataclass(frozen=True, slots=True)
class SpeechPlan:
    """The segments of a text, in order. Never empty."""

    engine: str
    voice: str  # that the narrator has, in its canonical form
    segments: tuple[PlannedSegment, ...]
    texts: tuple[Segment, ...]  # what each of them says, as it is printed
    sample_rate: int


class SpeechPlanner:
    """Plans texts by the settings that were in force when it was made."""

    def __init__(self, settings: Settings) -> None:
        """Raises UsageError, UnknownEngine."""
        self._settings = settings
        self.options = settings.engine_options()
        self.engine, self.warnings = choose_engine(settings.engine, self.options)
        self._jobs: dict[str, Job] = {}
        self._languages = set[str]()  # whose rules are compiled

    def job_of(self, engine: str) -> Job:
        """The job of all texts that an engine says. Raises UsageError, UnknownEngine."""
        if engine not in self._jobs:
            self._jobs[engine] = make_job(
                self._settings,
                _NO_FILE,
                engine=engine,
                formats=[next(iter(FORMATS))],
                credits=False,
            )
        return self._jobs[engine]

    def plan(self, wanted: TextToSpeak) -> SpeechPlan:
        """The segments of a text.

        Raises UsageError, UnknownEngine, UnknownVoice, EngineMissing; SourceEmpty if it has no
        words.
        """
        job = self.job_of(wanted.engine or self.engine)
        renderer = open_renderer(job.engine, job.options)
        voice = wanted.voice or job.voice
        if voice:
            voice = known_voice(renderer, voice, job.options)
        speed = job.speed if wanted.speed is None else wanted.speed
        job = replace(job, voice=voice or None, speed=speed)
        languages = {one.name: one.language for one in renderer.voices()}
        book = _book(wanted.text, _language(wanted, languages.get(voice or "", "")))
        try:
            opening = "" if wanted.as_book else OPENING
            manuscript = manuscript_of(job, book, first_chunking=opening)
            plan = make_plan(manuscript, job, renderer)
        except LexiconError as error:
            raise UsageError(str(error)) from error
        segments = tuple(one for chapter in plan.chapters for one in chapter.segments)
        if not segments:
            raise SourceEmpty("The text has no words that can be said. Send some.")
        self._compile_rules(book.language)
        narrator = voice or segments[0].request.voice
        return SpeechPlan(job.engine, narrator, segments, plan.segments, renderer.sample_rate)

    def _compile_rules(self, language: str) -> None:
        """Have the other rules of a language compiled while its first text is rendered."""
        if language not in self._languages:
            self._languages.add(language)
            Thread(target=compile_rules, args=[language], name="rules", daemon=True).start()


def _language(wanted: TextToSpeak, of_voice: str) -> str:
    """The language of a text: as it is named, else that of the voice, else as the text shows.

    Raises UsageError.
    """
    if wanted.language:
        tag = language_tag(wanted.language)
        if not tag:
            raise UsageError(f"language {wanted.language}: write one like en, en-GB or de.")
        return tag
    is_known = of_voice not in ("", UNKNOWN_LANGUAGE)
    return (of_voice if is_known else language_of_text(wanted.text)) or DEFAULT


def _book(text: str, language: str) -> Book:
    chapter = Chapter("", tuple(_blocks(text)))
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
    return Book("", (), language, (chapter,), digest)


def _blocks(text: str) -> Iterator[Block]:
    for number, paragraph in enumerate(split_paragraphs(text), 1):
        words = join_lines(paragraph.lines)
        yield Block(BlockKind.PARAGRAPH, words, where=f"paragraph {number}")
