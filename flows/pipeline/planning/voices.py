"""The voices of a book: which one reads what, how much, and how loud it is beside the others.

Mastering has one gain for the whole book, so a voice that is softer than the others would stay so:
each is measured by some requests, and gets a gain of its own.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from audiomill.flows.errors import UsageError
from audiomill.flows.job import Foreign, Job
from audiomill.flows.known_voice import known_voice
from audiomill.inputs.casting.cast import Cast, name_key, names_chapter
from audiomill.inputs.casting.dialogue import dialogue_of_book
from audiomill.inputs.languages.codes import primary_subtag
from audiomill.inputs.languages.registry import dialogue
from audiomill.inputs.model.book import Book, Manuscript, Segment
from audiomill.renderers.engine.errors import EngineMissing, UnknownVoice, reason_of
from audiomill.renderers.engine.planning import estimate_s
from audiomill.renderers.engine.protocol import EngineLimits, Renderer, Request
from audiomill.renderers.engine.registry import open_renderer

LEVELS_VERSION = 2  # raised by hand when the same shards give other gains
SAMPLE_S = 30.0  # of audio, estimated, by which a voice is measured
LEAST_S = 5.0  # estimated; a voice that reads less is left as it is
# Voices that differ by less are left as they are: half a minute of a voice tells its loudness no
# better.
CLOSE_LU = 0.5
MAX_GAIN_DB = 8.0  # up or down: a whisper stays a whisper

LevelRequests = tuple[tuple[str, tuple[Request, ...]], ...]  # requests by voice, the main one first


@dataclass(frozen=True, slots=True)
class VoiceChoice:
    """The voices of one book, which is in `language` (BCP 47)."""

    renderer: Renderer
    language: str
    narrator: str
    foreign: Foreign

    def narrator_in(self, language: str) -> str:
        """The voice that narrates text in `language`."""
        return self.voice_in(self.narrator, language)

    def voice_in(self, voice: str, language: str) -> str:
        """The voice for a part that `voice` reads, where that part is in `language`.

        A region's form of the book's language is the book's language. What the engine does not
        pronounce, the voice reads as it is.
        """
        if primary_subtag(language) == primary_subtag(self.language):
            return voice
        try:
            if self.foreign == "voice":
                return self.renderer.default_voice(language)
            return self.renderer.in_language(voice, language)
        except (UnknownVoice, EngineMissing):
            return voice

    def warnings(self, manuscript: Manuscript) -> Iterator[str]:
        """A warning for each other language that the engine does not pronounce."""
        for language in dict.fromkeys(segment.language for segment in manuscript.segments):
            if primary_subtag(language) == primary_subtag(self.language):
                continue
            try:
                self.renderer.in_language(self.narrator, language)
            except (UnknownVoice, EngineMissing) as error:
                yield (
                    f"Passages in “{language}” are read by the narrator as if they were in"
                    f" “{self.language}”. {reason_of(error)}."
                )


def book_narrator(job: Job, book: Book, renderer: Renderer) -> str:
    """The voice that reads the book's own language. Raises UnknownVoice."""
    voice = None if job.voice is None else renderer.known_voice(job.voice)
    return narrator_for(renderer, voice, book.language)


def narrator_for(renderer: Renderer, voice: str | None, language: str) -> str:
    """`voice` if one is chosen, else the engine's default for `language` (BCP 47).

    The default English voice reads languages that the engine does not know.
    """
    if voice is not None:
        return voice
    try:
        return renderer.default_voice(language)
    except UnknownVoice:
        return renderer.default_voice("en")


def check_speed(speed: float, renderer: Renderer) -> None:
    """Raise UsageError if the engine cannot speak at that speed."""
    slowest, fastest = renderer.limits.speeds
    if not slowest <= speed <= fastest:
        raise UsageError(f"Speed {speed:g}: {renderer.name} speaks at {slowest:g} to {fastest:g}.")


def known_cast(job: Job, renderer: Renderer) -> Cast:
    """The cast of `job` with canonical names of voices. Raises UnknownVoice."""

    def known(part: str, voice: str) -> str:
        try:
            return known_voice(renderer, voice, job.options)
        except UnknownVoice as error:
            raise UnknownVoice(f"{job.cast.where}, {part}: {error}") from error

    return job.cast.map_voices(known)


def check_languages(cast: Cast, renderer: Renderer, language: str) -> None:
    """Raise UnknownVoice if a voice of the cast speaks another language than the book."""
    for part, voice in cast.parts():
        try:
            wanted = renderer.in_language(voice, language)
        except (UnknownVoice, EngineMissing):
            continue  # no voice of this engine speaks it better
        if wanted != voice:
            raise UnknownVoice(
                f"{cast.where}, {part}: the voice {voice} does not speak the book's language"
                f" ({language}). Write {wanted}, or choose another:"
                f" audiomill voices --engine {renderer.name} --language {language}"
            )


