"""The entries of pronunciation lexicons, and what makes one valid. Knows no file format.

Worcester  ─▶  Wooster          another spelling, which every engine reads
Nguyen     ─▶  /wˈɪn/           phonemes: IPA, or as Kokoro writes them

A TOML table or a CSV row gives an entry as named fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from audiomill.inputs.languages.codes import language_tag
from audiomill.inputs.messages import did_you_mean

# Longer words could not be placed in a segment: an edit takes half of one at most.
MAX_SAID_CHARS = 160
FIELDS = ("word", "pattern", "say", "phonemes", "language", "case_sensitive")
_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class LexiconError(Exception):
    """A lexicon cannot be used. The message names the file and the line, and says what is wrong."""


@dataclass(frozen=True, slots=True)
class LexiconEntry:
    """What is said for a word, a phrase, or what a pattern matches: `say` or `phonemes`."""

    written: str
    say: str = ""  # said as if it were written so; of a pattern with groups: \\1, \\g<name>
    phonemes: str = ""
    is_pattern: bool = False
    language: str = ""  # BCP 47; "": all, and "en" is all kinds of English
    # None: a capital letter must be one in the text, a small letter may be; see `lexicon.py`.
    case_sensitive: bool | None = None
    file: str = ""
    line: int = 0  # from 1; 0 if it is unknown

    @property
    def where(self) -> str:
        """The place of the entry, for people to read: "names.toml:12"."""
        return place(self.file, self.line)


def place(file: str, line: int) -> str:
    """A line of a file, for people to read; the file alone if the line is 0."""
    return f"{file}:{line}" if line else file


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
