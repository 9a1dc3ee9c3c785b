"""A test home where Kokoro has the random weights of a smaller model."""

from dataclasses import replace
from pathlib import Path

from support.home import Home
from support.kokoro_reference import folder


def with_kokoro(home: Home, size: str = "reduced") -> Home:
    """`home` with a model of `kokoro_reference`, and its own folder for temporary files."""
    temporary = home.path / "tmp"
    temporary.mkdir()
    program = Path(__file__).with_name("narrow_kokoro.py")
    narrow = replace(home, program=(str(program),), imports=("torch",))
    return (narrow if size == "narrow" else home).with_variables(
        AUDIOMILL_KOKORO__WEIGHTS=folder(size),
        AUDIOMILL_KOKORO__WORKERS=1,
        TMPDIR=temporary,
        # Tests run in parallel processes: several threads each would be slower than one.
        OMP_NUM_THREADS=1,
    )
