"""Whatever one article holds, the show's other articles are made, and its feed is whole XML."""

import pytest
from lxml import etree

from support.article_data import PARAGRAPHS, article_page
from support.show_data import RSS, run, show_file
from support.web_server import Page

pytestmark = pytest.mark.prove

MARKS = " ".join(
    (
        "\0",
        "\ud800",  # a lone surrogate
        "\ufffe\uffff",  # no characters
        "\x01\x0b\x1b\x7f\x85\x9f",  # controls
        "\u202e\u2066\u200f",  # marks of direction
        "]]> &#0; &#1; &#xD800; &#xFFFE;",
        "{title} [ ] {{",  # fields of templates
        "quay" * 65,  # longer than the name of a file
    )
)
CONTENT = 'xmlns:content="http://purl.org/rss/1.0/modules/content/"'


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def test_marks_that_no_text_has_end_no_run(site, tmp_path):
    """A page, an entry of a feed and a file have them in title, author and text."""
    author, title = f"Jan {MARKS} Mertens", f"Mill {MARKS} end"
    text = f"The m{MARKS}ill stands. {PARAGRAPHS[0]}"
    page = article_page(f"A {title}", (text, *PARAGRAPHS)).replace("Jan Mertens", author)
    site.pages["/page"] = Page(encoded(page))
    item = (
        f"<item><title>B {title}</title><author>{author}</author><link>{site.url}/entry</link>"
        f"<content:encoded><![CDATA[<p>{text}</p>]]></content:encoded></item>"
    )
    site.pages["/entry"] = Page(encoded(page.replace(f"A {title}", f"B {title}")))
    rss = RSS.format(url=site.url, items=item).replace("<rss ", f"<rss {CONTENT} ")
    site.pages["/feed"] = Page(encoded(rss), headers={"Content-Type": "application/rss+xml"})
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "good.md").write_text("# Good\n\nThe tide was high that night.\n")
    (folder / "file.txt").write_bytes(encoded(f"{title}\n\n{text}\n"))
    kinds = {"page": f"{site.url}/page", "feed": f"{site.url}/feed", "folder": "in"}
    sources = "\n".join(f'[[sources]]\n{kind} = "{place}"' for kind, place in kinds.items())
    path = show_file(tmp_path, sources)
    done = run(path)
    assert (done.unmade_articles, done.unread_sources) == ((), ())
    feed = etree.parse(tmp_path / "out" / "feed.xml")
    assert len(feed.findall("channel/item")) == len(done.made) == 4
    assert run(path).made == ()


def test_a_wrong_file_beside_one_article_fails_only_that(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "good.md").write_text("# Good\n\nThe tide was high that night.\n")
    (folder / "bad.md").write_text("# Bad\n\nThe tide was low.\n")
    (folder / "bad.voices.toml").write_text("= 1")
    path = show_file(tmp_path, '[[sources]]\nfolder = "in"', "[episodes]\nattempts = 1\n")
    done = run(path)
    assert (done.made, [one.title for one in done.unmade_articles]) == (("Good",), ["bad"])
    assert [str(one.error) for one in done.errors] == [done.unmade_articles[0].reason]
    (folder / "bad.voices.toml").unlink()
    assert run(path).made == ("Bad",)


HOSTILE_META = {
    "a language that is none": ('lang="en-GB"', 'lang="no! language"'),
    "a date before all": ("2026-03-02T06:00:00+00:00", "0001-01-01T00:00:00+14:00"),
    "a date after all": ("2026-03-02T06:00:00+00:00", "9999-12-31T23:59:59-12:00"),
    "an address that is none": ("mill.jpg", "http://[::1/mill.jpg"),
    "no title": ("The mill 4", " "),
}


def test_what_pages_say_of_themselves_ends_no_run(site, tmp_path):
    sources = ""
    for number, (name, replaced) in enumerate(HOSTILE_META.items()):
        page = article_page(f"The mill {number}", PARAGRAPHS[:2]).replace(*replaced)
        picture = replaced[1] if "address" in name else "mill.jpg"
        page = page.replace("<head>", f'<head><meta property="og:image" content="{picture}">')
        site.pages[f"/mill{number}"] = Page(page.encode())
        sources += f'[[sources]]\npage = "{site.url}/mill{number}"\n'
    done = run(show_file(tmp_path, sources))
    assert (len(done.made), done.unmade_articles) == (len(HOSTILE_META), ())
    feed = etree.parse(tmp_path / "out" / "feed.xml")
    assert len(feed.findall("channel/item")) == len(HOSTILE_META)
