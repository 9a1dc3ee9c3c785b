"""Packages that tests fetch from the package indexes, by their digest, and do not install."""

import hashlib
import subprocess
from pathlib import Path


class PackageMissing(Exception):
    """A package cannot be had here. The text is one line that says why."""


def npm_archive(name: str, sha256: str, folder: Path) -> Path:
    """The archive of a package ("axe-core@4.14.1") of npm. Raises PackageMissing."""
    output = fetched("npm", "pack", "--silent", "--pack-destination", folder, name)
    archive = folder / output.split()[-1]
    if hashlib.sha256(archive.read_bytes()).hexdigest() != sha256:
        raise PackageMissing(f"{name} has another SHA-256 than {sha256}")
    return archive


def fetched(*command: object) -> str:
    """What a command prints that fetches packages. Raises PackageMissing."""
    try:
        run = subprocess.run(
            [*map(str, command)], capture_output=True, text=True, timeout=1800, check=False
        )
    except FileNotFoundError as error:
        raise PackageMissing(f"{command[0]} is not installed") from error
    if run.returncode:
        lines = (run.stderr or run.stdout).strip().splitlines()
        raise PackageMissing(lines[-1] if lines else f"{command[0]} ended with {run.returncode}")
    return run.stdout
