"""Makes the episode of an article: its job, and what the feed says of the finished file.

Article ─▶ Job ─▶ (run) ─▶ Report ─▶ Episode, and its audio in the show's folder
"""

from __future__ import annotations

import hashlib
import html
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any, cast

from mutagen.id3 import ID3
from pydantic import TypeAdapter, ValidationError

from audiomill.flows.job import Job
from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline.report import Report
from audiomill.flows.podcast.article import FILE_SCHEME, Article
from audiomill.flows.podcast.show_settings import ShowSettings, speech_of
from audiomill.flows.settings import Settings
from audiomill.inputs.metadata.covers import square_cover
from audiomill.inputs.metadata.credits import Credits
from audiomill.inputs.metadata.images import UnusableImage, identify
from audiomill.inputs.model.book import BlockKind, Book, Cover
from audiomill.inputs.readers.sources import read_book
from audiomill.outputs.checking.profiles import PROFILES
from audiomill.outputs.formats.registry import (
    EPISODE_TEXT,
    EPISODE_TRANSCRIPTS,
    FORMATS,
    TRANSCRIPTS,
)
from audiomill.outputs.podcast.feed_rules import transcript_names
from audiomill.outputs.podcast.show import (
    Enclosure,
    Episode,
    EpisodeChapter,
    Person,
    TranscriptFile,
)
from audiomill.outputs.podcast.show_folder import ShowFolder
from audiomill.outputs.podcast.urls import content_name
from audiomill.outputs.readalong.web.recorded_text import dumped as dumped_text
from audiomill.outputs.readalong.web.recorded_text import loaded as loaded_text
from audiomill.outputs.text import capped, one_line, safe_name
from audiomill.outputs.types import OutputFile

PROFILE = "podcast"
(FORMAT,) = PROFILES[PROFILE].formats
SUMMARY_BYTES = 400
_EPISODE = TypeAdapter(Episode)
_SLUG_CHARS = 60
_PICTURE_SUFFIXES = {"image/jpeg": ".jpg", "image/png": ".png"}


def job_for(article: Article, show: ShowSettings, settings: Settings, library: Path) -> Job:
    """The job that makes the article's audio. Raises UsageError, UnknownEngine."""
    speech = speech_of(article.source, show)
    job = make_job(
        settings,
        article.path,
        out=library,
        engine=speech.engine,
        voice=speech.voice,
        speed=speech.speed,
        profile=PROFILE,
        formats=[FORMAT],
        transcripts=list(EPISODE_TRANSCRIPTS),
        check_speech=show.episodes.check_speech or None,
    )
    spoken = Credits(
        enabled=True, opening=show.episodes.intro, closing=show.episodes.outro, narrator=""
    )
    # Readers see the middle of an article's picture, not all of it between stripes. A small one is
    # the article's, not to be chosen anew: a run tells of all of them in one note.
    delivery = replace(job.delivery, square_cover=False, cover_px=None)
    return replace(
        job,
        readalongs=(EPISODE_TEXT.name,),
        credits=spoken,
        music=show.music,
        delivery=delivery,
    )


def make_episode(article: Article, report: Report, first_seen: datetime) -> Episode:
    """The episode of a finished run. Raises SourceError, OSError."""
    book = read_book(article.path, report.job.limits)
    title = book.title or article.title
    written = published_of(article, first_seen) or _date_of(book) or first_seen
    published = min(written, first_seen)
    episode = bare_episode(report, _episode_guid(article.id), title, published, book.language)
    return replace(
        episode,
        summary=_summary(book),
        show_notes_html=_show_notes(book, article),
        link=article.url if article.url.startswith("http") else "",
        chapters=episode.chapters if len(book.chapters) > 1 else (),
        persons=authors_of([book]),
    )


def _episode_guid(article_id: str) -> str:
    """The article's id; of a file a name made of it (RFC 9562, 5.5), as its path is private."""
    if not article_id.startswith(FILE_SCHEME):
        return article_id
    return uuid.uuid5(uuid.NAMESPACE_URL, article_id).urn


def bare_episode(
    report: Report, guid: str, title: str, published: datetime, language: str
) -> Episode:
    """The files of a finished run as an episode, of which nothing else is said."""
    audio, transcripts, text = _files_of(report)
    enclosure = _enclosure(audio, title)
    picture = _picture_in(audio.path)
    return Episode(
        guid=guid,
        title=title,
        published=published,
        duration_s=audio.duration_s,
        enclosure=enclosure,
        language=language,
        chapters=_chapters(audio.path),
        transcripts=tuple(
            TranscriptFile(
                str(Path(enclosure.name).with_suffix(file.path.suffix)),
                TRANSCRIPTS[file.format].media_type,
                language,
            )
            for file in transcripts
        ),
        text=str(Path(enclosure.name).with_suffix(EPISODE_TEXT.suffix)),
        pictures=tuple(_pictures_in(text)),
        image=_picture_name(enclosure, picture) if picture else "",
        image_px=min(identify(picture.data).size) if picture else None,
    )


