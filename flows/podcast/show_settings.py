"""The settings of a show: what its file, `show.toml`, can say."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ConfigDict, with_config

from audiomill.inputs.articles.filters import Filters
from audiomill.outputs.audio.music import Music

FEED_NAME = "feed.xml"
# The kinds of sources, by the key that names one: what each lists, `audiomill podcast init` tells.
KINDS = ("page", "feed", "sitemap", "index", "folder", "mailbox")
WEB_KINDS = frozenset(("page", "feed", "sitemap", "index"))
DIGEST_FIELDS = ("show", "date", "count")  # the show's title, the day, the number of articles

# A key that is not known is a mistake, and so is a number that is none, or without an end.
_STRICT = ConfigDict(extra="forbid", allow_inf_nan=False)


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class SpeechChoice:
    """The voice of a text, and its pace. None: as the settings say."""

    engine: str | None = None
    voice: str | None = None
    speed: float | None = None


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class SourceChoice:
    """One source of articles; exactly one of KINDS is not ""."""

    page: str = ""
    feed: str = ""
    sitemap: str = ""
    index: str = ""
    folder: str = ""
    mailbox: str = ""
    newest: int = 20  # of its articles are looked at
    # What its server asks for. Secrets are placeholders: {env:NAME} or {block:name}.
    headers: dict[str, str] = field(default_factory=dict[str, str])
    login: str = ""  # "name:{env:PASSWORD}"
    speech: SpeechChoice = field(default_factory=SpeechChoice)
    filters: Filters = field(default_factory=Filters)

    @property
    def kind(self) -> str:
        """The one of KINDS that is given; "" if none is."""
        return next((kind for kind in KINDS if getattr(self, kind)), "")

    @property
    def place(self) -> str:
        """The URL or path of the source."""
        return getattr(self, self.kind) if self.kind else ""


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class EpisodeChoice:
    """The words around an article. Templates are those of credits; "" says nothing."""

    intro: str = "{title}[, by {author}][. From {site}][, {date}]."
    outro: str = ""
    keep: int = 50  # episodes in the feed
    attempts: int = 5  # at an article that fails, one in each run
    check_speech: bool = False  # by recognition; the settings may want it, too


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class DigestChoice:
    """How the short articles of a run become one episode. Templates have DIGEST_FIELDS."""

    max_words: int = 800  # of an article that goes into a digest
    min_articles: int = 3  # of a digest; fewer become episodes of their own
    max_articles: int = 30  # more become several digests of about the same size
    title: str = "{show}, {date}"
    intro: str = "{show}, {date}."  # said before all articles
    outro: str = ""


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class FetchChoice:
    """How servers are treated."""

    wait_s: float = 1.0  # between two requests to one server
    at_once: int = 4  # requests to different servers
    robots: bool = True  # what a server's robots.txt forbids is not fetched


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class ShowSettings:
    """All that a show's file says."""

    title: str
    # Where the folder is served: the start of each URL of the feed. It may have {token} in it.
    address: str
    folder: str  # of the feed, its pages and episodes: a path or a URL of fsspec
    sources: tuple[SourceChoice, ...] = ()
    description: str = ""
    author: str = ""
    language: str = "en"
    link: str = ""  # a page about the show; "": its own
    image: Path | None = None
    category: str = "News"
    explicit: bool = False
    speech: SpeechChoice = field(default_factory=SpeechChoice)
    episodes: EpisodeChoice = field(default_factory=EpisodeChoice)
    music: Music = field(default_factory=Music)
    fetching: FetchChoice = field(default_factory=FetchChoice)
    digest: DigestChoice | None = None  # None: each article is an episode


def speech_of(source: SourceChoice, show: ShowSettings) -> SpeechChoice:
    """Who reads a source: what it says itself, and else what the show says."""
    own, general = source.speech, show.speech
    return SpeechChoice(
        own.engine or general.engine, own.voice or general.voice, own.speed or general.speed
    )
