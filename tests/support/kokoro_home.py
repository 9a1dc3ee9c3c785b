"""A home where Kokoro has weights: random ones, and of a smaller model."""

from dataclasses import replace
from pathlib import Path

from support.home import Home
from support.kokoro_reference import folder


def with_kokoro(home: Home, size: str = "reduced") -> Home:
    """`home` with a model of `kokoro_reference`, and a folder of its own for temporary files."""
    temporary = home.path / "tmp"
    temporary.mkdir()
    program = Path(__file__).with_name("narrow_kokoro.py")
    return replace(
        home, program=(str(program),) if size == "narrow" else home.program
    ).with_variables(
        AUDIOMILL_KOKORO__WEIGHTS=folder(size),
        AUDIOMILL_KOKORO__WORKERS=1,
        TMPDIR=temporary,
        # Threads that wait for each other take longer than one does, where tests run side by side.
        OMP_NUM_THREADS=1,
    )
