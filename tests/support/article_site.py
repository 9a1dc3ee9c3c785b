"""A site of 50 articles of many kinds, of which 31 can be read, and sources that list them.

    /rss       by what they hold and their language, one of them with its whole text
    /atom      by how they are encoded
    /sitemap   by how the server answers
    /json      what is no article
    letters.mbox, to-read/
    /broken, /latin, /gone, /empty, /bomb      feeds with errors

A second server is away and asks for an hour.
"""

import gzip
import json
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from xml.sax.saxutils import escape

import brotli

from support.letter_data import letter, mbox
from support.web_server import (
    Answer,
    Page,
    Site,
    cut_off,
    dripping_body,
    dripping_headers,
    shorter_than_told,
)

PROSE = (
    "The mill at the end of the quay had not turned for eleven years when the storm came, and"
    " nobody in the town could remember who had last oiled its gears or sewn its sails.",
    "By midnight it was turning so fast that the brake smoked. Three men climbed the stairs with"
    " wet sacks, and only the oldest of them knew which lever was which, or what it was for.",
)


class Clock:
    """A clock that a server can put forward, so that nobody has to wait until time is over."""

    def __init__(self) -> None:
        self._skipped_s = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self._skipped_s

    def skipping(self, answer: Answer) -> Answer:
        """An answer that comes an hour later."""

        def later(request: BaseHTTPRequestHandler) -> None:
            self._skipped_s += 3600
            answer(request)

        return later


LANGUAGES = {
    "de": "Die Mühle am Ende des Kais hatte sich elf Jahre lang nicht gedreht, als der Sturm kam,"
    " und niemand in der Stadt wusste noch, wer zuletzt die Räder geschmiert hatte. Um Mitternacht"
    " drehten sich die Flügel so schnell, dass die Bremse rauchte, und drei Männer stiegen mit"
    " nassen Säcken die Treppe hinauf, von denen nur der älteste die Hebel kannte.",
    "fr": "Le moulin au bout du quai ne tournait plus depuis onze ans quand la tempête arriva, et"
    " personne en ville ne savait qui avait graissé les engrenages la dernière fois. À minuit les"
    " ailes tournaient si vite que le frein fumait, et trois hommes montèrent l’escalier avec des"
    " sacs mouillés, dont seul le plus vieux connaissait les leviers.",
    "ja": "港のはずれにある風車は、嵐が来るまで十一年のあいだ回ったことがなかった。最後に歯車へ"
    "油をさした人が誰だったのか、町の誰も思い出せなかった。真夜中には羽根があまりに速く回り、"
    "ブレーキから煙が上がった。三人の男が濡れた袋を持って階段を上ったが、どのてこが何のため"
    "なのかを知っていたのは、いちばん年上の男だけだった。朝になると、パン屋の戸口には四十袋の"
    "小麦粉と、一晩分の仕事の請求書が置かれていた。",
}
_BODIES = {
    "short": "",
    "long": "".join(
        f"<h2>Part {part}</h2>" + "".join(f"<p>In part {part}: {one}</p>" for one in PROSE)
        for part in range(4)
    ),
    "code": "<p>The gears are described by a short program:</p><pre><code>for gear in gears:\n"
    "    gear.turn()\n</code></pre><p>It has run for eleven years without a fault.</p>",
    "table": "<table><tr><th>Day</th><th>Sacks</th></tr><tr><td>Sunday</td><td>40</td></tr>"
    "<tr><td>Monday</td><td>12</td></tr></table><p>So the baker counted them in the end.</p>",
    "quotes": "<blockquote><p>It was a groan, like a ship that is pushed off a sandbank, and then"
    " the whole house began to shake.</p></blockquote><p>Nobody has asked her since.</p>",
    "lists": "<ul><li>one sack of oats for the horses of the mail</li><li>forty sacks of flour for"
    " the baker at the corner</li></ul><p>That is all that the loft had held.</p>",
    "headings": "<h2>What the keeper heard</h2><h3>At ten</h3><p>She heard nothing at all but the"
    " wind.</p><h3>At twelve</h3><p>She heard the brake, and went for her coat.</p>",
    "pictures": '<figure><img src="a.jpg" alt="The mill at night"><figcaption>The mill on Sunday'
    "</figcaption></figure><p>The picture was taken from the roof of the bakery.</p>",
    "notes": '<p>The brake is of oak.<sup><a href="#fn1">1</a></sup> It was made in the town.</p>'
    '<section><p id="fn1">1. Some say of ash.</p></section>',
    "signs": "<p>“Flour &amp; oats” – the sign says – at 5&nbsp;% off… or 3 × 4 = 12 &lt; 13.</p>",
    "scripts": "<script>document.write('stolen words')</script><p>Only this is to be read.</p>",
}


