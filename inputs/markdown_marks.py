"""Reads what people write in Markdown for web pages: admonitions, and the marks of projects.

    > [!NOTE]          the word "Note", then the text
    !!! warning "Hot"  the title, then the text; also ??? and :::
    (#123, 1a2b3c4)    issues and commits in a list of changes: listed, not read
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.admon.index import admonition
from mdit_py_plugins.container import container_plugin

from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.semantics import short_text

REFERENCE_ROLE = "doc-change-reference"  # our own: for `skips.py`
ALERTS = ("note", "tip", "important", "warning", "caution")
_ALERT = re.compile(rf"\[!({'|'.join(ALERTS)})\]([-+]?)[ \t]*(.*)", re.IGNORECASE)
# A commit has a digit and a letter, so that no number and no word is taken for one.
_COMMIT = r"(?=[0-9a-f]{0,39}\d)(?=[0-9a-f]{0,39}[a-f])[0-9a-f]{7,40}"
_MARK = rf"(?:[\w.-]+/[\w.-]+)?#\d{{1,7}}|GH-\d{{1,7}}|{_COMMIT}"
_IS_MARK = re.compile(_MARK)
