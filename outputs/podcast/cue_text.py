"""The text of an episode as its transcript has it, with the times of cues.

    cue           1.200  Hello, old     2.100  world.
    paragraph     <p><span id="s0">Hello, old</span> <span id="s1">world.</span></p>

Made of episodes that have no text of their own: those of earlier versions, and those whose text is
not found in their source.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

from audiomill.inputs.markup.parser import Element
from audiomill.outputs.pages.html_tree import element
from audiomill.outputs.podcast.show import Episode, EpisodeChapter
from audiomill.outputs.podcast.timed_words import ROUNDING_S, TimedWords, ends_sentence, paragraphs
from audiomill.outputs.readalong.web.contents import ContentsEntry, contents
from audiomill.outputs.readalong.web.recorded_text import (
    ClipTimes,
    RecordedText,
    recorded_section,
)
from audiomill.outputs.readalong.web.sections import clip_id
from audiomill.outputs.text import UNTITLED, line


def cue_text(episode: Episode, language: str, cues: Sequence[TimedWords]) -> RecordedText:
    """The text of an episode. Without cues it has one clip, which no text belongs to."""
    cues = sorted(cues, key=lambda cue: cue.start_s)
    starts_s = [chapter.start_s for chapter in episode.chapters]
    titles = [line(chapter.title) for chapter in episode.chapters]
    groups = list(paragraphs(cues, starts_s, titles))
    firsts = accumulate(map(len, groups), initial=0)
    elements = [
        _paragraph(group, first, is_title=[one.text for one in group] in [[one] for one in titles])
        for group, first in zip(groups, firsts, strict=False)
    ]
    clips = list(_clips(groups, _ms(episode.duration_s)))
    entries = contents(list(_entries(episode, cues)) if cues else [])
    return RecordedText(language, entries, recorded_section(elements, clips))


def _paragraph(group: Sequence[TimedWords], first: int, *, is_title: bool) -> Element:
    spans = [element("span", {"id": clip_id(first + at)}, one.text) for at, one in enumerate(group)]
    for span in spans[:-1]:
        span.tail = " "
    return element("h2" if is_title else "p", {}, *spans)


def _clips(groups: Sequence[Sequence[TimedWords]], end_ms: int) -> Iterator[ClipTimes]:
    """The clips of cues, from the beginning of the episode to its end."""
    cues = [one for group in groups for one in group]
    if not cues:
        yield 0, 0, end_ms, ()
        return
    edges_ms = [0, *(_ms(one.start_s) for one in cues[1:]), end_ms]
    begins = {id(group[0]) for group in groups}
    for before, (one, edges) in zip(
        (None, *cues), zip(cues, pairwise(edges_ms), strict=True), strict=False
    ):
        start_ms, last_ms = edges[0], max(edges)
        is_continued = before and id(one) not in begins and not ends_sentence(before)
        yield 0, start_ms, last_ms, (), *((1,) if is_continued else ())


def _entries(episode: Episode, cues: Sequence[TimedWords]) -> Iterator[ContentsEntry]:
    """The chapters, each of which leads to the first cue of it."""
    starts_s = [one.start_s + ROUNDING_S for one in cues]
    for chapter in episode.chapters or (EpisodeChapter(0.0, episode.title),):
        first = min(bisect_left(starts_s, chapter.start_s), len(cues) - 1)
        yield ContentsEntry(line(chapter.title) or UNTITLED, 1, clip_id(first))


def _ms(at_s: float) -> int:
    return round(1000 * at_s)
