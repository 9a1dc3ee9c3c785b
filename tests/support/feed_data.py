"""Feeds of many dialects, as programs write them. Each lists the same two articles first."""

from pathlib import Path

BASE = "https://quay.example/feed.xml"
TITLES = ("The mill & the storm", "Forty sacks of flour")
PAGES = ("https://quay.example/2026/11/mill", "https://quay.example/2026/11/flour")
LONG = " ".join(["The sails went round all night, and nobody knew which lever stopped them."] * 12)


def _feed(name: str) -> str:
    text = (Path(__file__).with_name("feeds") / f"{name}.xml").read_text(encoding="utf-8")
    return text.replace("{long}", LONG)


RSS_20 = _feed("rss-2.0")
RSS_091 = _feed("rss-0.91")
RSS_10 = _feed("rss-1.0")
ATOM = _feed("atom")
ATOM_PREFIXED = _feed("atom-with-a-prefix")
RELATIVE = _feed("relative-links")
BROKEN = _feed("not-well-formed")

WARNED = (
    "<br />\n<b>Warning</b>: cannot open the cache in <b>/srv/feed.php</b> on line <b>7</b><br />\n"
    + RSS_10
)

FEEDS = {
    "RSS 2.0": RSS_20,
    "RSS 0.91 with a DTD": RSS_091,
    "RSS 1.0": RSS_10,
    "Atom": ATOM,
    "Atom with a prefix": ATOM_PREFIXED,
    "relative links": RELATIVE,
    "not well-formed": BROKEN,
    "behind a server's warning": WARNED,
}
