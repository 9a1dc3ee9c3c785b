"""Which text of a web page is its article, and who wrote it when, by trafilatura.

Its precision mode has the best F1 of what was measured on 181 pages (docs/design/articles.md). It
finds dates and authors too, in the markup of search engines and in the text.

Pages tell titles and authors in many wrong ways: “Title - Section - Site”, “By Jan Mertens May 20”,
“Follow”. A wrong author is worse than none, because the introduction of an episode says it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import trafilatura
from trafilatura.settings import Document

from audiomill.inputs.articles.alignment import letters_only
from audiomill.inputs.articles.fields import words_of_html
from audiomill.inputs.markup.parser import without_forbidden_references

_HEADING = re.compile(r"<h1\b[^>]*+>(.{1,2000}?)</h1\s*>", re.IGNORECASE | re.DOTALL)
_PARTS = re.compile(r"\s+[-–—|·•»:]+\s+|\s*[|»]\s*")
_MOST_HEADINGS = 5
_SHORTEST_TITLE = 8  # letters

_MOST_NAME_WORDS = 6
_LONGEST_NAME = 300  # characters, with what stands around it
_BEFORE_NAME = re.compile(
    r"(?:(?:(?:written|posted|published|created|words|text|story|article) )?by|author(?: by)?"
    r"|von|par|por|autor)[\s:]+",
    re.IGNORECASE,
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_LAST_MONTH = re.compile(_MONTH, re.IGNORECASE)
_LAST_SIGNS = re.compile(r"[^\w.)]+$|[\W\d_]*\d[\W\d_]*$")
_SMALL_PARTS = """
a al ap at bin da das de degli dei del della den der di do dos du e el en et ibn la las le los
of och og par te ten ter the und van von y zu zum zur
"""
_PARTICLES = frozenset(_SMALL_PARTS.split())
_NO_NAME = re.compile(
    r"\b(?:admin|administrator|anonymous|authors?|comments?|contact|control|cookies?|editor|follow"
    r"|home|login|menu|newsletter|profile|read|share|subscribe|unknown|version|view|www)\b|https?:|@"
    r"|[<>{}\[\]|=]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Extraction:
    """The article of a page. A text that is not known is ""."""

    text: str = ""  # a line for each paragraph
    title: str = ""
    authors: tuple[str, ...] = ()
    site: str = ""
    date: str = ""  # ISO 8601, of the publication
    description: str = ""
    image: str = ""  # its URL


def named_picture(page: str) -> str:
    """The URL of the picture that an HTML page names for previews, as it is written; or ""."""
    found = trafilatura.extract_metadata(without_forbidden_references(page))
    return (found.image if found else "") or ""


def extract(page: str, url: str) -> Extraction:
    """The article of an HTML page; without any text if there is none."""
    page = without_forbidden_references(page)  # which trafilatura takes for no page at all
    found = trafilatura.bare_extraction(
        page, url=url or None, favor_precision=True, include_comments=False, with_metadata=True
    )
    if not isinstance(found, Document):
        return Extraction()
    site, host = found.sitename or found.hostname or "", urlsplit(url).hostname or ""
    return Extraction(
        text=found.text or "",
        title=article_title(found.title or "", site, host, page, found.text or ""),
        authors=author_names((found.author or "").split(";")),
        site=site,
        date=found.date or "",
        description=found.description or "",
        image=found.image or "",
    )


def article_title(declared: str, site: str, host: str, page: str, text: str) -> str:
    """The title of an article, as a page (HTML) declares it, without the site's name.

    A heading of the page that makes up most of the title is the title. What is only the name of
    the site is not; then a heading in the `text` of the article is.
    """
    headings = _headings(page)
    letters = letters_only(declared)
    names = {letters_only(name) for name in (site, host, *host.split("."))} - {""}
    for heading in headings:
        own = letters_only(heading)
        if (
            own not in names
            and len(own) >= max(_SHORTEST_TITLE, len(letters) / 2)
            and letters.startswith(own)
        ):
            return heading
    if letters in names or not letters:
        within = letters_only(text)
        return next((one for one in headings if letters_only(one) in within), declared)
    return _without_site(declared, names)


def author_names(declared: Iterable[str]) -> tuple[str, ...]:
    """The names among what is told to be authors, each once."""
    cleaned = (_name(one) for one in declared)
    return tuple(dict.fromkeys(filter(None, cleaned)))


def _headings(page: str) -> list[str]:
    found: Sequence[str] = _HEADING.findall(page)[:_MOST_HEADINGS]
    return [text for text in map(words_of_html, found) if text]


def _without_site(title: str, names: set[str]) -> str:
    """The title without a last part that is the name of the site."""
    parts = [*_PARTS.finditer(title)]
    for part in parts:
        head, tail = title[: part.start()], title[part.end() :]
        if letters_only(tail) in names and len(letters_only(head)) >= _SHORTEST_TITLE:
            return head
    return title


def _name(declared: str) -> str:
    if len(declared) > _LONGEST_NAME:
        return ""
    before = _BEFORE_NAME.match(declared.strip())
    name = _without_date(declared.strip()[before.end() if before else 0 :])
    words = name.split()
    if not words or len(words) > _MOST_NAME_WORDS or _NO_NAME.search(name):
        return ""
    is_sentence = len(words) > 1 and any(_is_common(word) for word in words)
    return "" if is_sentence else name


def _without_date(name: str) -> str:
    """A name without the date, the number or the sign that a page sets after it."""
    words = _LAST_SIGNS.sub("", name).split()
    # In two words the month is a part of the name: “Theresa May”.
    has_month = len(words) > 2 and _LAST_MONTH.fullmatch(words[-1])
    return " ".join(words[:-1] if has_month else words)


def _is_common(word: str) -> bool:
    """Whether a word is no part of a name: names have capitals, where a script has them."""
    return word[:1].islower() and word.lower() not in _PARTICLES and "'" not in word[:2]
