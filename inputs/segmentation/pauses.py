"""The silence after a sentence or a part of one, by what follows. Knows marks and blocks only."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields, replace

from audiomill.inputs.model.book import BlockKind

# Silence before a chapter's first word, so that no player clips it.
CHAPTER_LEAD_S = 0.5

_CLOSERS = "\"'”’»“›)]}*_ \t\n\u00a0\u202f"
_OPENERS = "\"'“‘„‚«‹»›([{¿¡*_…—–- \t\n\u00a0\u202f"
_MARKS = {
    **dict.fromkeys(",،、，", "comma_s"),
    **dict.fromkeys(";；؛", "semicolon_s"),
    **dict.fromkeys(":：", "colon_s"),
    **dict.fromkeys("—–-", "dash_s"),
    **dict.fromkeys(".!?…。！？", "sentence_s"),
}
# Marks after which a word begins without a space; a hyphen is a part of its word.
_OPEN_MARKS = frozenset(_MARKS) - {"-"}


@dataclass(frozen=True, slots=True)
class Pauses:
    """The silence at each kind of boundary, in seconds: as is set for speed 1, or of `at_speed`."""

    sentence_s: float = 0.4  # also inside a segment, and between two items of a list
    # Inside a sentence that was cut, by the mark before the cut; inside a word there is none.
    word_s: float = 0.08  # without a mark
    comma_s: float = 0.15
    semicolon_s: float = 0.3
    colon_s: float = 0.3
    dash_s: float = 0.25
    line_s: float = 0.3  # after a line of verse or code, or a row of a table
    paragraph_s: float = 0.8
    heading_s: float = 1.2  # to the text; between two headings it is `paragraph_s`
    scene_break_s: float = 2.0
    chapter_s: float = 2.5  # to the first word of the next chapter
    # Pauses inside a chapter differ by up to this share of their length, so that they are not like
    # those of a metronome. 0 makes all pauses of a kind equal.
    variation: float = 0.1

    @classmethod
    def kinds(cls) -> tuple[str, ...]:
        """The names of the fields that are lengths of pauses."""
        return tuple(field.name for field in fields(cls) if field.name.endswith("_s"))

    def at_speed(self, speed: float) -> Pauses:
        """The pauses of a voice that speaks `speed` times as fast."""
        return replace(self, **{name: getattr(self, name) / speed for name in self.kinds()})

    @property
    def chapter_end_s(self) -> float:
        """The silence after a chapter's last segment, without the lead of the next chapter."""
        return max(0.0, self.chapter_s - CHAPTER_LEAD_S)

    def varied_s(self, pause_s: float, spoken: str) -> float:
        """A pause after the text `spoken`, longer or shorter by a share that the text decides.

        So it is the same on every machine and in every run, and an edit elsewhere leaves it.
        """
        number = int.from_bytes(hashlib.blake2b(spoken.encode(), digest_size=4).digest())
        return pause_s * (1 + self.variation * (2 * number / 0xFFFFFFFF - 1))

    def in_sentence_s(self, before: str, after: str, *, is_apart: bool) -> float:
        """The pause between two parts of a sentence, by the mark before it.

        `is_apart` says that a space stands between them. A word in small letters goes on with the
        sentence: after an exclamation mark, too.
        """
        bare = before.rstrip(_CLOSERS)
        if not is_apart and bare == before and before[-1:] not in _OPEN_MARKS:
            return 0.0
        mark = _MARKS.get(bare[-1:], "word_s")
        if mark == "sentence_s" and after.lstrip(_OPENERS)[:1].islower():
            mark = "semicolon_s" if bare == before else "comma_s"
        return getattr(self, mark)

    def block_pause_s(self, kind: BlockKind, following: BlockKind) -> float:
        """The pause between two blocks."""
        if kind is following is BlockKind.LIST_ITEM:
            return self.sentence_s
        if kind is BlockKind.HEADING and following is not BlockKind.HEADING:
            return self.heading_s
        return self.paragraph_s
