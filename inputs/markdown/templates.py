"""Marks what page generators replace in Markdown, which is not read aloud.

    {% include figure.html src="mill.jpg" %}    a command of Jekyll, Eleventy or Jinja
    {{< youtube 6DUGFoYhUSs >}}                 a shortcode of Hugo, also {{% … %}}
    ## The mill {#mill .wide}                   an attribute list, also {: width="30%"}

A value such as {{ page.title }} stands for text, and stays, as does all of this in code; as the
address of a link it is one, though it has spaces: [the mill]({{ site.url }}/mill).
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline

# Our own term among the roles, which `markup/skips.py` knows.
_OPEN = '<span role="doc-template">'
_CLOSE = "</span>"
_LONGEST = 2_000  # characters of one command
_VALUE = r"\"[^\"\n{}]{0,200}\"|'[^'\n{}]{0,200}'|[^\s{}\"']{1,200}"
_ATTRIBUTE = rf"(?:[.#][\w:-]{{1,100}}|[\w-]{{1,40}}=(?:{_VALUE}))"
_TEMPLATE = re.compile(
    rf"\{{%(?![}}%]).{{0,{_LONGEST}}}?%\}}"
    rf"|\{{\{{(?P<mark>[<%]).{{0,{_LONGEST}}}?[>%]\}}\}}"
    rf"|\{{:?[ ]?{_ATTRIBUTE}(?:[ ]+{_ATTRIBUTE}){{0,20}}[ ]?\}}",
    re.DOTALL,
)
# The address of a link: values, with what stands around them.
_ADDRESS = re.compile(
    r"\]\((?P<address>[^\s(){}]{0,200}(?:\{\{[^{}()\n]{1,200}\}\}[^\s(){}]{0,200}){1,3})(?=[)\s])"
)


def add_templates(parser: MarkdownIt) -> None:
    """Teach a parser the commands of page generators."""
    parser.inline.ruler.before("link", "template", _template)
    parser.core.ruler.before("inline", "template_address", _join_addresses)


def _join_addresses(state: StateCore) -> None:
    """Take the spaces out of addresses: an address ends at a space."""
    for token in state.tokens:
        if token.type == "inline" and "{{" in token.content:
            token.content = _ADDRESS.sub(
                lambda match: "](" + re.sub(r"\s", "", match["address"]), token.content
            )


def _template(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - markdown-it calls it so
    """Put a command into an element of its own."""
    if state.src[state.pos] != "{":
        return False
    match = _TEMPLATE.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        state.push("html_inline", "", 0).content = _OPEN
        state.push("text", "", 0).content = match[0]
        state.push("html_inline", "", 0).content = _CLOSE
    state.pos = match.end()
    return True
