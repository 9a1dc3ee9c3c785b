"""Pages of HTML that are made, as a parser reads them."""

from lxml import html


def tree_of(page: bytes) -> html.HtmlElement:
    assert page.startswith(b"<!DOCTYPE html>\n")
    return html.document_fromstring(page.decode("utf-8"))


def found(tree: html.HtmlElement, path: str) -> list[str]:
    """The text at an XPath, on one line."""
    return [" ".join(" ".join(one.itertext()).split()) for one in tree.xpath(path)]


def policy_of(tree: html.HtmlElement) -> dict[str, str]:
    """The rules of what may run, by their names."""
    (policy,) = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    return dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
