"""Who says a quotation, by the words next to it, where they leave no doubt.

    “Go,” said Emma.        a verb and a name after it
    “Go,” Emma said.        a name and a verb after it
    Emma said, “Go.”        a name and a verb before it, at the start of a sentence

A wrong name is worse than none. So names beside other names, possessives and pronouns give none,
and nothing is guessed from who spoke before.
"""

from __future__ import annotations

import re
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
