"""EPUB 2 becomes EPUB 3: the package, the navigation document, and each document's structure."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.epub.package import load_package
from audiomill.inputs.epub.toc import read_toc
from audiomill.inputs.markup.parser import body_of as body_of_page
from audiomill.inputs.markup.parser import parse_xhtml
from audiomill.inputs.markup.semantics import text_within
from audiomill.inputs.model.book import Limits
from audiomill.outputs.readalong.upgrade.book import upgraded
from audiomill.outputs.readalong.upgrade.documents import serialized, upgraded_tree
from support.case_files import assert_cases
from support.epub_data import Epub, nav, ncx, page, point

OPF = "{http://www.idpf.org/2007/opf}"
DC = "{http://purl.org/dc/elements/1.1/}"
PACKAGE = "OEBPS/book.opf"
CASES = Path(__file__).with_name("cases") / "book.txt"


def upgrade(book: Epub, folder: Path) -> dict[str, bytes]:
    """The entries that change, or are new, of a book."""
    with Archive(book.write(folder), Limits()) as archive:
        return upgraded(archive, PACKAGE, read_toc(archive, load_package(archive)))


def epub2(body: str = "<p>Words.</p>", **changes: object) -> Epub:
    """An EPUB 2 of one chapter."""
    book = Epub(pages={"ch1.xhtml": page(body)}, ncx=ncx(point("One", "ch1.xhtml")))
    for name, value in changes.items():
        setattr(book, name, value)
    book.opf = book.package().replace('version="3.0"', 'version="2.0"')
    return book


def body_of(book: Epub, folder: Path, name: str = "ch1.xhtml") -> str:
    """What is in the body of a document of the upgraded book, without namespaces."""
    text = upgrade(book, folder)[f"OEBPS/{name}"].decode()
    inner = text.partition("<body>")[2].partition("</body>")[0]
    return inner.replace(' xmlns="http://www.w3.org/1999/xhtml"', "")


def items_of(package: bytes) -> list[etree._Element]:
    return [*etree.fromstring(package).iter(f"{OPF}item")]


def texts(package: etree._Element, path: str) -> list[str]:
    return [node.text or "" for node in package.iterfind(f".//{path}")]


def test_metadata_of_epub_2_refines_its_fields(tmp_path):
    metadata = (
        '<dc:identifier id="uid" opf:scheme="ISBN">9780000000002</dc:identifier>'
        "<dc:title>The Mill</dc:title><dc:language>en_GB</dc:language>"
        '<dc:creator opf:role="aut" opf:file-as="Eliot, George">George Eliot</dc:creator>'
        '<dc:date opf:event="publication">1860</dc:date>'
        '<dc:date opf:event="modification">2011-05-03</dc:date><dc:subject/>'
        "<dc:type>Dictionary</dc:type><dc:type>Text</dc:type>"
        '<meta name="cover" content="pic"/>'
    )
    package = etree.fromstring(upgrade(epub2(metadata=metadata), tmp_path)[PACKAGE])
    assert package.get("version") == "3.0"
    assert package.get("unique-identifier") == "uid"
    assert texts(package, f"{DC}language") == ["en-GB"]
    assert texts(package, f"{DC}date") == ["1860"]
    assert texts(package, f"{DC}subject") == []
    assert texts(package, f"{DC}type") == ["Text"]  # the other would promise more than words
    [creator] = package.iterfind(f".//{DC}creator")
    metas = {
        (node.get("refines"), node.get("property")): (node.text, node.get("scheme"))
        for node in package.iterfind(f".//{OPF}meta")
    }
    assert metas[f"#{creator.get('id')}", "role"] == ("aut", "marc:relators")
    assert metas[f"#{creator.get('id')}", "file-as"] == ("Eliot, George", None)
    assert metas["#uid", "identifier-type"] == ("ISBN", None)
    assert metas[None, "dcterms:modified"] == ("2011-05-03T00:00:00Z", None)


def test_what_a_package_must_have_is_added_the_same_each_time(tmp_path):
    first = upgrade(epub2(metadata=""), tmp_path)[PACKAGE]
    package = etree.fromstring(first)
    assert texts(package, f"{DC}title") == ["book"]
    assert texts(package, f"{DC}language") == ["und"]
    [identifier] = package.iterfind(f".//{DC}identifier")
    assert package.get("unique-identifier") == identifier.get("id")
    assert identifier.text is not None
    assert identifier.text.startswith("urn:uuid:")
    assert upgrade(epub2(metadata=""), tmp_path)[PACKAGE] == first


def test_navigation_has_the_lines_and_the_places_of_the_book(tmp_path):
    points = point("Part", "ch1.xhtml", point("One & more", "ch1.xhtml#a"))
    points += point("Nowhere in it", "ch1.xhtml#gone")
    book = epub2(
        '<p id="a">Words.</p>',
        ncx=ncx(points.replace("&", "&amp;")),
        guide='<reference type="text" href="ch1.xhtml"/><reference type="toc" href="gone.html"/>',
    )
    made = upgrade(book, tmp_path)
    root = etree.fromstring(made["OEBPS/nav.xhtml"])
    shown = [
        (link.text, link.get("href"), len(list(link.iterancestors("{*}ol"))))
        for link in root.iterfind(".//{*}nav[@id='toc']//{*}a")
    ]
    assert shown == [
        ("Part", "ch1.xhtml", 1),
        ("One & more", "ch1.xhtml#a", 2),
        ("Nowhere in it", "ch1.xhtml", 1),
    ]
    [mark] = root.iterfind(".//{*}nav[@id='landmarks']//{*}a")
    assert mark.get("{http://www.idpf.org/2007/ops}type") == "bodymatter"
    package = etree.fromstring(made[PACKAGE])
    items = {node.get("href"): node.get("properties") for node in items_of(made[PACKAGE])}
    assert items.pop("readalong.css", "none") is None
    assert items == {"ch1.xhtml": None, "toc.ncx": None, "nav.xhtml": "nav"}
    assert [node.get("href") for node in package.iter(f"{OPF}reference")] == ["ch1.xhtml"]
    assert b'content="' + b"urn:uuid:" in made["OEBPS/toc.ncx"]


def test_navigation_stands_beside_a_document_of_its_name(tmp_path):
    own = page('<p>Contents: <a href="ch1.xhtml">One</a></p>')
    book = epub2(pages={"ch1.xhtml": page("<p>Words.</p>"), "Nav.xhtml": own})
    made = upgrade(book, tmp_path)
    assert b"Contents" in made["OEBPS/Nav.xhtml"]
    assert b'<nav epub:type="toc"' in made["OEBPS/nav-2.xhtml"]


def test_manifest_lists_what_is_there_by_its_kind(tmp_path):
    jpeg = b"\xff\xd8\xff\xe0"
    book = epub2(
        '<p><img src="my%20cover.png"/></p><svg xmlns="http://www.w3.org/2000/svg"/>'
        '<script type="text/javascript">1</script><p><a href="more.html">more</a></p>',
        metadata='<dc:title>T</dc:title><meta name="cover" content="1st"/>',
        manifest='<item id="1st" href="my%20cover.png" media-type="image/jpg"/>'
        '<item id="gone" href="gone.css" media-type="text/css"/>'
        '<item id="more" href="more.html" media-type="text/html"/>',
        files={"OEBPS/my cover.png": jpeg, "OEBPS/more.html": page("<p>More.</p>")},
    )
    package = etree.fromstring(upgrade(book, tmp_path)[PACKAGE])
    items = {
        node.get("href"): (node.get("media-type"), node.get("properties"))
        for node in package.iter(f"{OPF}item")
    }
    assert items["my%20cover.png"] == ("image/jpeg", "cover-image")
    assert items["more.html"] == ("application/xhtml+xml", None)
    assert items["ch1.xhtml"] == ("application/xhtml+xml", "scripted svg")
    assert "gone.css" not in items
    assert [node.get("linear") for node in package.iter(f"{OPF}itemref")] == [None, "no"]


def test_container_leads_to_the_package_of_a_book_without_one(tmp_path):
    made = upgrade(epub2(missing=frozenset({"META-INF/container.xml"})), tmp_path)
    [file] = etree.fromstring(made["META-INF/container.xml"]).iterfind(".//{*}rootfile")
    assert file.get("full-path") == PACKAGE
    assert file.get("media-type") == "application/oebps-package+xml"
    assert "META-INF/container.xml" not in upgrade(epub2(), tmp_path)


def test_container_names_the_package_by_its_url(tmp_path):
    book = epub2(opf_path="OEBPS/50% \N{LATIN SMALL LETTER E WITH ACUTE}.opf")
    with Archive(book.write(tmp_path), Limits()) as archive:
        made = upgraded(archive, book.opf_path, read_toc(archive, load_package(archive)))
    [file] = etree.fromstring(made["META-INF/container.xml"]).iterfind(".//{*}rootfile")
    assert file.get("full-path") == "OEBPS/50%25%20%C3%A9.opf"


def test_book_of_no_reading_order_has_one(tmp_path):
    made = upgrade(epub2(spine=""), tmp_path)
    package = etree.fromstring(made[PACKAGE])
    assert [node.get("idref") for node in package.iter(f"{OPF}itemref")] == ["p0"]


def test_only_broken_documents_of_epub_3_change(tmp_path):
    broken = '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>A<br>B&nbsp;C</body></html>'
    book = Epub(
        pages={"ch1.xhtml": page("<p>Words.</p>"), "ch2.xhtml": broken},
        nav=nav('<li><a href="ch1.xhtml">One</a></li>'),
    )
    made = upgrade(book, tmp_path)
    assert list(made) == ["OEBPS/ch2.xhtml"]
    assert "<p>A<br/>B\xa0C</p>" in made["OEBPS/ch2.xhtml"].decode()


def test_the_package_of_epub_3_tells_what_a_mended_document_holds(tmp_path):
    broken = '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>A<svg><g></svg><form>'
    made = upgrade(Epub(pages={"ch1.xhtml": page("<p>B.</p>"), "ch2.xhtml": broken}), tmp_path)
    assert list(made) == [PACKAGE, "OEBPS/ch2.xhtml"]
    found = {node.get("href"): node.get("properties") for node in items_of(made[PACKAGE])}
    assert found["ch2.xhtml"] == "scripted svg"
    assert found["ch1.xhtml"] is None


def test_document_has_the_structure_of_html_5(tmp_path):
    def upgraded_body(body: str) -> list[str]:
        return [body_of(epub2(body, files={"OEBPS/p.png": b"\x89PNG"}), tmp_path)]

    assert_cases(CASES, upgraded_body)


def test_head_is_that_of_html_5(tmp_path):
    whole = (
        '<!DOCTYPE html [<!ENTITY mill "The Mill">]><html xmlns="http://www.w3.org/1999/xhtml">'
        '<head><meta http-equiv="Content-Type" content="text/html; charset=latin-1"/><title/>'
        '<link rel="stylesheet" type="application/vnd.adobe-page-template+xml" href="p.xpgt"/>'
        "</head><body><p>&mill;</p><style>p{}</style></body></html>"
    )
    book = epub2(ncx=ncx(point("One", "ch1.xhtml")))
    book.pages["ch1.xhtml"] = whole
    text = upgrade(book, tmp_path)["OEBPS/ch1.xhtml"].decode()
    assert text.startswith('<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n<html ')
    head = text.partition("<head>")[2].partition("</head>")[0].split("\n")
    assert [line for line in head if line] == [
        '<meta charset="utf-8"/>',
        "<title>One</title>",
        '<style type="text/css">p{}</style>',
        '<link rel="stylesheet" type="text/css" href="readalong.css"/>',
    ]
    assert "<body><p>The Mill</p></body>" in text


def test_documents_without_a_style_sheet_link_one_of_ours(tmp_path):
    styled = page("<p>Words.</p>").replace(
        "</head>", '<link rel="stylesheet" href="../own.css"/></head>'
    )
    own = {"OEBPS/own.css": "p {}", "OEBPS/ReadAlong.css": "b {}"}
    css = '<item id="s{0}" href="{0}.css" media-type="text/css"/>'
    made = upgrade(
        epub2(
            pages={"a/styled.xhtml": styled, "a/bare.xhtml": page("<p>Words.</p>")},
            ncx=ncx(point("One", "a/styled.xhtml")),
            files=own,
            manifest=css.format("own") + css.format("ReadAlong"),
        ),
        tmp_path,
    )
    links = {
        name: [link.get("href") for link in etree.fromstring(made[name]).iter("{*}link")]
        for name in ("OEBPS/a/styled.xhtml", "OEBPS/a/bare.xhtml")
    }
    assert links == {
        "OEBPS/a/styled.xhtml": ["../own.css"],
        "OEBPS/a/bare.xhtml": ["../readalong-2.css"],
    }
    assert b'href="readalong-2.css" media-type="text/css"' in made[PACKAGE]
    assert made["OEBPS/readalong-2.css"]


def test_style_sheets_lose_what_epub_3_forbids_and_keep_the_rest(tmp_path):
    sheet = "p { *zoom: 1; color: red } .1st { x: y } div { direction: rtl; margin: 0 } }"
    book = epub2(
        '<div>A</div><p style="direction:rtl;color:red">B</p>',
        manifest='<item id="css" href="a.css" media-type="text/css"/>'
        '<item id="good" href="b.css" media-type="text/css"/>',
        files={"OEBPS/a.css": sheet, "OEBPS/b.css": "a:not(.b, .c) > p { content: '}' }"},
    )
    linked = page("").partition("<title>")
    head = '<link rel="stylesheet" href="a.css"/>'
    body = str(book.pages["ch1.xhtml"]).partition("<title>")[2]
    book.pages["ch1.xhtml"] = f"{linked[0]}{head}<title>{body}"
    made = upgrade(book, tmp_path)
    assert made["OEBPS/a.css"].split() == b"p { color: red } div { margin: 0 }".split()
    assert "OEBPS/b.css" not in made
    text = made["OEBPS/ch1.xhtml"].decode()
    assert '<div dir="rtl">A</div><p style="color:red" dir="rtl">B</p>' in text


CHILDREN = {
    "ul": {"li"},
    "ol": {"li"},
    "dl": {"dt", "dd", "div"},
    "select": {"option"},
    "table": {"caption", "colgroup", "thead", "tbody", "tfoot", "tr"},
    "tbody": {"tr"},
    "tr": {"td", "th"},
}
NAMES = """
a address b big blockquote br button caption center col colgroup dd details div dl dt em fieldset
font form h1 hr i ins label legend li nobr ol option p pre q rp rt ruby select span strike sub
summary table tbody td tfoot th thead tr tt ul unknown
"""
ATTRIBUTES = st.sampled_from(
    ['id="i"', 'href="#i"', 'name="n"', 'align="center"', 'lang="xx_y"', 'style="color:red"']
)


@st.composite
def markup(draw, *, is_whole=True):
    """Markup of HTML in which tags stand anywhere, and are closed in their order if `is_whole`."""
    parts, opened = [], []
    for number, kind in enumerate(draw(st.lists(st.integers(0, 3), min_size=1, max_size=40))):
        if kind == 0:
            parts.append(f"w{number} ")
        elif kind < 3:
            opened.append(draw(st.sampled_from(NAMES.split())))
            parts.append(f"<{opened[-1]} {draw(ATTRIBUTES)}>")
        elif opened:
            at = -1 if is_whole else draw(st.integers(0, len(opened) - 1))
            parts.append(f"</{opened.pop(at)}>")
    closing = "".join(f"</{name}>" for name in reversed(opened)) if is_whole else ""
    return "".join(parts) + closing


@given(st.booleans().flatmap(lambda is_whole: markup(is_whole=is_whole)))
def test_words_of_a_document_stay_and_its_elements_stand_where_they_may(body):
    source = page(body).encode()
    tree = upgraded_tree(source, "A title")
    words = "".join(text_within(body_of_page(parse_xhtml(source))).split())
    made = etree.fromstring(serialized(tree))
    assert "".join(text_within(body_of_page(made)).split()) == words
    ids = [node.get("id") for node in made.iter() if node.get("id")]
    assert len(ids) == len({*ids})
    for path, allowed in CHILDREN.items():
        found = {etree.QName(child).localname for child in made.iterfind(f".//{{*}}{path}/*")}
        assert found <= allowed, path
    assert not made.xpath("//*[local-name()='a']//*[local-name()='a']")
    assert not made.xpath("//*[local-name()='p']//*[local-name()='div' or local-name()='ul']")
