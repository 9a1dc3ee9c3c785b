"""A show from its sources to its feed, on a web server on loopback."""

import json
import shutil
from pathlib import Path

import mutagen
import numpy as np
import pyloudnorm
import pytest
import scipy.signal
from lxml import etree, html

from audiomill.flows.errors import UsageError
from audiomill.flows.pipeline import readalong
from audiomill.inputs.model.book import SourceMissing
from audiomill.outputs.ffmpeg.decoding import decode
from audiomill.outputs.podcast.timed_words import timed_words
from support.article_data import PARAGRAPHS, article_page
from support.epub_data import PNG
from support.feed_rules import PODCAST, published
from support.music_data import write_piece
from support.show_data import RSS, episodes, feed_show, publish_articles, run, show_file
from support.tone_words import words_in
from support.web_server import Page

RATE = 24000  # of the tone engine, in Hz
MARGIN = 300  # samples at the end of a word, in which the encoder lets a tone ring


def test_a_feed_becomes_a_podcast_and_a_second_run_makes_nothing(site, tmp_path):
    path = feed_show(site, tmp_path, ["mill", "light"])
    first = run(path)
    assert (len(first.made), first.unmade_articles, first.unread_sources) == (2, (), ())
    found = episodes(path)
    assert list(found) == ["The light", "The mill"]
    assert found["The mill"].link == f"{site.url}/mill"
    assert found["The mill"].author == "Jan Mertens"
    before = (tmp_path / "out" / "feed.xml").read_bytes()
    second = run(path)
    assert (second.made, second.n_episodes) == ((), 2)
    assert (tmp_path / "out" / "feed.xml").read_bytes() == before


@pytest.mark.prove
def test_a_voice_with_high_peaks_is_at_the_level_of_podcasts_in_the_encoded_file(site, tmp_path):
    path = feed_show(site, tmp_path, ["mill"])
    path.write_text(path.read_text().replace('"tone"\nspeed = 12', '"espeak"\nspeed = 4'))
    run(path)
    (encoded,) = (tmp_path / "out").glob("*.mp3")
    samples = np.concatenate(list(decode(encoded)))
    rate = mutagen.File(encoded).info.sample_rate
    assert pyloudnorm.Meter(rate).integrated_loudness(samples) == pytest.approx(-19, abs=0.3)
    peak = np.abs(scipy.signal.resample_poly(samples.astype(np.float64), 8, 1)).max()
    assert 20 * np.log10(peak) < -1


