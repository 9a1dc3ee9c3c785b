"""Limits of a feed for a show and its episodes, checked before anything is written.

Categories are those of Apple Podcasts, which other directories use too.
Source: Apple Podcasts for Creators, "Apple Podcasts categories".
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from audiomill.outputs.podcast.show import INDEX_NAME, Episode, PodcastUnfit, Show, ShowKind
from audiomill.outputs.podcast.urls import feed_name, is_file_name, web_url
from audiomill.outputs.text import line

SEPARATOR = " > "
CATEGORIES: dict[str, tuple[str, ...]] = {
    "Arts": (*("Books", "Design", "Fashion & Beauty", "Food", "Performing Arts", "Visual Arts"),),
    "Business": (
        *("Careers", "Entrepreneurship", "Investing", "Management", "Marketing", "Non-Profit"),
    ),
    "Comedy": ("Comedy Interviews", "Improv", "Stand-Up"),
    "Education": ("Courses", "How To", "Language Learning", "Self-Improvement"),
    "Fiction": ("Comedy Fiction", "Drama", "Science Fiction"),
    "Government": (),
    "History": (),
    "Health & Fitness": (
        *("Alternative Health", "Fitness", "Medicine", "Mental Health", "Nutrition", "Sexuality"),
    ),
    "Kids & Family": ("Education for Kids", "Parenting", "Pets & Animals", "Stories for Kids"),
    "Leisure": (
        *("Animation & Manga", "Automotive", "Aviation", "Crafts", "Games", "Hobbies"),
        *("Home & Garden", "Video Games"),
    ),
    "Music": ("Music Commentary", "Music History", "Music Interviews"),
    "News": (
        *("Business News", "Daily News", "Entertainment News", "News Commentary", "Politics"),
        *("Sports News", "Tech News"),
    ),
    "Religion & Spirituality": (
        *("Buddhism", "Christianity", "Hinduism", "Islam", "Judaism", "Religion", "Spirituality"),
    ),
    "Science": (
        *("Astronomy", "Chemistry", "Earth Sciences", "Life Sciences", "Mathematics"),
        *("Natural Sciences", "Nature", "Physics", "Social Sciences"),
    ),
    "Society & Culture": (
        *("Documentary", "Personal Journals", "Philosophy", "Places & Travel", "Relationships"),
    ),
    "Sports": (
        *("Baseball", "Basketball", "Cricket", "Fantasy Sports", "Football", "Golf", "Hockey"),
        *("Rugby", "Running", "Soccer", "Swimming", "Tennis", "Volleyball", "Wilderness"),
        *("Wrestling",),
    ),
    "Technology": (),
    "True Crime": (),
    "TV & Film": ("After Shows", "Film History", "Film Interviews", "Film Reviews", "TV Reviews"),
}
NAMES = (
    *CATEGORIES,
    *(f"{parent}{SEPARATOR}{child}" for parent in CATEGORIES for child in CATEGORIES[parent]),
)


def split_category(name: str) -> tuple[str, str]:
    """(category, subcategory) of a name such as "News > Tech News"; the latter may be "".

    Raises PodcastUnfit for a name that is not in Apple's list.
    """
    if name not in NAMES:
        near = get_close_matches(name, NAMES, n=1)
        advice = f"Did you mean “{near[0]}”?" if near else f"There are: {', '.join(CATEGORIES)}."
        raise PodcastUnfit(f"“{name}” is no category of podcasts. {advice}")
    parent, _, child = name.partition(SEPARATOR)
    return parent, child


_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
_MEDIA_TYPE = re.compile(r"[a-z]+/[a-z0-9][a-z0-9.+-]*")
_EMAIL = re.compile(r"[!-?A-~]+@[!-?A-~]+")
_GUID = re.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def check_podcast(show: Show, episodes: Sequence[Episode]) -> None:
    """Raise PodcastUnfit for the first thing that a feed cannot hold."""
    _check_show(show)
    for episode in episodes:
        for fault in _faults(show, episode):
            raise PodcastUnfit(f"The episode “{line(episode.title)}” cannot be published: {fault}")
    _check_unique("guid", [episode.guid for episode in episodes])
    own = [INDEX_NAME, feed_name(show.feed_url)]
    _check_unique("file name", own + [name for one in episodes for name in file_names(one)])


def is_language(code: str) -> bool:
    """Whether a feed takes a code as a language: BCP 47, such as “en-GB”."""
    return _LANGUAGE.fullmatch(code) is not None


def file_names(episode: Episode) -> list[str]:
    """All files that belong to an episode alone: its audio, page, chapters and transcripts."""
    chapters = [episode.chapters_name] if episode.chapters else []
    return [episode.enclosure.name, episode.page_name, *chapters, *transcript_names(episode)]


def transcript_names(episode: Episode) -> list[str]:
    """The files of an episode's text; the feed names those that players read."""
    return [*(one.name for one in episode.transcripts), *filter(None, [episode.text])]


