"""Whisper's words of audio files, and where they differ from what should have been said."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from pathlib import Path

from rapidfuzz.distance import Levenshtein

from audiomill.renderers.speech.transcript_comparison import words_of

HERE = Path(__file__).parent
N_AROUND = 4  # words that are shown before and after a difference


@dataclass(frozen=True)
class HeardWord:
    word: str  # as words_of gives it
    start_s: float


@dataclass(frozen=True)
class Difference:
    """A stretch of words that was heard as other words."""

    expected: str
    heard: str
    at_s: float
    around: str  # what should have been said, with `expected` in brackets

    @property
    def n_words(self) -> int:
        """The errors that it counts as: substituted, missing and added words."""
        return max(len(self.expected.split()), len(self.heard.split()))


@dataclass(frozen=True)
class Listener:
    """Whisper, in an environment of its own, and what it has heard before."""

    python: Path
    whisper: Path
    transcripts: Path

    def words(self, audio: Path, language: str) -> list[HeardWord]:
        """The words of a file, in order. A file with the same bytes is heard once."""
        kept = self.transcripts / f"{sha256(audio.read_bytes()).hexdigest()[:16]}.json"
        if not kept.exists():
            unfinished = kept.with_suffix(".part")
            unfinished.write_text(self._transcript(audio, language))
            unfinished.rename(kept)
        # Alone on a line, “I” would be the numeral of a heading.
        return [
            HeardWord(one, start_s)
            for word, start_s, _ in json.loads(kept.read_text())
            for one in words_of(f"{word},", language)
        ]

    def _transcript(self, audio: Path, language: str) -> str:
        run = subprocess.run(
            [self.python, HERE / "listener.py", self.whisper, audio, language],
            capture_output=True,
            text=True,
            check=True,
        )
        return run.stdout


def listener_in(out: Path, whisper: Path) -> Listener:
    """A listener whose environment is made if it is not there."""
    folder, transcripts = out / "listener", out / "transcripts"
    transcripts.mkdir(exist_ok=True)
    python = folder / "bin" / "python"
    packages, complete = HERE / "listener.txt", folder / "complete.txt"
    if not complete.exists() or complete.read_text() != packages.read_text():
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        pip = (python, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes")
        subprocess.run([*pip, "--requirement", packages], check=True)
        shutil.copyfile(packages, complete)
    return Listener(python, whisper, transcripts)


def differences(expected: Sequence[str], heard: Sequence[HeardWord]) -> Iterator[Difference]:
    """Where the words differ, by the fewest edits. One word or two is no difference to hear."""
    words = [one.word for one in heard]
    edits = Levenshtein.opcodes(expected, words)
    for is_equal, group in groupby(edits, lambda edit: edit.tag == "equal"):
        adjacent = [*group]
        first, last = adjacent[0], adjacent[-1]
        start, end = first.src_start, last.src_end
        said, got = expected[start:end], words[first.dest_start : last.dest_end]
        if is_equal or "".join(said) == "".join(got):
            continue
        at = heard[min(first.dest_start, len(heard) - 1)].start_s if heard else 0.0
        before, after = expected[max(0, start - N_AROUND) : start], expected[end : end + N_AROUND]
        around = " ".join([*before, f"[{' '.join(said)}]", *after])
        yield Difference(" ".join(said), " ".join(got), at, around)
