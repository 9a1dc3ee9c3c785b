"""Decides which entries of a listing are wanted. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

import regex

from audiomill.inputs.articles.entries import Entry
from audiomill.inputs.lexicons.entries import PatternTooLarge, n_parts
from audiomill.inputs.markup.semantics import same_language
from audiomill.inputs.model.book import SourceError

LIMIT_S = 1.0  # of processor time, for one pattern and one entry; ordinary ones take microseconds
MAX_AGE_DAYS = 100_000  # older than all that is on the web
_SHOWN_CHARS = 60  # of a pattern, in a message
_WITHOUT_SPACES = re.compile(r"[\u0e00-\u0eff\u1780-\u17ff\u2e80-\ua4cf\uf900-\ufaff\uff66-\uff9d]")


class WrongFilter(SourceError):
    """A pattern of a filter cannot be used. The message says why."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Which entries are wanted. An empty field rules nothing out.

    Patterns are searched in the URL and in the title, words in the title and the summary. Neither
    minds the case. An entry that does not tell its date or language is not ruled out by that.
    """

    include: tuple[str, ...] = ()  # regular expressions, one of which must be found
    exclude: tuple[str, ...] = ()  # regular expressions, none of which may be found
    words: tuple[str, ...] = ()  # one of them must occur, as whole words
    without_words: tuple[str, ...] = ()  # none of them may occur
    max_age_days: float | None = None  # since it was published, or else updated
    languages: tuple[str, ...] = ()  # BCP 47: “en” stands for “en-GB” too


def check_filters(filters: Filters) -> None:
    """Raise WrongFilter for a pattern that is no regular expression, or an age that is none."""
    age = filters.max_age_days
    if age is not None and not 0 <= age <= MAX_AGE_DAYS:
        raise WrongFilter(f"max_age_days is {age:g}; choose 0 to {MAX_AGE_DAYS}.")
    for pattern in (*filters.include, *filters.exclude):
        _compiled(pattern)


def why_left_out(entry: Entry, filters: Filters, now: datetime) -> str:
    """Why an entry is left out; "" if it is wanted. Raises WrongFilter."""
    return (
        _by_age(entry, filters, now)
        or _by_language(entry, filters)
        or _by_patterns(entry, filters)
        or _by_words(entry, filters)
    )


def _by_age(entry: Entry, filters: Filters, now: datetime) -> str:
    date = entry.published or entry.updated
    if filters.max_age_days is None or date is None:
        return ""
    is_old = now - date > timedelta(days=filters.max_age_days)
    return f"older than {filters.max_age_days:g} days ({date:%Y-%m-%d})" if is_old else ""


def _by_language(entry: Entry, filters: Filters) -> str:
    if not entry.language or not filters.languages:
        return ""
    is_known = any(same_language(entry.language, one) for one in filters.languages)
    return "" if is_known else f"in another language ({entry.language})"


def _by_patterns(entry: Entry, filters: Filters) -> str:
    found = next((one for one in filters.exclude if _is_found(one, entry)), None)
    if found is not None:
        return f"excluded by the pattern “{found}”"
    is_included = not filters.include or any(_is_found(one, entry) for one in filters.include)
    return "" if is_included else "none of the patterns that must be found is"


def _by_words(entry: Entry, filters: Filters) -> str:
    text = f"{entry.title}\n{entry.summary}".casefold()
    found = next((word for word in filters.without_words if _occurs(word, text)), None)
    if found is not None:
        return f"it has the word “{found}”"
    has_one = not filters.words or any(_occurs(word, text) for word in filters.words)
    return "" if has_one else "it has none of the words"


def _is_found(pattern: str, entry: Entry) -> bool:
    try:
        return any(
            _compiled(pattern).search(text, timeout=LIMIT_S) for text in (entry.url, entry.title)
        )
    except TimeoutError as error:
        raise WrongFilter(
            f"The pattern “{pattern}” takes too long on {entry.url}."
            " Leave out repetition inside repetition."
        ) from error


def _compiled(pattern: str) -> regex.Pattern[str]:
    shown = pattern if len(pattern) <= _SHOWN_CHARS else f"{pattern[:_SHOWN_CHARS]}…"
    try:
        n_parts(pattern)
        return regex.compile(pattern, regex.VERSION0 | regex.IGNORECASE)  # which keeps the latest
    except PatternTooLarge as error:
        raise WrongFilter(
            f"The pattern “{shown}” is too large: {error}. Write several that are smaller."
        ) from error
    except (regex.error, ValueError, IndexError, OverflowError) as error:
        raise WrongFilter(f"“{shown}” is no regular expression: {error}.") from error


def _occurs(word: str, text: str) -> bool:
    """Whether a word or phrase is in a casefolded text; a whole one, if its script has spaces."""
    parts = word.casefold().split()
    if not parts:
        return False
    pattern = r"\s+".join(map(re.escape, parts))
    if not _WITHOUT_SPACES.search(word):
        pattern = rf"(?<!\w){pattern}(?!\w)"
    return re.search(pattern, text) is not None