def _check_show(show: Show) -> None:
    for fault in _show_faults(show):
        raise PodcastUnfit(f"The show cannot be published: {fault}")
    for category in show.categories:
        split_category(category)


def _show_faults(show: Show) -> Iterator[str]:
    name = feed_name(show.feed_url)
    if not line(show.title):
        yield "it has no title."
    if not line(show.description):
        yield "it has no description. Say in a sentence what it is about."
    if not (is_file_name(name) and name.endswith((".xml", ".rss"))):
        yield (
            f"“{show.feed_url}” is no address of a feed. It begins with https:// and ends with"
            " the name of its file, such as feed.xml."
        )
    if not is_language(show.language):
        yield f"“{show.language}” is no language. Write a code such as en-GB."
    if not show.categories:
        yield "it has no category. Choose one, such as News."
    if show.owner_email and not _EMAIL.fullmatch(show.owner_email):
        yield f"“{show.owner_email}” is no e-mail address."
    if show.podcast_guid and not _GUID.fullmatch(show.podcast_guid):
        yield f"“{show.podcast_guid}” is no UUID."
    if show.image and not _is_place(show.image):
        yield f"“{show.image}” is neither a file in its folder nor a web address."


def _faults(show: Show, episode: Episode) -> Iterator[str]:
    if not line(episode.guid):
        yield "it has no guid."
    if episode.published.utcoffset() is None:
        yield "its date has no time zone."
    if not (math.isfinite(episode.duration_s) and episode.duration_s > 0):
        yield f"its duration is {episode.duration_s} s."
    if episode.language and not is_language(episode.language):
        yield f"“{episode.language}” is no language."
    if any(number is not None and number < 1 for number in (episode.season, episode.number)):
        yield "seasons and episodes are counted from 1."
    if show.kind is ShowKind.SERIAL and episode.number is None:
        yield "it has no number, and the show is a serial."
    yield from _file_faults(episode)


def _file_faults(episode: Episode) -> Iterator[str]:
    if episode.enclosure.n_bytes <= 0:
        yield "its audio is empty."
    types = [episode.enclosure.media_type, *(one.media_type for one in episode.transcripts)]
    for media_type in types:
        if not _MEDIA_TYPE.fullmatch(media_type):
            yield f"“{media_type}” is no media type."
    for name in file_names(episode):
        if not is_file_name(name):
            yield f"“{line(name)}” is no name of a file in the show's folder."
    if episode.image and not _is_place(episode.image):
        yield f"“{line(episode.image)}” is neither a file in the show's folder nor a web address."
    starts = [chapter.start_s for chapter in episode.chapters]
    if not all(0 <= start < math.inf for start in starts) or starts != sorted(starts):
        yield "its chapters are not in order."


def _is_place(name_or_url: str) -> bool:
    return bool(web_url(name_or_url)) or is_file_name(name_or_url)


def _check_unique(what: str, values: Sequence[str]) -> None:
    for value, n in Counter(values).items():
        if n > 1:
            raise PodcastUnfit(f"The {what} “{line(value)}” is given {n} times in the podcast.")