def document(title: str, body: str, language: str = "en", head: str = "") -> str:
    """A web page around an article."""
    return (
        f'<!DOCTYPE html><html lang="{language}"><head><title>{title}</title>{head}</head><body>'
        f'<nav><a href="/">Home</a></nav><main><article><h1>{title}</h1>{body}</article></main>'
        "<footer><p>All rights reserved.</p></footer></body></html>"
    )


def prose(*more: str) -> str:
    return "".join(f"<p>{one}</p>" for one in (*PROSE, *more))


def article(title: str, more: str = "") -> str:
    return document(title, prose() + more)


def tagged(content: bytes, **headers: str) -> Page:
    """A page that its server can tell to be unchanged."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Page(content, headers={"ETag": f'"{sha256(content).hexdigest()[:8]}"'} | named)


def encoded(title: str) -> dict[str, Answer]:
    """The same article in different encodings, some of them told wrongly."""
    page = article(title)
    accents = document(title, prose("Café, naïve, déjà vu: the town’s words for a wet sack."))
    kana = document(title, f"<p>{LANGUAGES['ja']}</p>", "ja")
    raw = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    deflated = raw.compress(page.encode()) + raw.flush()
    html = "text/html; charset="
    return {
        "gzip": tagged(gzip.compress(page.encode(), mtime=0), Content_Encoding="gzip"),
        "brotli": tagged(brotli.compress(page.encode()), Content_Encoding="br"),
        "deflate": tagged(zlib.compress(page.encode()), Content_Encoding="deflate"),
        "raw-deflate": tagged(deflated, Content_Encoding="deflate"),
        "wrong-charset": tagged(accents.encode(), Content_Type=f"{html}iso-8859-1"),
        "no-charset": tagged(accents.encode("cp1252"), Content_Type="text/html"),
        "unknown-charset": tagged(accents.encode(), Content_Type=f"{html}no-such"),
        "utf-16": tagged(accents.encode("utf-16"), Content_Type=f"{html}utf-8"),
        "shift-jis": tagged(kana.encode("shift_jis"), Content_Type=f"{html}shift_jis"),
        "no-type": tagged(page.encode(), Content_Type=""),
    }


def answered(site: Site, clock: Clock) -> dict[str, Answer]:
    """Articles by how their server answers; those that end well first."""
    for number in range(3):
        site.pages[f"/hop-{number}"] = redirect(f"/hop-{number + 1}")
    site.pages["/hop-3"] = tagged(article("chain").encode())
    return {
        "moved": redirect(f"{site.url}/elsewhere"),
        "chain": redirect("/hop-0"),
        "slow": in_pieces(article("slow").encode()),
        "chunked": chunked(article("chunked").encode()),
        "dynamic": changing(article("dynamic")),
        "second-attempt": then(Page(b"", 503), tagged(article("second-attempt").encode())),
        "cut": cut_off,
        "loop": redirect("/loop"),
        "short-body": shorter_than_told,
        "to-file": redirect("file:///etc/passwd"),
        "stalled": clock.skipping(dripping_headers),
        "to-metadata": redirect("http://169.254.169.254/latest/meta-data/"),
        "never-ends": clock.skipping(dripping_body),
        "to-front": redirect("/"),
        "damaged": Page(b"\x1f\x8b no gzip", headers={"Content-Encoding": "gzip"}),
        "missing": Page(b"", 404),
        "gone-for-good": Page(b"", 410),
        "for-members": Page(b"", 403),
        "pdf": Page(b"%PDF-1.7", headers={"Content-Type": "application/pdf"}),
        "forbidden": tagged(article("forbidden").encode()),
    }


NO_ARTICLES = {
    "paywall": document(
        "paywall",
        f"<p>{PROSE[0]}</p><p>Subscribe now to continue reading. Already a subscriber? Log in.</p>",
        head='<script type="application/ld+json">{"isAccessibleForFree": false}</script>',
    ),
    "cookie-wall": document(
        "cookie-wall",
        "<p>We and our partners store cookies on your device. Some of these cookies are needed. By"
        " consent you allow personalised ads and tracking. Our privacy policy tells more.</p>",
    ),
    "script-only": '<!DOCTYPE html><html><head><title>x</title></head><body><div id="root"></div>'
    "<script>render()</script><noscript>Please enable JavaScript.</noscript></body></html>",
    "only-links": document("only-links", '<ul><li><a href="/a">One</a></li></ul>'),
    "nothing": "",
    "picture": document("picture", '<img src="a.jpg" alt="A mill">'),
}
# Why each of them fails.
FAILURES = {
    "loop": "more than 5 redirects",
    "to-file": "only http and https are fetched",
    "to-metadata": "not of the public internet",
    "to-front": "which is no article",
    "cut": "cannot be reached",
    "short-body": "cannot be reached",
    "stalled": "not done after",
    "never-ends": "not done after",
    "damaged": "damaged",
    "missing": "404",
    "gone-for-good": "410",
    "for-members": "403",
    "pdf": "application/pdf",
    "forbidden": "robots.txt",
    "paywall": "only the beginning is free",
    "cookie-wall": "consent to cookies",
    "script-only": "runs its programs",
    "only-links": "no article was found",
    "nothing": "",
    "picture": "no article was found",
    "away": "robots.txt cannot be read now",
}
TEMPORARY = frozenset(("cut", "short-body", "stalled", "never-ends", "away"))


@dataclass(frozen=True)
class ArticleSite:
    """The site, the sources of its show, and the titles that can be read."""

    site: Site
    sources: str
    readable: frozenset[str]

    def add(self, title: str) -> None:
        """Publish a further article in the feed of kinds."""
        self.site.pages[f"/{title}"] = tagged(article(title).encode())
        listed = [*_BODIES, *LANGUAGES, title]
        self.site.pages["/rss"] = _rss(self.site, listed)

    def change(self, title: str, sentence: str) -> None:
        """Add a sentence to an article."""
        page = article(title, f"{_BODIES[title]}<p>{sentence}</p>")
        self.site.pages[f"/{title}"] = tagged(page.encode())


def build(site: Site, away: Site, folder: Path, clock: Clock) -> ArticleSite:
    """Fill two servers and a folder."""
    by_encoding, by_answer = (
        {name: encoded(name)[name] for name in encoded("")},
        answered(site, clock),
    )
    kinds = {name: tagged(article(name, body).encode()) for name, body in _BODIES.items()}
    kinds |= {
        name: tagged(document(name, f"<p>{text}</p>", name).encode())
        for name, text in LANGUAGES.items()
    }
    pages = kinds | by_encoding | by_answer
    pages |= {name: tagged(text.encode()) for name, text in NO_ARTICLES.items()}
    site.pages |= {f"/{name}": answer for name, answer in pages.items()}
    site.pages["/elsewhere"] = tagged(article("moved").encode())
    site.pages["/"] = tagged(document("The Quay Times", prose()).encode())
    site.pages["/robots.txt"] = Page(b"User-agent: *\nDisallow: /forbidden\n")
    site.pages["/rss"] = _rss(site, kinds)
    site.pages["/atom"] = _atom(site, by_encoding)
    site.pages["/sitemap"] = _sitemap(site, by_answer)
    site.pages["/json"] = _json(site, NO_ARTICLES)
    site.pages |= _faulty_feeds(site)
    away.pages["/robots.txt"] = Page(b"", 503, {"Retry-After": "3600"})
    letters = [letter(number, text="\n\n".join(PROSE)).as_bytes() for number in (1, 2)]
    (folder / "letters.mbox").write_bytes(mbox(*letters))
    (folder / "to-read").mkdir()
    (folder / "to-read" / "note.md").write_text(f"# note\n\n{PROSE[0]}")
    (folder / "to-read" / "saved.html").write_text(article("saved"))
    ours = {"note", "saved", "whole", "in-latin", "before-the-fault"}
    letter_titles = {f"The mill, №{number}: “a storm”" for number in (1, 2)}
    found = {*pages, *ours, *letter_titles} - FAILURES.keys()
    return ArticleSite(site, _sources(site, away), frozenset(found))


def _sources(site: Site, away: Site) -> str:
    feeds = ("rss", "atom", "json", "broken", "latin", "gone", "empty", "bomb")
    lines = [f'feed = "{site.url}/{name}"' for name in feeds]
    lines += [f'sitemap = "{site.url}/sitemap"', f'page = "{away.url}/away"']
    lines += ['mailbox = "letters.mbox"', 'folder = "to-read"']
    return "".join(f"[[sources]]\n{line}\nnewest = 50\n" for line in lines)


def _feed(text: str, charset: str = "utf-8") -> Page:
    return tagged(text.encode(charset), Content_Type="application/xml")


_CONTENT = 'xmlns:content="http://purl.org/rss/1.0/modules/content/"'
_START = f'<rss version="2.0" {_CONTENT}><channel><title>The Quay Times</title>'
_END = "</channel></rss>"


def _rss(site: Site, titles: Mapping[str, object] | list[str]) -> Page:
    whole = escape(prose() + prose())
    items = [_item(site, title) for title in titles]
    items.append(_item(site, "whole", f"<content:encoded>{whole}</content:encoded>"))
    return _feed(f"{_START}{''.join(items)}{_END}")


def _item(site: Site, title: str, more: str = "") -> str:
    link = f"{site.url}/{title}?utm_source=rss&amp;utm_medium=feed"
    return f"<item><title>{title}</title><link>{link}</link>{more}</item>"


def _atom(site: Site, titles: Mapping[str, object]) -> Page:
    entries = "".join(
        f'<entry><id>{site.url}/{title}</id><title>{title}</title><link href="{title}"/></entry>'
        for title in titles
    )
    return _feed(f'<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title>{entries}</feed>')


def _sitemap(site: Site, titles: Mapping[str, object]) -> Page:
    urls = "".join(f"<url><loc>{site.url}/{title}</loc></url>" for title in titles)
    return _feed(f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>')


def _json(site: Site, titles: Mapping[str, object]) -> Page:
    items = [{"id": title, "url": f"{site.url}/{title}", "title": title} for title in titles]
    feed = {"version": "https://jsonfeed.org/version/1.1", "title": "x", "items": items}
    return tagged(json.dumps(feed).encode(), Content_Type="application/json")


def _faulty_feeds(site: Site) -> dict[str, Answer]:
    """Feeds of which something can be read, and others."""
    site.pages["/before-the-fault"] = tagged(article("before-the-fault").encode())
    site.pages["/in-latin"] = tagged(article("in-latin").encode())
    lol = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 9))
    bomb = f'<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY l0 "ha">{lol}]>{_START}<item>'
    return {
        "/broken": _feed(f"{_START}{_item(site, 'before-the-fault')}<item><title>R & <b></item>"),
        "/latin": _feed(f"{_START}<description>Müller</description>{_item(site, 'in-latin')}{_END}",
                        "iso-8859-1"),
        "/empty": Page(b""),
        "/bomb": _feed(f"{bomb}<title>&l8;</title></item>{_END}"),
    }  # fmt: skip


def redirect(target: str) -> Page:
    return Page(status=302, headers={"Location": target})


def then(first: Page, later: Page) -> Answer:
    """An answer to the first request, and another to all that follow."""
    n_asked = 0

    def answer(request: BaseHTTPRequestHandler) -> None:
        nonlocal n_asked
        n_asked += 1
        (first if n_asked == 1 else later)(request)

    return answer


def changing(page: str) -> Answer:
    """A page that has another mark in each answer, as for a form, and the same text."""
    n_asked = 0

    def answer(request: BaseHTTPRequestHandler) -> None:
        nonlocal n_asked
        n_asked += 1
        Page(page.replace("</head>", f'<meta name="mark" content="{n_asked}"></head>').encode())(
            request
        )

    return answer


def in_pieces(content: bytes) -> Answer:
    """A page whose bytes come a few at a time."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Type", "text/html")
        request.send_header("Content-Length", str(len(content)))
        request.end_headers()
        for start in range(0, len(content), 99):
            request.wfile.write(content[start : start + 99])
            request.wfile.flush()

    return answer


def chunked(content: bytes) -> Answer:
    """A page without a length (RFC 9112, 7.1)."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Type", "text/html")
        request.send_header("Transfer-Encoding", "chunked")
        request.end_headers()
        for start in range(0, len(content), 99):
            piece = content[start : start + 99]
            request.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
        request.wfile.write(b"0\r\n\r\n")

    return answer
