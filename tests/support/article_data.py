"""A web page with an article, and all that stands around one."""

from pathlib import Path
from string import Template

_PAGE = Template(Path(__file__).with_name("article.html").read_text("utf-8").rstrip("\n"))
PARAGRAPHS = (*Path(__file__).with_name("article.txt").read_text("utf-8").splitlines(),)


def article_page(
    title: str = "The Mill That Turned by Itself",
    paragraphs: tuple[str, ...] = PARAGRAPHS,
    head: str = "",
) -> str:
    """The HTML of a news page: menus, a teaser that repeats a line, an article, a footer."""
    text = "\n".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return _PAGE.substitute(title=title, head=head, text=text)
