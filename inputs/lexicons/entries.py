"""The entries of pronunciation lexicons, words and patterns. Knows no file format.

Worcester  ─▶  Wooster          another spelling, which every engine reads
Nguyen     ─▶  /wˈɪn/           phonemes: IPA, or as Kokoro writes them

A TOML table or a CSV row gives an entry as named fields.

A pattern is a regular expression; a large one is refused, and a slow one is stopped. `regex` writes
out each part as often as it has to come: `((a{1000}){1000})` is a million parts, of 280 bytes each.
Deep nesting and recursion end in a RecursionError or without memory. So the size of a pattern is
found before it is compiled. With nested repetition, such as `(a+)+b`, it takes a time that is
exponential in the length of a text; `regex` counts processor time, so that a busy machine stops
none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from audiomill.inputs.languages.codes import language_tag
from audiomill.inputs.messages import did_you_mean
from audiomill.inputs.model.lexicon_entry import LexiconEntry, place

if TYPE_CHECKING:
    import regex

# Longer words could not be placed in a segment: an edit takes half of one at most.
MAX_SAID_CHARS = 160
FIELDS = ("word", "pattern", "say", "phonemes", "language", "case_sensitive")
_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
# For all of a block. An ordinary pattern takes microseconds.
LIMIT_S = 2.0
EXCERPT_CHARS = 40
_GROUP = re.compile(r"\\(?:(\d{1,2})|g<(\w+)>)")
MAX_CHARS = 10_000
MAX_DEPTH = 50  # of groups
MAX_PARTS = 5_000
_COUNT = re.compile(r"\{(\d*)(?:,\d*)?\}")
_RECURSION = re.compile(r"\((?:R|\d+|&|P>)")
_FLAGS = re.compile(r"\(([a-zA-Z0-9]*-?[a-zA-Z0-9]*)[:)]")
_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*+\]", re.DOTALL)
NOTATION = re.compile(r"\[([^\[\]]+)\]\(/([^/()\n]+)/\)")
# It counts only if one of these is in it, which nobody types by chance: [more](/about/) is a link.
PHONETIC_SIGNS = frozenset("ˈˌːəɪʊɛɔɑʌæɹʃʒðθŋɡɾᵊᵻ")
_SOUNDS = ("L", "M", "S", "Z")  # categories of letters, accents, modifiers, spaces


class LexiconError(Exception):
    """A lexicon cannot be used. The message names the file and the line, and says what is wrong."""


def split_said(said: str) -> tuple[str, str]:
    """(another spelling, phonemes) of what an entry says: "/wˈɪn/" is phonemes."""
    said = said.strip()
    is_phonemes = len(said) > 2 and said[0] == said[-1] == "/"
    return ("", said[1:-1].strip()) if is_phonemes else (said, "")


def fault_of(entry: LexiconEntry) -> str:
    """What is wrong with an entry, in a few words; "" if nothing is."""
    if not entry.written.strip():
        return "the word is empty"
    if not entry.say and not entry.phonemes:
        return f"nothing is said for “{entry.written}”; write a spelling, or phonemes like /wˈɪn/"
    if entry.say and entry.phonemes:
        return f"“{entry.written}” has both a spelling and phonemes; leave one out"
    if len(entry.say or entry.phonemes) > MAX_SAID_CHARS:
        return f"what is said for “{entry.written}” is longer than {MAX_SAID_CHARS} characters"
    if entry.say and not any(map(str.isalnum, entry.say)):
        return f"“{entry.say}”, said for “{entry.written}”, has no letter or digit"
    if entry.language and not language_tag(entry.language):
        return f"“{entry.language}” is no language; write one like en, en-GB or de"
    return ""


def checked(entry: LexiconEntry) -> LexiconEntry:
    """The entry. Raises LexiconError if something is wrong with it."""
    if fault := fault_of(entry):
        raise LexiconError(f"{entry.where}: {fault}.")
    return entry


def require_distinct(entries: Iterable[LexiconEntry]) -> None:
    """Raise LexiconError if two entries of a file say something for the same words."""
    lines: dict[tuple[str, str, bool, bool | None], int] = {}
    for entry in entries:
        key = entry.written, entry.language.lower(), entry.is_pattern, entry.case_sensitive
        if key in lines:
            before = f", also in line {lines[key]}" if lines[key] else ""
            raise LexiconError(f"{entry.where}: “{entry.written}” is there twice{before}.")
        lines[key] = entry.line


def entry_of(
    values: Mapping[str, object], file: str, line: int, language: str = ""
) -> LexiconEntry:
    """The entry with these values, of a language if it names none. Raises LexiconError."""
    where = place(file, line)
    for name, value in values.items():
        require_known(name, where)
        if name != "case_sensitive" and not isinstance(value, str):
            raise LexiconError(f"{where}: {name} is {value!r}; write a text in quotation marks.")
    texts = {name: str(value).strip() for name, value in values.items()}
    if bool(texts.get("word")) == bool(texts.get("pattern")):
        raise LexiconError(f"{where}: an entry has a word or a pattern, one of both.")
    say, phonemes = split_said(texts.get("say", ""))
    return checked(
        LexiconEntry(
            written=texts.get("word") or texts["pattern"],
            say=say,
            phonemes=texts.get("phonemes", "").strip("/ ") or phonemes,
            is_pattern=bool(texts.get("pattern")),
            language=texts.get("language") or language,
            case_sensitive=_truth(texts.get("case_sensitive", ""), where),
            file=file,
            line=line,
        )
    )


def require_known(name: str, where: str) -> None:
    """Raise LexiconError unless there is a field of this name."""
    if name not in FIELDS:
        known = ", ".join(FIELDS)
        hint = did_you_mean(name, FIELDS, n=1)
        raise LexiconError(f"{where}: there is no “{name}”; an entry has {known}.{hint}")


def _truth(text: str, where: str) -> bool | None:
    if text and text.lower() not in _TRUTH:
        raise LexiconError(f"{where}: case_sensitive is “{text}”; write true or false.")
    return _TRUTH.get(text.lower())


@lru_cache(maxsize=4096)
def compiled(entry: LexiconEntry) -> regex.Pattern[str]:
    """The pattern of an entry. Raises LexiconError if it is none, or is not fit for a lexicon."""
    import regex  # only lexicons with patterns need it

    try:
        n_parts(entry.written)
    except PatternTooLarge as error:
        raise LexiconError(
            f"{entry.where}: the pattern “{_short(entry.written)}” is too large: {error}. Write"
            " several that are smaller."
        ) from error
    flags = regex.VERSION0 | (regex.IGNORECASE if entry.case_sensitive is False else 0)
    try:
        pattern = regex.compile(entry.written, flags)
    except (regex.error, ValueError, IndexError, OverflowError) as error:
        shown = _short(entry.written)
        raise LexiconError(f"{entry.where}: “{shown}” is no pattern: {error}.") from error
    if _is_found(pattern, "", entry):
        raise LexiconError(f"{entry.where}: “{entry.written}” matches what has no characters.")
    for number, name in _GROUP.findall(entry.say):
        known = name in pattern.groupindex if name else int(number) <= pattern.groups
        if not known:
            raise LexiconError(f"{entry.where}: “{entry.written}” has no group {name or number}.")
    return pattern


def pattern_matches(entry: LexiconEntry, text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, what is said) for each match that has characters. Raises LexiconError."""
    try:
        for match in compiled(entry).finditer(text, timeout=LIMIT_S):
            if match.start() < match.end():
                yield match.start(), match.end(), _expanded(entry.say, match)
    except TimeoutError as error:
        raise _too_slow(entry, text) from error