def cast_warnings(cast: Cast, manuscript: Manuscript) -> Iterator[str]:
    """A warning for each character and chapter of the cast that the book does not have."""
    book = manuscript.book
    if cast.has_dialogue and dialogue(book.language) is None:
        yield (
            f"{cast.where}: what is said aloud is not told apart in “{book.language}”;"
            " the narrator reads it."
        )
        return
    met = {name_key(name) for name in count_speakers(book)} if cast.characters else set[str]()
    for name in cast.characters:
        if name_key(name) not in met:
            yield (
                f"{cast.where}: nothing is said by “{name}” for sure. audiomill inspect lists the"
                " characters as the text names them."
            )
    spoken = dict.fromkeys(segment.chapter for segment in manuscript.segments)
    titles = [book.chapters[index].title for index in spoken]
    for key in cast.chapters:
        if not any(names_chapter(key, number, title) for number, title in enumerate(titles, 1)):
            yield f"{cast.where}: there is no chapter “{key}”; audiomill inspect lists them."


def count_speakers(book: Book) -> Counter[str]:
    """How often each character speaks for sure, most first, by the first form of the name."""
    dialogue = dialogue_of_book(book)
    counts, forms = Counter[str](), dict[str, str]()
    for chapter in book.chapters:
        for speeches in dialogue(chapter):
            for speech in speeches:
                if speech.speaker:
                    form = forms.setdefault(name_key(speech.speaker), speech.speaker)
                    counts[form] += 1
    return Counter(dict(counts.most_common()))


@dataclass(frozen=True, slots=True)
class VoiceShare:
    """How much of a book a voice reads."""

    voice: str
    parts: tuple[str, ...]  # of the cast; "narrator" for the book's own
    segments: int
    words: int  # as they are spoken
    spoken_s: float | None = None  # of audio, without pauses; None if it is not rendered


def voice_shares(
    job: Job,
    book: Book,
    segments: Iterable[Segment],
    spoken_s: Mapping[str, float] | None = None,
) -> tuple[VoiceShare, ...]:
    """How much each voice reads, most first. `spoken_s` has the seconds of segments, by id."""
    parts = _parts_of_voices(job, book)
    shares = (
        VoiceShare(
            voice,
            tuple(parts.get(voice, ())),
            len(group),
            sum(len(segment.spoken.split()) for segment in group),
            None if spoken_s is None else _sum_s(spoken_s, group),
        )
        for voice, group in _by_voice(segments).items()
    )
    return tuple(sorted(shares, key=lambda share: -share.words))


def _sum_s(spoken_s: Mapping[str, float], segments: Iterable[Segment]) -> float:
    return round(sum(spoken_s.get(segment.id, 0.0) for segment in segments), 3)


def _by_voice(segments: Iterable[Segment]) -> dict[str, list[Segment]]:
    by_voice = dict[str, list[Segment]]()
    for segment in segments:
        by_voice.setdefault(segment.voice, []).append(segment)
    return by_voice


def _parts_of_voices(job: Job, book: Book) -> dict[str, list[str]]:
    """The parts that each voice is cast for, under the voices' canonical names."""
    renderer = open_renderer(job.engine, job.options)
    parts = {book_narrator(job, book, renderer): ["narrator"]}
    for part, voice in known_cast(job, renderer).parts():
        parts.setdefault(voice, []).append(part)
    return parts


def level_requests(requests: Sequence[Request], limits: EngineLimits) -> LevelRequests:
    """The first requests of each voice, by which it is measured; none for a single voice."""
    total_s, chosen = dict[str, float](), dict[str, list[Request]]()
    for request in requests:
        voice = request.voice
        if total_s.get(voice, 0.0) < SAMPLE_S:
            chosen.setdefault(voice, []).append(request)
        total_s[voice] = total_s.get(voice, 0.0) + estimate_s(request, limits)
    by_length = sorted(chosen, key=lambda voice: -total_s[voice])
    by_length = [voice for voice in by_length if total_s[voice] >= LEAST_S]
    if len(by_length) < 2:
        return ()
    return tuple((voice, tuple(chosen[voice])) for voice in by_length)


def voice_gains_db(levels_lufs: Mapping[str, float]) -> dict[str, float]:
    """The gain of each voice that is not close to the first one, to a tenth of a decibel."""
    main_lufs = next(iter(levels_lufs.values()), -math.inf)
    differences = {voice: main_lufs - lufs for voice, lufs in levels_lufs.items()}
    return {
        voice: round(max(-MAX_GAIN_DB, min(difference_db, MAX_GAIN_DB)), 1)
        for voice, difference_db in differences.items()
        if math.isfinite(difference_db) and abs(difference_db) >= CLOSE_LU
    }
