"""What to do after a run, as its report suggests it. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from audiomill.outputs.report.content import ReportContent

_READ_IF_ASKED = frozenset(
    (
        *("footnote or endnote", "code", "table", "caption", "index"),
        *("bibliography or list of works", "cover, title, copyright or imprint page"),
        "alternative text of a picture",
    )
)


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do, and the part of the page that it is about."""

    text: str
    section: str  # its address on the page; "": none


def advice_for(content: ReportContent) -> Iterator[Advice]:
    """What the person could do next, most urgent first."""
    if n := len(content.suspects):
        yield Advice(f"Listen to {_count(n, 'place')} that may sound wrong.", "suspects")
    if n := len(content.remarks):
        yield Advice(
            f"Give words a pronunciation: {_count(n, 'word')} could not be spoken as written. A"
            " lexicon beside the book corrects them; only their sentences are rendered again.",
            "remarks",
        )
    if n := len(content.warnings):
        yield Advice(f"Read {_count(n, 'warning')}.", "warnings")
    n = sum(len(content.skipped[one]) for one in content.skipped if one in _READ_IF_ASKED)
    if n and ("read", "everything") not in content.settings:
        yield Advice(
            f"{_count(n, 'text')} such as notes, code or imprint {'is' if n == 1 else 'are'} not"
            " spoken. With --read everything, they are.",
            "skipped",
        )
    if n := sum(outdated for _, outdated in content.other_files):
        yield Advice(
            f"{_count(n, 'file')} in the folder {'is' if n == 1 else 'are'} from an earlier text or"
            " other settings: render that format again, or delete what you do not want.",
            "files",
        )


def _count(n: int, word: str) -> str:
    return f"{n:,} {word}{'' if n == 1 else 's'}"
