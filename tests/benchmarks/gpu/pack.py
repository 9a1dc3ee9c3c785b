"""Packs what a render needs besides PyTorch, for a machine without a package index.

    .venv/bin/python -m benchmarks.gpu.pack FOLDER [--python 3.12]

Writes FOLDER/packages.tar.xz, of some 50 MB: the packages of this environment that audiomill with
its extra `kokoro` requires, in the same versions, as wheels for x86-64 Linux. Left out are those
that a machine with a card has (PyTorch, NumPy, transformers), those of Prefect, which
`render --no-prefect` does not load, and the files that are read by nothing here.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path, PurePath

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ON_THE_MACHINE = {"torch", "triton", "numpy", "setuptools", "huggingface-hub", "transformers"}
NOT_LOADED = {
    *("prefect", "fastapi", "sqlalchemy", "starlette", "uvicorn", "prometheus-client", "tzlocal"),
    *("trafilatura", "feedparser", "protego", "httpx", "httpcore"),  # articles
    "docopt",  # the command of num2words
}
# An older release, half as large. Both are in the range of pyproject.toml.
OTHER_VERSIONS = {"imageio-ffmpeg": "0.6.0"}
PLATFORMS = (
    *(f"manylinux_2_{minor}_x86_64" for minor in (28, 27, 24, 17, 12, 5)),
    *("manylinux2014_x86_64", "manylinux2010_x86_64", "manylinux1_x86_64"),
)
SOURCES = {".pyx", ".pxd", ".c", ".cc", ".cpp", ".h", ".hh", ".pyi"}
ENGLISH_ONLY = {  # of these folders the names that begin so
    "spacy/lang/": ("en", "xx", "_", "punctuation", "char_classes", "lex_attrs", "norm", "token"),
    "babel/locale-data/": ("en", "root"),
    "misaki/data/": ("us", "gb", "__init__"),
    "espeakng_loader/espeak-ng-data/": ("en", "intonations", "lang/", "phon", "voices/"),
}


def main() -> None:
    """Download, unpack, choose files, pack."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--python", default="3.12", help="of the machine (default: 3.12)")
    said = parser.parse_args()
    said.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        wheels, site = Path(temporary) / "wheels", Path(temporary) / "site"
        _download([*_requirements()], said.python, wheels)
        for wheel in wheels.glob("*.whl"):
            with zipfile.ZipFile(wheel) as packed:
                packed.extractall(site)  # noqa: S202 - of the index that this environment is from
        _pack(site, said.folder / "packages.tar.xz")


def _requirements() -> Iterator[str]:
    """Name and version of each package."""
    for name in sorted(_closure("audiomill", ("kokoro",), set())):
        yield f"{name}=={OTHER_VERSIONS.get(name) or distribution(name).version}"


def _closure(name: str, extras: tuple[str, ...], seen: set[str]) -> set[str]:
    """What a package requires, and what that requires, as far as it is needed and here."""
    for line in distribution(name).requires or ():
        one = Requirement(line)
        if one.marker and not any(one.marker.evaluate({"extra": e}) for e in (extras or ("",))):
            continue
        required = canonicalize_name(one.name)
        if required in seen | ON_THE_MACHINE | NOT_LOADED or not _is_here(required):
            continue
        seen.add(required)
        _closure(required, tuple(one.extras), seen)
    return seen - {"audiomill"}


def _is_here(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def _download(requirements: list[str], python: str, wheels: Path) -> None:
    """Wheels for the machine. Nothing of a package is run."""
    platforms = [argument for name in PLATFORMS for argument in ("--platform", name)]
    foreign = ["--only-binary=:all:", "--python-version", python, "--implementation", "cp"]
    pip = [sys.executable, "-m", "pip", "-q", "download", "--no-deps"]
    subprocess.run([*pip, *foreign, *platforms, "-d", str(wheels), *requirements], check=True)


def _pack(site: Path, path: Path) -> None:
    if strip := shutil.which("strip"):  # symbols are half of some
        for library in site.rglob("*.so*"):
            subprocess.run([strip, "--strip-unneeded", library], check=False)
    # Extreme presets take ten times as long, for 3 % less.
    pending = path.with_suffix(".pending")  # so that a broken run leaves no half archive
    with tarfile.open(pending, "w:xz", preset=6) as packed:
        for file in sorted(one for one in site.rglob("*") if one.is_file()):
            name = file.relative_to(site)
            if _is_read(name):
                packed.add(file, str(name), filter=_executable)
    pending.replace(path)


def _is_read(name: PurePath) -> bool:
    """False for tests, sources of compiled modules, and languages other than English."""
    if name.suffix in SOURCES or {"tests", "test"}.intersection(name.parts[:-1]):
        return False
    kept = (
        str(name).removeprefix(folder).startswith(names)
        for folder, names in ENGLISH_ONLY.items()
        if str(name).startswith(folder)
    )
    return next(kept, True)


def _executable(file: tarfile.TarInfo) -> tarfile.TarInfo:
    """Programs in wheels lose their mode where `zipfile` unpacks them."""
    file.mode = 0o755
    return file


if __name__ == "__main__":
    main()
