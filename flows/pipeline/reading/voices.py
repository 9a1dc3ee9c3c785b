"""Which of the engine's voices reads what: the narrator, a cast, passages in other languages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from audiomill.flows.job import Foreign, Job, UsageError
from audiomill.inputs.book import Book, Manuscript
from audiomill.inputs.casting.cast import Cast, name_key, names_chapter
from audiomill.inputs.casting.dialogue import dialogue_of_book
from audiomill.inputs.languages.codes import primary_subtag
from audiomill.inputs.languages.registry import dialogue
from audiomill.renderers.base import EngineMissing, Renderer, UnknownVoice, reason_of
from audiomill.renderers.registry import known_voice


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
