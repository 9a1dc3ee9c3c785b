"""axe-core finds nothing in the page and in its dialogs, in each browser and in all colours.

axe-core (MPL-2.0) tells what of a page some people cannot read or work. It comes from npm, and is
kept in `build/`.
"""

import tarfile
import tempfile
from pathlib import Path
from typing import Any

import pytest

from support.browsers import UserTab
from support.fetched_packages import PackageMissing, npm_archive
from support.paths import ROOT
from support.process_data import wait_until
from support.readalong_pages import LIT, TEXT, page_of

PACKAGE = "axe-core@4.14.1"
SHA256 = "e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745"
SCRIPT = "package/axe.min.js"
OF_COLOURS = "{runOnly: ['color-contrast']}"  # all that a theme changes


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


def violations(tab: UserTab, script: str, options: str = "{}") -> list[Any]:
    """What the rules find in a page: of each, its name and the elements."""
    tab.value(f"window.axe ? 1 : (() => {{ {script}\nreturn 1 }})()")
    found = "run.violations.map((one) => [one.id, ...one.nodes.map((node) => node.html)])"
    return tab.value(f"axe.run({options}).then((run) => {found})")


pytestmark = pytest.mark.prove
DIALOGS = "[...document.querySelectorAll('dialog')].map((one) => one.id.replace('-dialog', ''))"


@pytest.fixture(scope="module")
def script() -> str:
    try:
        return axe_script()
    except PackageMissing as error:
        pytest.skip(f"axe-core cannot be had here: {error}")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return page_of(tmp_path_factory.mktemp("book"), TEXT)


@pytest.fixture
def tab(browser, folder) -> UserTab:
    browser.open(f"{folder.as_uri()}/index.html")
    wait_until(lambda: browser.value(LIT))
    return browser


@pytest.mark.parametrize(
    ("theme", "options"), [("light", "{}"), ("sepia", OF_COLOURS), ("dark", OF_COLOURS)]
)
def test_nothing_keeps_anybody_from_the_page_or_a_dialog(tab, script, theme, options):
    tab.value(f"void document.querySelector('[name=theme][value={theme}]').click()")
    found = {"the page": violations(tab, script, options)}
    for name in tab.value(DIALOGS):
        tab.value(f"void document.querySelector('[data-does={name}]').click()")
        assert tab.value("document.querySelector('dialog[open]').id") == f"{name}-dialog"
        found[name] = violations(tab, script, options)
        tab.value("void document.querySelector('dialog[open]').close()")
    assert len(found) > 6
    assert not any(found.values()), found


def test_faults_are_found(tab, script):
    spoil = "play.removeAttribute('title'); play.removeAttribute('aria-label')"
    tab.value(f"(() => {{ const play = document.getElementById('play'); {spoil} }})()")
    tab.value("void (document.querySelector('#book p').style.color = '#999')")
    tab.value("void document.querySelector('[name=theme][value=light]').click()")
    assert [name for name, *_ in violations(tab, script)] == ["button-name", "color-contrast"]