def marked_and_heard(page: Path, vocabulary: list[str]) -> list[tuple[str, list[str]]]:
    """Each word that an episode's page marks, and those that sound until the next one."""
    (section,) = html.parse(page).xpath("//main/section[@data-clips]")
    audio = page.parent / section.get("data-audio")
    rate = mutagen.File(audio).info.sample_rate
    sound = scipy.signal.resample_poly(np.concatenate(list(decode(audio))), RATE, rate)
    marks = []
    for number, (_, start_ms, _, words, *_) in enumerate(json.loads(section.get("data-clips"))):
        text, at, at_ms = section.get_element_by_id(f"s{number}").text_content(), 0, start_ms
        for gap, length, after_ms in zip(words[::3], words[1::3], words[2::3], strict=True):
            at, at_ms = at + gap + length, at_ms + after_ms
            marks.append((text[at - length : at], at_ms))
    ends = [*(start for _, start in marks[1:]), 1000 * sound.size // RATE]
    return [
        (word, words_in(sound[RATE * start // 1000 : RATE * end // 1000 - MARGIN], vocabulary))
        for (word, start), end in zip(marks, ends, strict=True)
    ]


def test_each_word_on_the_page_of_an_episode_is_marked_while_it_sounds(tmp_path):
    (tmp_path / "to-read").mkdir()
    text = "# Mills\n\nBoats *sank* far [away](https://quay.example/).\n\n- Nobody came.\n"
    (tmp_path / "to-read" / "mill.md").write_text(text)
    path = show_file(tmp_path, '[[sources]]\nfolder = "to-read"')
    path.write_text(path.read_text().replace("speed = 12", "speed = 1"))
    run(path)
    out = tmp_path / "out"
    (page,) = (one for one in out.glob("*.html") if one.name != "index.html")
    said = ["Mills", "Boats", "sank", "far", "away", "Nobody", "came"]
    assert marked_and_heard(page, said) == [(word, [word]) for word in said]
    (section,) = html.parse(page).xpath("//section[@data-clips]")
    assert [one.text for one in section.xpath(".//em | .//a")] == ["sank", "away"]
    (text,) = out.glob("*.text.json")
    assert text.name not in (out / "feed.xml").read_text()
    before = page.read_bytes()
    page.unlink()
    assert run(path).made == ()
    assert page.read_bytes() == before


def test_the_page_of_an_episode_shows_the_pictures_of_a_file(tmp_path):
    folder = tmp_path / "to-read"
    folder.mkdir()
    (folder / "sea.png").write_bytes(PNG)
    texts = {"one": "Boats sank.\n\n![The sea](sea.png)", "two": "Gulls. ![The sea](sea.png)"}
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(f"# {name}\n\n{text}\n")
    path = show_file(tmp_path, '[[sources]]\nfolder = "to-read"')
    assert len(run(path).made) == 2
    out = tmp_path / "out"
    (picture,) = (out / "pictures").iterdir()
    assert picture.read_bytes() == PNG
    for page in (one for one in out.glob("*.html") if one.name != "index.html"):
        (image,) = html.parse(page).xpath("//section[@data-clips]//img")
        assert (image.get("src"), image.get("alt")) == (f"pictures/{picture.name}", "The sea")
    assert all(len(text.read_bytes()) < 10_000 for text in out.glob("*.text.json"))
    picture.unlink()
    run(path)
    assert picture.read_bytes() == PNG
    for name in texts:
        (folder / f"{name}.md").write_text(f"# {name}\n\nIt is gone.\n")
    run(path)
    assert not picture.exists()


def test_an_episode_whose_text_is_not_found_has_that_of_its_transcript(tmp_path, monkeypatch):
    def gone(*_: object) -> None:
        raise SourceMissing("The source is gone.")

    monkeypatch.setattr(readalong, "open_source_book", gone)
    (tmp_path / "to-read").mkdir()
    (tmp_path / "to-read" / "mill.md").write_text("# Mills\n\nBoats *sank*.\n")
    path = show_file(tmp_path, '[[sources]]\nfolder = "to-read"')
    assert len(run(path).made) == 1
    (page,) = (one for one in (tmp_path / "out").glob("*.html") if one.name != "index.html")
    (section,) = html.parse(page).xpath("//section[@data-clips]")
    assert section.text_content() == "Mills. Boats sank."


def test_only_what_is_new_or_changed_is_made(site, tmp_path):
    path = feed_show(site, tmp_path, ["mill", "light"])
    run(path)
    old = episodes(path)
    publish_articles(site, ["mill", "light", "boat"])
    changed = (*PARAGRAPHS[:-1], "The council has decided. The mill will be a museum.")
    site.pages["/mill"] = Page(article_page("The mill", changed).encode())
    assert sorted(run(path).made) == ["The boat", "The mill"]
    new = episodes(path)
    assert new["The mill"].id == old["The mill"].id
    assert new["The mill"].enclosures != old["The mill"].enclosures
    assert new["The light"].enclosures == old["The light"].enclosures
    names = {path.name for path in (tmp_path / "out").glob("*.mp3")}
    assert names == {one.enclosures[0].href.rpartition("/")[2] for one in new.values()}


def test_copies_of_a_file_are_one_episode_and_a_renamed_file_is_no_other(tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "mill.md").write_text(f"# The mill\n\n{PARAGRAPHS[0]}\n")
    path = show_file(tmp_path, '[[sources]]\nfolder = "texts"')
    run(path)
    (old,) = published(tmp_path / "out")
    shutil.copy2(folder / "mill.md", folder / "copy.md")
    run(path)
    assert list(published(tmp_path / "out")) == [old]
    (folder / "mill.md").unlink()
    run(path)
    assert list(published(tmp_path / "out")) == [old]
    assert str(tmp_path) not in (tmp_path / "out" / "feed.xml").read_text()
    (folder / "copy.md").write_text(f"# The mill\n\n{PARAGRAPHS[1]}\n")
    run(path)
    assert len(published(tmp_path / "out")) == 2


def test_a_failed_article_stops_no_other_and_is_tried_again(site, tmp_path):
    path = feed_show(site, tmp_path, ["mill", "light"])
    page = site.pages.pop("/mill")
    first = run(path)
    assert first.made == ("The light",)
    (failed,) = first.unmade_articles
    assert (failed.url, failed.attempts) == (f"{site.url}/mill", 1)
    assert "404" in failed.reason
    assert "404" in (tmp_path / "out" / "index.html").read_text()
    site.pages["/mill"] = page
    second = run(path)
    assert (second.made, second.unmade_articles) == (("The mill",), ())


def test_a_page_without_an_article_is_tried_some_times_only(site, tmp_path):
    site.pages["/empty"] = Page(b"<html><body><p>Enable JavaScript.</p></body></html>")
    source = f'[[sources]]\npage = "{site.url}/empty"'
    path = show_file(tmp_path, source, "[episodes]\nattempts = 2\n")
    assert [run(path).unmade_articles[0].attempts for _ in range(4)] == [1, 2, 2, 2]


def test_files_of_a_folder_and_one_article_of_two_sources(site, tmp_path):
    publish_articles(site, ["mill"])
    to_read = tmp_path / "to-read"
    to_read.mkdir()
    (to_read / "note.md").write_text("# A note\n\nThe tide was high that night.")
    (to_read / "photo.jpg").write_bytes(b"no text")
    sources = (
        f'[[sources]]\nfeed = "{site.url}/feed"\n[[sources]]\npage = "{site.url}/mill"\n'
        '[[sources]]\nfolder = "to-read"'
    )
    path = show_file(tmp_path, sources)
    assert sorted(run(path).made) == ["A note", "The mill"]
    assert sorted(episodes(path)) == ["A note", "The mill"]


def test_an_article_that_its_feed_has_whole_is_not_fetched(site, tmp_path):
    sentences = " ".join(["The mill turned all night, and the baker had his flour."] * 12)
    content = "".join(f"<p>{number}. {sentences}</p>" for number in range(4))
    item = (
        f"<item><title>The mill</title><link>{site.url}/mill</link>"
        f"<content:encoded><![CDATA[{content}]]></content:encoded></item>"
    )
    namespace = 'xmlns:content="http://purl.org/rss/1.0/modules/content/"'
    rss = RSS.format(url=site.url, items=item).replace("<rss ", f"<rss {namespace} ")
    site.pages["/feed"] = Page(rss.encode(), headers={"Content-Type": "application/rss+xml"})
    path = show_file(tmp_path, f'[[sources]]\nfeed = "{site.url}/feed"')
    assert run(path).made == ("The mill",)
    assert "/mill" not in site.asked
    (entry,) = episodes(path).values()
    assert all(f"{number}. The mill" in transcript_of(tmp_path, entry) for number in range(4))


def transcript_of(folder: Path, entry: dict) -> str:
    """The words of an episode's transcript, on one line."""
    audio = entry.enclosures[0].href.rpartition("/")[2]
    text = (folder / "out" / audio).with_suffix(".srt").read_text()
    return " ".join(line for line in text.split() if not line.isdigit() and "-->" not in line)


def test_what_robots_txt_forbids_is_not_fetched(site, tmp_path):
    publish_articles(site, ["mill", "light"])
    rules = b"User-agent: *\nDisallow: /mill\n"
    site.pages["/robots.txt"] = Page(rules, headers={"Content-Type": "text/plain"})
    done = run(show_file(tmp_path, f'[[sources]]\nfeed = "{site.url}/feed"'))
    assert done.made == ("The light",)
    assert "robots.txt" in done.unmade_articles[0].reason
    assert "/mill" not in site.asked


def test_the_newest_episodes_are_kept_and_the_audio_of_others_goes(site, tmp_path):
    path = feed_show(site, tmp_path, ["mill", "light"], "[episodes]\nkeep = 1\n")
    run(path)
    assert list(episodes(path)) == ["The light"]
    assert len(list((tmp_path / "out").glob("*.mp3"))) == 1
    assert run(path).made == ()


def test_a_token_is_in_the_feed_and_in_nothing_that_is_told(site, tmp_path, monkeypatch):
    path = feed_show(site, tmp_path, ["mill"])
    path.write_text(path.read_text().replace("/m/", "/{token}/"))
    with pytest.raises(UsageError, match="AUDIOMILL_PODCAST_TOKEN is not set"):
        run(path)
    guids = set()
    for token in ("first-secret-of-ours", "second-secret-of-ours"):
        monkeypatch.setenv("AUDIOMILL_PODCAST_TOKEN", token)
        done = run(path)
        assert done.feed_url == "https://pod.example.org/{token}/feed.xml"
        assert token not in repr(done)
        (entry,) = episodes(path).values()
        assert entry.enclosures[0].href.startswith(f"https://pod.example.org/{token}/")
        feed = etree.parse(tmp_path / "out" / "feed.xml")
        guids.add(feed.findtext(f"channel/{{{PODCAST}}}guid"))
    assert len(guids) == 1  # players take it for the same show


def test_the_picture_of_the_show_is_replaced_under_another_name(site, tmp_path):
    publish_articles(site, ["mill"])
    path = show_file(tmp_path, f'image = "cover.jpg"\n[[sources]]\nfeed = "{site.url}/feed"')
    names = []
    for number in (1, 2):
        (tmp_path / "cover.jpg").write_bytes(b"picture %d" % number)
        run(path)
        (cover,) = (tmp_path / "out").glob("cover*")
        assert cover.read_bytes() == b"picture %d" % number
        names.append(cover.name)
    assert names[0] != names[1]


def test_the_intro_is_said(site, tmp_path):
    publish_articles(site, ["mill"])
    source = f'[[sources]]\nfeed = "{site.url}/feed"'
    with_intro = run_length(tmp_path / "a", source)
    without = run_length(tmp_path / "b", source, '[episodes]\nintro = ""\n')
    assert with_intro > without + 0.4


@pytest.mark.prove
def test_other_music_makes_the_episode_again(site, tmp_path):
    publish_articles(site, ["mill"])
    write_piece(tmp_path / "theme.wav", 5)
    source = f'[[sources]]\nfeed = "{site.url}/feed"'
    table = '[music]\nintro = "theme.wav"\nintro_alone_s = 2\n'
    path = show_file(tmp_path, source, table)
    assert (run(path).made, run(path).made) == (("The mill",), ())
    first = first_cue_s(tmp_path)
    assert first == pytest.approx(2, abs=0.04)  # after some quiet
    write_piece(tmp_path / "theme.wav", 5, level=0.9)
    assert run(path).made == ("The mill",)
    path.write_text(path.read_text().replace("alone_s = 2", "alone_s = 1"))
    assert run(path).made == ("The mill",)
    assert first_cue_s(tmp_path) == pytest.approx(first - 1, abs=0.002)


def first_cue_s(folder: Path) -> float:
    (transcript,) = (folder / "out").glob("*.vtt")
    return timed_words(transcript.read_text())[0].start_s


def run_length(folder: Path, source: str, more: str = "") -> float:
    folder.mkdir()
    path = show_file(folder, source, more)
    run(path)
    (audio,) = (folder / "out").glob("*.mp3")
    return mutagen.File(audio).info.length