def authors_of(books: Iterable[Book]) -> tuple[Person, ...]:
    """The authors of all books, each once."""
    return tuple(
        Person(name) for name in dict.fromkeys(chain.from_iterable(b.authors for b in books))
    )


def published_of(article: Article, first_seen: datetime) -> datetime | None:
    """When the article was published, as its source tells: not later than it was seen there.

    Players hide an episode of the future, and it would be the newest for ever.
    """
    return min(article.published, first_seen) if article.published else None


def dumped(episode: Episode) -> str:
    """The episode as JSON."""
    return _EPISODE.dump_json(episode).decode()


def loaded(text: str) -> Episode | None:
    """The episode that was dumped; None if there is none, or it was written by another version."""
    try:
        return _EPISODE.validate_json(text)
    except ValidationError:
        return None


def place_files(report: Report, target: ShowFolder, episode: Episode) -> None:
    """Put the audio, the transcripts and the picture of a finished run into the show's folder.

    Raises OutputUnwritable.
    """
    audio, transcripts, text = _files_of(report)
    target.add_names(placed_names(episode))
    for file, one in zip(transcripts, episode.transcripts, strict=True):
        target.write(one.name, file.path.read_bytes())
    # Publishing reads the texts of all episodes: there they are without their pictures.
    recorded = loaded_text(text.path.read_bytes())
    for name, data in recorded.pictures.items() if recorded else ():
        target.write(name, data)
    target.write(episode.text, dumped_text(recorded and replace(recorded, pictures={})))
    if episode.image and (picture := _picture_in(audio.path)):
        target.write(episode.image, picture.data)
    target.put(episode.enclosure.name, audio.path)


def placed_names(episode: Episode) -> tuple[str, ...]:
    """The names of what `place_files` puts into the show's folder."""
    pictures = filter(None, [episode.image, *episode.pictures])
    return (episode.enclosure.name, *transcript_names(episode), *pictures)


def _files_of(report: Report) -> tuple[OutputFile, Sequence[OutputFile], OutputFile]:
    """(the audio file, the transcripts that players read, the text of the page) of a run."""
    (audio,) = (file for file in report.files if file.format == FORMAT)
    (text,) = (file for file in report.files if file.format == EPISODE_TEXT.name)
    return audio, [one for one in report.files if one.format in EPISODE_TRANSCRIPTS], text


def _pictures_in(file: OutputFile) -> Iterable[str]:
    """The names of the pictures of a text."""
    text = loaded_text(file.path.read_bytes())
    return text.pictures if text else ()


def _enclosure(file: OutputFile, title: str) -> Enclosure:
    """The name holds a hash of the content: what is under a name never changes."""
    slug = safe_name(title)[:_SLUG_CHARS].lower()
    words = "".join(one if one.isalnum() and one.isascii() else " " for one in slug).split()
    name = content_name("-".join(words) or "episode", file.sha256, f".{FORMAT}")
    return Enclosure(name, file.path.stat().st_size, FORMATS[FORMAT].media_type)


def _picture_in(path: Path) -> Cover | None:
    """The picture in an MP3 as a square, if it has one that can be shown."""
    frames = cast("Sequence[Any]", ID3(path).getall("APIC"))
    try:
        return square_cover(frames[0].data) if frames else None
    except UnusableImage:
        return None


def _picture_name(enclosure: Enclosure, picture: Cover) -> str:
    stem = enclosure.name.rpartition("-")[0]
    content_hash = hashlib.sha256(picture.data).hexdigest()
    return content_name(stem, content_hash, _PICTURE_SUFFIXES[picture.media_type])


def _chapters(path: Path) -> tuple[EpisodeChapter, ...]:
    """The chapters that are marked in an MP3, if there are several; credits are marked too."""
    frames = cast("Sequence[Any]", ID3(path).getall("CHAP"))
    marks = [
        EpisodeChapter(one.start_time / 1000, str(one.sub_frames.getall("TIT2")[0]))
        for one in frames
    ]
    marks.sort(key=attrgetter("start_s"))
    return tuple(marks) if len(marks) > 1 else ()


def _date_of(book: Book) -> datetime | None:
    try:
        date = datetime.fromisoformat(book.date)
        return date.astimezone(UTC) if date.tzinfo else date.replace(tzinfo=UTC)
    except (ValueError, OverflowError):  # the first and the last days of the calendar
        return None


def _summary(book: Book) -> str:
    """The article's own summary, or its beginning."""
    if book.description:
        return book.description
    blocks = (block for chapter in book.chapters for block in chapter.blocks)
    first = next((one.text for one in blocks if one.kind is BlockKind.PARAGRAPH), "")
    return capped(one_line(first), SUMMARY_BYTES)


def _show_notes(book: Book, article: Article) -> str:
    by = f" by {', '.join(book.authors)}" if book.authors else ""
    of = f" ({book.publisher})" if book.publisher else ""
    title = html.escape(book.title or article.title)
    linked = f'<a href="{html.escape(article.url)}">{title}</a>' if article.url else title
    summary = html.escape(_summary(book))
    return f"<p>{linked}{html.escape(by + of)}</p><p>{summary}</p>"
