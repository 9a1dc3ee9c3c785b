"""The voices of a folder or of a release, and the files of their packs.

Knows no torch; `checkpoint.py` reads the packs.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from audiomill.renderers.kokoro.weights import hub
from audiomill.renderers.kokoro.weights.files import Location, packs_in
from audiomill.renderers.kokoro.weights.hub import check_intact, verified_sha256
from audiomill.renderers.kokoro.weights.mixes import Mix
from audiomill.renderers.kokoro.weights.releases import V1_0, Release, voice_file
from audiomill.renderers.kokoro.weights.voice_table import VoiceTable


@dataclass(frozen=True, slots=True)
class PackFile:
    """The file of a voice's pack."""

    path: Path
    sha256: str  # of the whole file, in hexadecimal


class KokoroVoices:
    """The voices in the folder `location`, or those of `release` if it is None.

    A pack of a release is downloaded on first use.
    """

    def __init__(self, location: Location, release: Release = V1_0) -> None:
        """Raises EngineMissing if the folder has no voices."""
        self._release = release
        self._paths = {} if location is None else packs_in(Path(location))
        self._packs: dict[str, PackFile] = {}
        self.table = VoiceTable(release.voices if location is None else self._paths, "kokoro")

    def resolve(self, expression: str) -> Mix:
        """Parse an expression and check its voices. Raises UnknownVoice, with similar names."""
        return self.table.resolve(expression)

    def pack(self, name: str) -> PackFile:
        """The pack file of one voice, downloaded if necessary.

        Raises UnknownVoice, EngineMissing, WeightsUnfit.
        """
        if name not in self.table:
            raise self.table.unknown(name, name)
        if name not in self._packs:
            self._packs[name] = self._locate(name)
        return self._packs[name]

    def fingerprint(self, expression: str) -> str:
        """The language, packs and weights of an expression. Names of voices do not matter.

        Raises UnknownVoice, EngineMissing, WeightsUnfit.
        """
        mix = self.resolve(expression)
        return mix.fingerprint(lambda name: self.pack(name).sha256)

    def _locate(self, name: str) -> PackFile:
        if path := self._paths.get(name):
            published = ""  # a pack in a folder may be unofficial
        else:
            path = hub.fetch(self._release, voice_file(name))
            published = self._release.voices[name]
        sha256 = verified_sha256(path, published)
        check_intact(path)
        return PackFile(path, sha256)
