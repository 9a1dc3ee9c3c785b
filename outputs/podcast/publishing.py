"""Puts a podcast into its folder so that its feed is valid at any moment, even after a kill.

    .podcast.json      the names of all files that are the show's: first and last
    reader/….js ….css  then the reader of the episodes' pages
    ….chapters.json    then chapters and pages
    index.html
    feed.xml           then the feed, which replaces the old one at once
                       then files of episodes that have left the feed are removed

Audio, transcripts and pictures must be there before (`ShowFolder.add_names`, `put`). Only one
process may publish a show at a time.

Chapters are JSON chapters 1.2 of Podcasting 2.0.
Source: docs/examples/chapters/jsonChapters.md of github.com/Podcastindex-org/podcast-namespace.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from audiomill.outputs.podcast.cue_text import cue_text
from audiomill.outputs.podcast.episode_page import episode_assets, episode_page
from audiomill.outputs.podcast.feed import feed
from audiomill.outputs.podcast.feed_rules import check_podcast, file_names, transcript_names
from audiomill.outputs.podcast.page_parts import language_of
from audiomill.outputs.podcast.show import INDEX_NAME, Episode, EpisodeChapter, FailedArticle, Show
from audiomill.outputs.podcast.show_folder import ShowFolder
from audiomill.outputs.podcast.show_page import show_page
from audiomill.outputs.podcast.timed_words import timed_words
from audiomill.outputs.podcast.urls import feed_name, web_url
from audiomill.outputs.readalong.web.recorded_text import RecordedText, loaded
from audiomill.outputs.text import UNTITLED, line
from audiomill.outputs.types import OutputError

_VTT = "text/vtt"
_VERSION = "1.2.0"


class EnclosureMissing(OutputError):
    """A file that the feed would name is not there, or is not what it would say."""


def publish_show(
    target: ShowFolder,
    show: Show,
    episodes: Sequence[Episode],
    failed: Sequence[FailedArticle] = (),
) -> str:
    """Make the show in a folder these episodes, and return its feed's path or URL.

    Raises PodcastUnfit, EnclosureMissing and OutputUnwritable; the old feed then stays, and all
    that it names.
    """
    check_podcast(show, episodes)
    _require_files(target, show, episodes)
    before = target.made_names()
    now = frozenset(_names_made(show, episodes))
    target.require_own(_names_written(show, episodes), before)
    target.sweep(before | now)
    target.write_names(before | now)
    contents = _contents(target, show, episodes, failed)
    for name, content in contents:
        target.write(name, content)
    pictures = _pictures(show, episodes)
    unused = sorted(before - now - pictures)
    not_removed = frozenset(name for name in unused if not target.remove(name))
    target.write_names(now | (before & pictures) | not_removed)  # those are tried again next time
    return target.where(feed_name(show.feed_url))


def _contents(
    target: ShowFolder, show: Show, episodes: Sequence[Episode], failed: Sequence[FailedArticle]
) -> Iterator[tuple[str, bytes]]:
    """(name, content) of each file, the feed last: nothing that it names may come after it."""
    yield from _reader(episodes)
    for episode in episodes:
        if episode.chapters:
            yield episode.chapters_name, json_chapters(episode)
        yield episode.page_name, episode_page(show, episode, _text(target, show, episode))
    yield INDEX_NAME, show_page(show, episodes, failed)
    yield feed_name(show.feed_url), feed(show, episodes)


def _reader(episodes: Sequence[Episode]) -> Iterator[tuple[str, bytes]]:
    for one in episode_assets() if episodes else ():
        if isinstance(one.content, bytes):
            yield one.name, one.content


def _text(target: ShowFolder, show: Show, episode: Episode) -> RecordedText:
    """The text of an episode's source, or else what its transcript says."""
    if episode.text and (text := loaded(target.read(episode.text))):
        return text
    names = [one.name for one in episode.transcripts if one.media_type == _VTT]
    cues = timed_words(target.read(names[0]).decode(errors="replace")) if names else []
    return cue_text(episode, language_of(show, episode), cues)


def _names_made(show: Show, episodes: Sequence[Episode]) -> Iterator[str]:
    """All files that are the show's, with those of its episodes that were there before."""
    yield from (INDEX_NAME, feed_name(show.feed_url))
    yield from (name for name, _ in _reader(episodes))
    for episode in episodes:
        yield from file_names(episode)
        if episode.image and not web_url(episode.image) and episode.image != show.image:
            yield episode.image


def _names_written(show: Show, episodes: Sequence[Episode]) -> Iterator[str]:
    yield from (INDEX_NAME, feed_name(show.feed_url))
    yield from (name for name, _ in _reader(episodes))
    for episode in episodes:
        yield from filter(None, (episode.page_name, episode.chapters_name))


def _pictures(show: Show, episodes: Sequence[Episode]) -> frozenset[str]:
    of_texts = (name for episode in episodes for name in episode.pictures)
    names = (show.image, *(episode.image for episode in episodes), *of_texts)
    return frozenset(name for name in names if name and not web_url(name))


def _require_files(target: ShowFolder, show: Show, episodes: Sequence[Episode]) -> None:
    """Raise EnclosureMissing for the first file that is not there, or has another length."""
    for episode in episodes:
        audio = episode.enclosure
        n_bytes = target.size(audio.name)
        if n_bytes != audio.n_bytes:
            found = "is missing" if n_bytes is None else f"has {n_bytes} bytes, not {audio.n_bytes}"
            raise EnclosureMissing(
                f"“{line(episode.title)}” cannot be published: its audio {target.where(audio.name)}"
                f" {found}. Make the episode again."
            )
    others = [name for episode in episodes for name in transcript_names(episode)]
    for name in (*others, *sorted(_pictures(show, episodes))):
        if target.size(name) is None:
            raise EnclosureMissing(f"{target.where(name)} is missing, which the podcast names.")


def json_chapters(episode: Episode) -> bytes:
    """The file as UTF-8. Times are in seconds, to the millisecond."""
    chapters = [_chapter(chapter) for chapter in episode.chapters]
    content = {"version": _VERSION, "title": line(episode.title) or UNTITLED, "chapters": chapters}
    return json.dumps(content, ensure_ascii=False, indent=1).encode() + b"\n"


def _chapter(chapter: EpisodeChapter) -> dict[str, float | str]:
    url = web_url(chapter.link)
    said = {"startTime": round(chapter.start_s, 3), "title": line(chapter.title) or UNTITLED}
    return said | ({"url": url} if url else {})