def _is_found(pattern: regex.Pattern[str], text: str, entry: LexiconEntry) -> bool:
    """Whether the pattern of an entry matches at the start of `text`. Raises LexiconError."""
    try:
        return pattern.match(text, timeout=LIMIT_S) is not None
    except TimeoutError as error:
        raise _too_slow(entry, text) from error


def _too_slow(entry: LexiconEntry, text: str) -> LexiconError:
    return LexiconError(
        f"{entry.where}: “{_short(entry.written)}” takes too long on “{_short(text)}”."
        " Leave out repetition inside repetition."
    )


def _short(text: str) -> str:
    text = " ".join(text[: 4 * EXCERPT_CHARS].split())
    return text if len(text) <= EXCERPT_CHARS else f"{text[:EXCERPT_CHARS]}…"


def _expanded(say: str, match: regex.Match[str]) -> str:
    """`say` with the groups of a match; one that took no part is empty."""

    def group(reference: re.Match[str]) -> str:
        return match[reference[2] or int(reference[1])] or ""

    return _GROUP.sub(group, say)


class PatternTooLarge(ValueError):
    """The pattern would take too much memory. The message says what it has."""


def n_parts(pattern: str) -> int:
    """The parts of a pattern with all repetition written out. Raises PatternTooLarge."""
    if len(pattern) > MAX_CHARS:
        raise PatternTooLarge(f"it has over {MAX_CHARS:,} characters")
    sizes, last = [0], 0  # of each open group so far; of the part before this place
    for part in _parts_of(pattern):
        if part == "(":
            sizes.append(0)
            last = 0
            _require_at_most(len(sizes) - 1, MAX_DEPTH, "groups inside each other")
            continue
        if part == ")" and len(sizes) > 1:
            last = sizes.pop() + 1
            sizes[-1] += last
        elif count := _COUNT.fullmatch(part):
            more = last * (max(1, int(count[1] or 1)) - 1)
            last += more
            sizes[-1] += more
        else:
            last = 1
            sizes[-1] += last
        _require_at_most(sizes[-1], MAX_PARTS, "parts, once its repetition is written out")
    return sum(sizes)


def _require_at_most(number: int, most: int, things: str) -> None:
    if number > most:
        raise PatternTooLarge(f"it has over {most:,} {things}")


def _parts_of(pattern: str) -> Iterator[str]:
    """The signs "(", ")", "{m,n}", and one for each other part.

    Raises PatternTooLarge for recursion, comments and flags.
    A count is limited to six digits, which are too many already.
    """
    at = 0
    while at < len(pattern):
        if pattern[at] == "\\":
            yield "\\"
            at += 2
            continue
        if pattern.startswith("(?", at):
            _check_group(pattern, at)
        found = _COUNT.match(pattern, at) or _CLASS.match(pattern, at)
        part = found[0] if found else pattern[at]
        if _COUNT.fullmatch(part):
            yield part if len(part) < 20 else "{999999}"
        else:
            yield part if part in "()" else "."
        at += len(part)


def _check_group(pattern: str, at: int) -> None:
    """Raise PatternTooLarge for what makes the size of a pattern unknown."""
    after = pattern[at + 2 : at + 22]
    if _RECURSION.match(f"({after}"):
        raise PatternTooLarge("it repeats itself by recursion")
    flags = _FLAGS.match(f"({after}")
    if after.startswith("#") or (flags and set(flags[1]) & set("xV")):
        raise PatternTooLarge("it has comments, or the flag x or V")


def is_pronunciation(phonemes: str) -> bool:
    """Whether the text between the slashes is phonemes, and not the address of a page."""
    return not PHONETIC_SIGNS.isdisjoint(phonemes) and all(
        unicodedata.category(character)[0] in _SOUNDS for character in phonemes
    )
