"""Parts of what is printed as speech that the narrator says: “dit-il”, “—dijo Emma—”.

Some languages set them off by commas or dashes only. What is speech and what is not is decided by a
verb of saying; where it cannot be, all is speech.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from audiomill.inputs.casting.speakers import CLITICS
from audiomill.inputs.languages.declaration import DialogueConventions

DASHES = "—–―"
_INNER_DASH = re.compile(rf"\s*[{DASHES}]\s*")
_MARKS = re.compile(r"[.,;:!?…]*\s*")
_SENTENCE_ENDS = tuple(".!?…")
_PRONOUN = r"(?:-t)?-(?:il|elle|ils|elles|on|je|tu|nous|vous)"
# After a comma, words with which the narrator goes on rather than the speaker.
_NARRATION_GOES_ON = re.compile(
    r",\s(?:en|avec|d’une?|d'une?|sans|puis|tout|toute|comme|et|qui|dont|l’air|l'air|le|la|les|l’|l'"
    r"|un|une|sur|à|au|du|dans|après|avant|pour|tandis|presque|très|les)\b",
)


def dash_opens(text: str) -> bool:
    """Return True if a paragraph begins with a dash and a word after it."""
    return text[:1] in DASHES and text[:1] != "" and any(map(str.isalnum, text))


def dash_parts(text: str, conventions: DialogueConventions) -> Iterator[tuple[int, int, bool]]:
    """Yield (start, end, is speech) for the parts of a paragraph that a dash opens."""
    if conventions.has_inner_tags:
        yield from inner_parts(text, 0, len(text), conventions)
        return
    start, is_speech = 0, True
    tag = _tag(conventions)
    for dash in _INNER_DASH.finditer(text, 1):
        at, ahead = dash.start(), dash.end()
        if is_speech and (tag.match(text, ahead) or _is_beat(text, at, ahead)):
            cut = at + len(dash[0]) - len(dash[0].lstrip())
            yield start, cut, True
            start, is_speech = cut, False
        elif not is_speech:
            cut = _MARKS.match(text, ahead)
            end = cut.end() if cut else ahead
            if end < len(text):
                yield start, end, False
                start, is_speech = end, True
    yield start, len(text), is_speech


def inner_parts(
    text: str, start: int, end: int, conventions: DialogueConventions
) -> Iterator[tuple[int, int, bool]]:
    """Yield (start, end, is speech) for speech in which tags stand between commas."""
    at = start
    while found := _inner_tag(conventions).search(text, at, end):
        yield at, found.start("tag"), True
        at = _end_of_tag(text, found.end(), end)
        yield found.start("tag"), at, False
    if at < end:
        yield at, end, True


def _is_beat(text: str, at: int, ahead: int) -> bool:
    """True if the speech before a dash has ended, and a new sentence follows."""
    return text[:at].rstrip().endswith(_SENTENCE_ENDS) and text[ahead : ahead + 1].isupper()


def _end_of_tag(text: str, at: int, end: int) -> int:
    """Where speech goes on after a tag: after the end of its sentence, or after its comma."""
    while found := re.compile(r"[.!?…;:]+\s*|,\s").search(text, at, end):
        if found[0][0] != "," or not _NARRATION_GOES_ON.match(text, found.start()):
            return found.end()
        at = found.end()
    return end


@lru_cache(maxsize=8)
def _tag(conventions: DialogueConventions) -> re.Pattern[str]:
    return re.compile(rf"{CLITICS}(?:{conventions.verb})\b")


@lru_cache(maxsize=8)
def _inner_tag(conventions: DialogueConventions) -> re.Pattern[str]:
    """A comma or the end of a sentence, then a verb with its subject after it."""
    subject = (
        rf"(?:{_PRONOUN}\b|\s(?:{conventions.name})|\s(?:le|la|l’|l'|un|une|son|sa|mon|ma)\s?\w)"
    )
    return re.compile(rf"[,!?…]\s+(?:—\s)?(?P<tag>{CLITICS}(?:{conventions.verb}){subject})")
