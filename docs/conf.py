"""How Sphinx builds the site of these documents: `make docs`.

Pages are Markdown. What the reference tells of commands, engines, formats and names in Python is
taken from the code while the site is built: `reference_pages.py`. Nothing is asked of other hosts.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from reference_pages import GENERATED, with_generated  # noqa: E402
from sphinx.application import Sphinx  # noqa: E402

project = "audiomill"
extensions = ["myst_parser"]
exclude_patterns = ["**/_*"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
# The pages have the quotation marks and dashes that they mean.
smartquotes = False
nitpicky = True
highlight_language = "none"

html_theme = "furo"
html_title = "audiomill"
html_favicon = "site/icon.svg"
html_static_path = ["site"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
# A summary would be fetched of each page that is found, which a browser refuses from a disk.
html_show_search_summary = False
html_show_copyright = False
html_use_index = False
pygments_style = "friendly"
pygments_dark_style = "github-dark"


def setup(app: Sphinx) -> None:
    """Have what is generated put into its pages, and built anew each time: the code may differ."""
    app.connect("source-read", with_generated)
    app.connect("env-get-outdated", lambda *_: sorted(GENERATED))
