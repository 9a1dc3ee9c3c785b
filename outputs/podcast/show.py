"""The data of a podcast: a show, its episodes, and articles that no episode could be made of.

File names are relative to the folder of the show's feed, with "/" between folders. Text may be
anything; what a feed or a page cannot hold is cleaned or shortened where it is written.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import PurePosixPath

from audiomill.outputs.types import OutputError

INDEX_NAME = "index.html"


class ShowKind(StrEnum):
    """The order in which episodes are meant to be heard (`itunes:type`)."""

    EPISODIC = "episodic"  # the newest first
    SERIAL = "serial"  # the oldest first; each episode has a number


class PersonRole(StrEnum):
    """The role of a person, by the Podcast Taxonomy Project's list."""

    HOST = "host"
    NARRATOR = "narrator"
    AUTHOR = "author"  # of a text that is read as it was written
    EDITOR = "editor"

    @property
    def group(self) -> str:
        """The group of the role in that list."""
        return "cast" if self in (PersonRole.HOST, PersonRole.NARRATOR) else "writing"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who has a part in a show or an episode (`podcast:person`)."""

    name: str
    role: PersonRole = PersonRole.AUTHOR
    link: str = ""


@dataclass(frozen=True, slots=True)
class Funding:
    """Where listeners can support a show (`podcast:funding`)."""

    link: str
    text: str


@dataclass(frozen=True, slots=True)
class Show:
    """A podcast without its episodes. "" stands for what there is not."""

    title: str
    description: str
    feed_url: str  # where subscribers get the feed; the last part of its path is the file's name
    language: str = "en"  # BCP 47
    link: str = ""  # the website; if there is none, the show's own page
    author: str = ""
    owner_name: str = ""
    owner_email: str = ""
    categories: tuple[str, ...] = ("News",)  # of Apple's list, such as "News > Tech News"
    # A file name or a URL. Apple's directory wants a JPEG or PNG of 1400 to 3000 pixels.
    image: str = ""
    copyright: str = ""
    kind: ShowKind = ShowKind.EPISODIC
    persons: tuple[Person, ...] = ()
    funding: tuple[Funding, ...] = ()
    podcast_guid: str = ""  # of a show that has moved here; else made from the feed's URL
    is_explicit: bool = False
    is_private: bool = True  # asks directories and search engines not to list it
    is_locked: bool = True  # asks other hosts not to import it


@dataclass(frozen=True, slots=True)
class Enclosure:
    """The audio file of an episode. It never changes under its name: subscribers keep parts."""

    name: str
    n_bytes: int
    media_type: str  # "audio/mpeg"


@dataclass(frozen=True, slots=True)
class EpisodeChapter:
    """A chapter of an episode, which lasts until the next one begins."""

    start_s: float
    title: str
    link: str = ""


@dataclass(frozen=True, slots=True)
class TranscriptFile:
    """A file with the words of an episode and their times."""

    name: str
    media_type: str  # "text/vtt", "application/x-subrip"
    language: str = ""  # BCP 47; that of the episode if ""


@dataclass(frozen=True, slots=True)
class Episode:
    """An episode of a show. Its page and its chapters lie beside the audio, named as it is."""

    guid: str  # never changes, whatever else does
    title: str
    published: datetime  # with a time zone
    duration_s: float
    enclosure: Enclosure
    summary: str = ""
    show_notes_html: str = ""  # unsafe and unknown HTML in it is removed
    link: str = ""  # the article
    language: str = ""  # BCP 47; that of the show if ""
    chapters: tuple[EpisodeChapter, ...] = ()
    transcripts: tuple[TranscriptFile, ...] = ()
    text: str = ""  # the name of a file with the text and its times, of which the page is made
    persons: tuple[Person, ...] = ()
    pictures: tuple[str, ...] = ()  # the names of files that the text shows
    image: str = ""  # a file name or a URL
    image_px: int | None = None  # its shorter side; None: not known
    season: int | None = None
    number: int | None = None

    @property
    def page_name(self) -> str:
        """The name of the episode's page."""
        return str(PurePosixPath(self.enclosure.name).with_suffix(".html"))

    @property
    def chapters_name(self) -> str:
        """The name of the file of its chapters; "" if it has none."""
        audio = PurePosixPath(self.enclosure.name)
        return str(audio.with_suffix(".chapters.json")) if self.chapters else ""

    @property
    def authors(self) -> tuple[str, ...]:
        """The names of those who wrote the article."""
        return tuple(one.name for one in self.persons if one.role is PersonRole.AUTHOR)


@dataclass(frozen=True, slots=True)
class FailedArticle:
    """An article that no episode could be made of. Only the show's page tells of it."""

    url: str
    title: str
    reason: str
    attempts: int


class PodcastUnfit(OutputError):
    """A show or an episode has data that no feed can hold, or lacks some that it needs."""
