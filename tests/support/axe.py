"""axe-core, which tells what of a page some people cannot read or work (MPL-2.0).

It comes from npm, and is kept in `build/`.
"""

import tarfile
import tempfile
from pathlib import Path
from typing import Any

from support.browsers import UserTab
from support.fetched_packages import npm_archive
from support.paths import ROOT

PACKAGE = "axe-core@4.14.1"
SHA256 = "e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745"
SCRIPT = "package/axe.min.js"


def axe_script() -> str:
    """The script, which defines `axe`. Raises PackageMissing."""
    kept = ROOT / "build" / f"{PACKAGE}.js"
    if not kept.exists():
        kept.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
            with tarfile.open(npm_archive(PACKAGE, SHA256, Path(folder))) as archive:
                archive.extract(SCRIPT, folder, filter="data")
            (Path(folder) / SCRIPT).rename(kept)
    return kept.read_text(encoding="utf-8")


def violations(tab: UserTab, script: str) -> list[Any]:
    """What all rules find in a page: of each, its name and the elements."""
    tab.value(f"window.axe ? 1 : (() => {{ {script}\nreturn 1 }})()")
    found = "run.violations.map((one) => [one.id, ...one.nodes.map((node) => node.html)])"
    return tab.value(f"axe.run().then((run) => {found})")
