"""axe-core finds nothing in the page and in its dialogs, in each browser and in all colours."""

from pathlib import Path

import pytest

from support.axe import axe_script, violations
from support.browsers import UserTab
from support.fetched_packages import PackageMissing
from support.process_data import wait_until
from support.readalong_pages import LIT, TEXT, page_of

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


@pytest.mark.parametrize("theme", ["light", "sepia", "dark"])
def test_nothing_keeps_anybody_from_the_page_or_a_dialog(tab, script, theme):
    tab.value(f"void document.querySelector('[name=theme][value={theme}]').click()")
    found = {"the page": violations(tab, script)}
    for name in tab.value(DIALOGS):
        tab.value(f"void document.querySelector('[data-does={name}]').click()")
        assert tab.value("document.querySelector('dialog[open]').id") == f"{name}-dialog"
        found[name] = violations(tab, script)
        tab.value("void document.querySelector('dialog[open]').close()")
    assert len(found) > 6
    assert not any(found.values()), found


def test_faults_are_found(tab, script):
    spoil = "play.removeAttribute('title'); play.removeAttribute('aria-label')"
    tab.value(f"(() => {{ const play = document.getElementById('play'); {spoil} }})()")
    tab.value("void (document.querySelector('#book p').style.color = '#999')")
    tab.value("void document.querySelector('[name=theme][value=light]').click()")
    assert [name for name, *_ in violations(tab, script)] == ["button-name", "color-contrast"]
