"""The page that is read while it is heard: its text, its files, and when each word is marked."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from lxml import html

from audiomill.flows.pipeline import encode_recordings
from audiomill.outputs.ffmpeg.decoding import decode
from audiomill.outputs.readalong.web import page as web_page
from audiomill.outputs.types import OutputOccupied
from support.book_data import rendered, source_job
from support.epub_data import PNG, Epub, line, nav, page
from support.readalong_data import MARGIN, RATE, marked_and_heard, times_of
from support.tone_words import words_in

FIRST = page(
    '<h1 id="top">One</h1><p onclick="bad()" style="color: red">Mills \N{WATER WAVE} <em>stood</em>'
    ' still.<a epub:type="noteref" href="#n">1</a> <em>Nobody came. Boats</em> sank &amp;'
    " <ruby>gulls<rt>birds</rt></ruby> cried.</p><script>bad()</script>"
    '<aside epub:type="footnote" id="n"><p>An unread note.</p></aside>'
    '<p><img src="a%20sea.png" alt="Foam"/></p>',
)
SECOND = page(
    '<h1>Two</h1><p><a href="p0.xhtml#top">Rain</a> <a href="https://mill.example/?a=b">fell</a>'
    ' <a href="javascript:bad()">here</a>.</p>'
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
    '<image xlink:href="a%20sea.png"/></svg>'
    '<svg xmlns="http://www.w3.org/2000/svg"><title>A hill</title><path d="M0 9L9 0"/></svg>'
)
VOCABULARY = "One Mills stood still. Nobody came. Boats sank and gulls cried. Two Rain fell here."


def job_for(folder: Path, *pages: str, **choices):
    names = [f"p{number}.xhtml" for number in range(len(pages))]
    if pages:
        book = Epub(
            pages=dict(zip(names, pages, strict=True)),
            nav=nav("".join(line(name, name) for name in names)),
            files={"OEBPS/a sea.png": PNG},
        )
        book.write(folder)
    given = {"formats": ["html"], "credits": False}
    return source_job(folder / "book.epub", **given | choices)


def page_path(report) -> Path:
    (path,) = (file.path for file in report.files if file.format == "html")
    return path


def names_beside(path: Path) -> set[str]:
    """The files beside a page, as it names them."""
    every = (one for one in path.parent.rglob("*") if one.is_file() and one != path)
    return {one.relative_to(path.parent).as_posix() for one in every}


def references(path: Path) -> set[str]:
    """The files that a page needs: those that it names, and the sound that their times name."""
    root = html.parse(path)
    scripts = "".join((path.parent / one).read_text() for one in root.xpath("//@data-times"))
    named = root.xpath("//@src | //link[@rel='stylesheet']/@href | //@data-times")
    return {*named, *re.findall(r"audio/[0-9a-f]+\.m4a", scripts)}


def test_each_word_is_marked_while_it_sounds(place, first_run):
    found = marked_and_heard(
        page_path(first_run(job_for(place, FIRST, SECOND))), VOCABULARY.split()
    )
    assert found.pop(2)[0] == "\N{WATER WAVE}"  # two units of UTF-16, spoken as two words
    assert [heard for _, heard in found] == [[word] for word in VOCABULARY.split()]
    shown = "One Mills stood still Nobody came Boats sank & gulls cried Two Rain fell here"
    assert " ".join(word for word, _ in found) == shown


def test_a_sentence_that_markup_cuts_is_one(place, first_run):
    path = page_path(first_run(job_for(place, FIRST)))
    (section,) = html.parse(path).xpath("//section[@data-times]")
    clips = times_of(path, section)["clips"]
    spans = {span.get("id"): span.text_content() for span in section.xpath(".//span[@id]")}
    assert spans["s3"] == "Boats"
    assert [bool(clip[4:]) for clip in clips] == [False, False, False, False, True]


def test_the_page_has_the_text_and_leads_nowhere_unasked(place, first_run):
    path = page_path(first_run(job_for(place, FIRST, SECOND)))
    source, root = path.read_text(), html.parse(path).getroot()
    assert "bad()" not in source
    assert not root.xpath("//@style | //@onclick | //script[not(@src)] | //style")
    links = [a.get("href") for a in root.xpath("//main//a")]
    assert links == ["#d0-n", "#d0-top", "https://mill.example/?a=b", None]
    ids = root.xpath("//@id")
    assert len(ids) == len(set(ids)) and {"d0-n", "d0-top"} <= {*ids}
    assert [a.get("href") for a in root.xpath("//nav//a")] == ["#s0", "#s5"]
    pictures = [(img.get("alt"), img.get("width")) for img in root.xpath("//main//img")]
    assert pictures == [("Foam", "1"), ("", "1"), ("A hill", None)]
    assert references(path) == names_beside(path)


def test_a_picture_is_lit_while_its_words_sound(tmp_path):
    pictures = (
        '<p><img id="own" src="a%20sea.png" alt="Boats sank"/> <img src="none.png" alt="Two"/></p>'
        '<svg xmlns="http://www.w3.org/2000/svg"><title>Rain fell</title><path d="M0 9"/></svg>'
        '<p><math xmlns="http://www.w3.org/1998/Math/MathML"><mi>gulls</mi></math></p>'
    )
    linked = page(f'{pictures}<p>Mills <a href="#own">stood</a>.</p>')
    path = page_path(rendered(job_for(tmp_path, linked, read="everything")))
    (section,) = html.parse(path).xpath("//section[@data-times]")
    clips = times_of(path, section)["clips"]
    sound = np.concatenate(list(decode(path.parent / times_of(path, section)["audio"][0])))
    heard, known = {}, ["Image:", *VOCABULARY.split()]
    for one in section.xpath(".//*[@data-clip]"):
        _, *edges, words = clips[int(one.get("data-clip"))]
        first, last = (round(ms * RATE / 1000) for ms in edges)
        heard[one.tag, one.get("alt")] = words_in(sound[first : last - MARGIN], known)
        assert words == []
    assert heard == {
        ("img", "Boats sank"): ["Image:", "Boats", "sank"],
        ("span", None): ["Image:", "Two"],  # a picture that the book lacks
        ("img", "Rain fell"): ["Image:", "Rain", "fell"],
        ("math", None): ["gulls"],
    }
    assert section.get_element_by_id("d0-own").tag == "img"
    assert len(clips) == len(heard) + 1


def test_what_the_book_sets_apart_stays_apart(tmp_path):
    sheet = ".i { font-style: italic; color: red } .b { font-weight: 700 } .off { display: none }"
    styled = SECOND.replace("<head>", f"<head><style>{sheet}</style>").replace(
        "<h1>Two", '<p class="off">Nobody came.</p><h1 class="i b plain">Two'
    )
    root = html.parse(page_path(rendered(job_for(tmp_path, styled))))
    assert root.xpath("//main/section//h1/@class") == ["look-bold look-italic"]
    assert [one.text_content() for one in root.xpath("//*[@hidden]")][-1] == "Nobody came."


def sections_of(path: Path) -> list[tuple[bytes, list]]:
    """The text and the clips of each section."""
    found = []
    for section in html.parse(path).xpath("//section[@data-times]"):
        clips = times_of(path, section)["clips"]
        del section.attrib["data-times"]  # it changes with the gain of the book
        found.append((html.tostring(section), clips))
    return found


def test_a_changed_sentence_changes_only_its_section(place, first_run):
    path = page_path(first_run(job_for(place, FIRST, SECOND)))
    before = sections_of(path)
    assert page_path(rendered(job_for(place, FIRST, SECOND.replace("Rain", "Snow")))) == path
    after = sections_of(path)
    assert before[0] == after[0] and before[1] != after[1]
    assert references(path) == names_beside(path)  # what was of the old page is gone


def test_a_finished_book_gets_it_without_rendering_or_encoding(tmp_path, monkeypatch):
    rendered(job_for(tmp_path, FIRST, formats=["m4b"]))
    monkeypatch.setattr(encode_recordings, "encode_recording", None)  # whatever calls it, fails
    report = rendered(job_for(tmp_path, formats=["m4b", "html", "epub"]))
    path, names = page_path(report), names_beside(page_path(report))
    (path.parent / min(names)).unlink()
    again = rendered(job_for(tmp_path, formats=["html"]))
    assert (report.rendered, again.rendered) == (0, 0)
    assert names_beside(path) == names


@pytest.fixture
def mended(monkeypatch):
    """A call that gives pages another script."""

    def mend() -> None:
        monkeypatch.setattr(web_page, "_script", lambda: b"mended()")
        web_page.reader_assets.cache_clear()

    yield mend
    web_page.reader_assets.cache_clear()


def test_a_mended_reader_reaches_a_finished_page(place, first_run, mended):
    path = page_path(first_run(job_for(place, FIRST)))
    mended()
    again = rendered(job_for(place))
    assert again.rendered == 0
    (script,) = html.parse(path).xpath("//script/@src")
    assert (path.parent / script).read_bytes() == b"mended()"
    assert references(path) == names_beside(path)


def test_the_report_names_the_page_with_its_folder(place, first_run):
    path = page_path(first_run(job_for(place, FIRST)))
    book = path.parent.parent
    assert f"{path.parent.name}/{path.name}" in (book / "report.html").read_text()
    path.write_text(f"{path.read_text()}<!-- mine -->")
    rendered(job_for(place))
    files = json.loads((book / "report.json").read_text())["files"]
    assert [one["format"] for one in files if one["changed"]] == ["html"]


def test_what_somebody_changed_beside_the_page_stays(place, first_run):
    path = page_path(first_run(job_for(place, FIRST)))
    style = next(path.parent.glob("reader/*.css"))
    style.write_text("body { color: green }")
    path.unlink()
    with pytest.raises(OutputOccupied, match=f"{style.name} was changed"):
        rendered(job_for(place))
    assert style.read_text() == "body { color: green }"
    style.rename(style.with_name("mine.css"))
    rendered(job_for(place))
    assert style.with_name("mine.css").exists()
