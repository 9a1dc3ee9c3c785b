"""Pages of HTML that are made, as a parser reads them."""

from lxml import html


def tree_of(page: bytes) -> html.HtmlElement:
    assert page.startswith(b"<!DOCTYPE html>\n")
    return html.document_fromstring(page.decode("utf-8"))


def found(tree: html.HtmlElement, path: str) -> list[str]:
    """What is at an XPath: attributes, or the text of each element on one line."""
    texts = (one if isinstance(one, str) else " ".join(one.itertext()) for one in tree.xpath(path))
    return [" ".join(text.split()) for text in texts]


def policy_of(tree: html.HtmlElement) -> dict[str, str]:
    """The rules of what may run, by their names."""
    (policy,) = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    return dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
