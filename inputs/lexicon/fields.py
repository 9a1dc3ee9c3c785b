"""One entry of a TOML table or a CSV row: named fields, and what each may hold."""

from __future__ import annotations

from collections.abc import Mapping

from audiomill.inputs.lexicon.entries import LexiconEntry, LexiconError, checked, place, split_said
from audiomill.inputs.suggestions import did_you_mean

FIELDS = ("word", "pattern", "say", "phonemes", "language", "case_sensitive")
_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


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
