"""The site of the documents, as `make docs` builds it: whole, its links right, alone on a disk.

Sphinx ends with an error for a link of Markdown that leads nowhere, and for a page that no list
names. What it does not look at is looked at in the built pages.
"""

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import lxml.html
import pytest

from support.paths import ROOT
from support.process_data import TIMEOUT_S

pytestmark = pytest.mark.prove  # test_docs.py looks at links and lists before they are built
ASKING = "//link[not(@rel='canonical')]/@href | //*/@src | //*/@poster | //*/@srcset"


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The built site. A warning is an error."""
    built = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q"]
    run = subprocess.run(
        [*words, "-d", str(built / "kept"), str(ROOT / "docs"), str(built / "html")],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
    )
    assert (run.returncode, run.stderr) == (0, "")
    return built / "html"


@pytest.fixture(scope="module")
def pages(site) -> dict[Path, lxml.html.HtmlElement]:
    """Each page of the site, parsed."""
    return {path: lxml.html.parse(path).getroot() for path in sorted(site.rglob("*.html"))}


def test_every_document_is_a_page(site, pages):
    documents = (ROOT / "docs").rglob("*.md")
    named = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in documents}
    assert named <= {path.relative_to(site) for path in pages}


def test_every_link_leads_to_a_file_and_an_anchor(pages):
    anchors = {path: {*page.xpath("//@id"), ""} for path, page in pages.items()}
    lost = []
    for path, page in pages.items():
        for link in page.xpath("//a/@href | //link/@href | //*/@src"):
            parts = urlsplit(link)
            if not parts.scheme:
                target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
                found = target.is_file() and unquote(parts.fragment) in anchors.get(target, {""})
                lost += [] if found else [f"{path.name}: {link}"]
    assert lost == []


def test_a_page_asks_no_other_host(site, pages):
    asked = [link for page in pages.values() for link in page.xpath(ASKING)]
    assert asked
    assert [link for link in asked if urlsplit(link).netloc] == []
    for sheet in site.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*[\"']?(https?:)?//", sheet.read_text("utf-8"))
