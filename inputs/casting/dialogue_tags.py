"""Dialogue tags: who says a quotation, and what the narrator says inside of speech.

    “Go,” said Emma.        a verb and a name after it
    “Go,” Emma said.        a name and a verb after it
    Emma said, “Go.”        a name and a verb before it, at the start of a sentence
    —Ven —dijo Emma—.       a tag inside speech, which only dashes or commas set off

A wrong name is worse than none. So names beside other names, possessives and pronouns give none,
and nothing is guessed from who spoke before. Where no verb of saying decides what the narrator
says, all is speech.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from audiomill.inputs.languages.declaration import DialogueConventions

NEAR = 80  # characters beside a quotation in which a name and a verb are looked for
CLITICS = (
    r"(?:(?:lui|leur|nous|vous|lhes?|gli|[lms]e|les|te|[smtc]i|la|el[ea])\s|(?:me|se|[ms][’'])\s?)?"
)
_ADVERB = r"(?:\s(?:had|then|only|just|\w+ly))?"
# A title or an initial at the end of a text; its full stop ends no sentence.
SHORT_FORM = re.compile(r"\b(?:Mrs?|Ms|Dra?|Sra?|St|Mme|Mlle|Sig|Dott|[A-Z])\.\Z")
_SPACES = re.compile(r"\s+")
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


@dataclass(frozen=True, slots=True)
class TagPatterns:
    """The patterns of one language for the words beside a quotation."""

    verb_name: re.Pattern[str]  # after it: said Emma
    name_verb: re.Pattern[str] | None  # after it: Emma said
    before: re.Pattern[str]  # before it: Emma said,
    any_tag: re.Pattern[str]  # after it: a verb of saying, whoever it belongs to
    verb_before: re.Pattern[str]  # before it: a verb of saying
    no_names: frozenset[str]


@lru_cache(maxsize=16)
def patterns_of(conventions: DialogueConventions) -> TagPatterns:
    """Return the patterns for the conventions of a language."""
    name, verb = conventions.name, conventions.verb
    lead = r"\s*,?\s*(?:[—–―]\s*)?"
    # Neither a possessive, nor the first of two names, nor a part of a word.
    alone = rf"(?![’'\w-]|\s+{conventions.conjunction}\s+(?:{name}))"
    first = "|".join(sorted(conventions.name_first_verbs, key=len, reverse=True))
    opener = (
        rf"(?:(?:{conventions.openers})\s(?:{verb})\s(?P<inverted>{name}))"
        if (conventions.openers)
        else r"(?!)(?P<inverted>)"
    )
    tail = r"(?:\s\w+ly|\s(?:to|zu|à|a)\s(?:him|her|them|me|us|ihm|ihr|ihnen|mir))?"
    return TagPatterns(
        verb_name=re.compile(rf"{lead}{CLITICS}(?:{verb})\s(?P<name>{name}|I\b){alone}"),
        name_verb=re.compile(rf"{lead}(?P<name>{name}|I\b){_ADVERB}\s(?:{first})\b(?![’'-])"),
        before=re.compile(
            rf"(?:^|[.!?…][”’»“\")]*\s)(?:(?P<name>{name}|I){_ADVERB}\s{CLITICS}(?:{first})|{opener})"
            rf"{tail}\s?[,:]\s*\Z"
        ),
        any_tag=re.compile(rf"{lead}(?:[^\s.!?;]+\s){{0,3}}?{CLITICS}(?:{verb})\b"),
        verb_before=re.compile(rf"\b(?:{verb})(?:\s\w+){{0,2}}[,:]?\s*\Z"),
        no_names=conventions.no_names,
    )


def speaker_after(text: str, end: int, patterns: TagPatterns) -> str:
    """Return the name in the words after a quotation that ends at `end`; "" if there is none."""
    match = patterns.verb_name.match(text, end, end + NEAR)
    if match is None and text[end - 2 : end - 1] not in ".":  # after a full stop, a new sentence
        match = patterns.name_verb.match(text, end, end + NEAR) if patterns.name_verb else None
    return _named(match, patterns)


def speaker_before(text: str, start: int, patterns: TagPatterns) -> str:
    """Return the name in the words before a quotation that begins at `start`; "" for none."""
    near = text[max(0, start - NEAR) : start]
    match = patterns.before.search(near)
    if match is None or (match.start() == 0 and start > NEAR):
        return ""  # or the start of the sentence is not in sight
    if SHORT_FORM.search(near[: match.start() + 1]):
        return ""
    return _named(match, patterns)


def has_tag_after(text: str, end: int, patterns: TagPatterns) -> bool:
    """Return True if a verb of saying follows soon, with a name, a pronoun or other words."""
    return patterns.any_tag.match(text, end, end + NEAR) is not None


def has_verb_before(text: str, start: int, patterns: TagPatterns) -> bool:
    """Return True if a verb of saying is near the end of the words before `start`."""
    return patterns.verb_before.search(text[max(0, start - NEAR) : start]) is not None


def _named(match: re.Match[str] | None, patterns: TagPatterns) -> str:
    if match is None:
        return ""
    groups = match.groupdict()
    name = _SPACES.sub(" ", groups.get("name") or groups.get("inverted") or "")
    return "" if name.split(" ")[0] in patterns.no_names else name


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
