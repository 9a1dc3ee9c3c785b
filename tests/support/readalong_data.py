"""What books to read along show, and what sounds meanwhile, in tones of the tone engine."""

import json
import posixpath
import re
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import numpy as np
from lxml import etree, html

from audiomill.outputs.ffmpeg.decoding import decode
from support.tone_words import words_in

RATE = 24000  # of the tone engine, in Hz
MARGIN = 300  # samples at the edges of a clip, in which the encoder lets a tone ring
_XML, _HTML = etree.XMLParser(huge_tree=True), html.HTMLParser(huge_tree=True)


@dataclass(frozen=True)
class Par:
    """A clip as readers see it: a place in a document, and in an audio file of the archive."""

    document: str
    id: str
    audio: str
    start_s: float
    end_s: float


def pars_in(archive: zipfile.ZipFile) -> list[Par]:
    """The clips of all overlays, in the order of the manifest."""
    found = []
    for name in sorted(one for one in archive.namelist() if one.endswith(".smil")):
        for par in etree.fromstring(archive.read(name)).iter("{*}par"):
            text, audio = par.find("{*}text").get("src"), par.find("{*}audio")
            document, _, fragment = text.partition("#")
            times = (seconds(audio.get(key)) for key in ("clipBegin", "clipEnd"))
            places = (f"{posixpath.dirname(name)}/{one}" for one in (document, audio.get("src")))
            document, sound = map(posixpath.normpath, places)
            found.append(Par(document, fragment, sound, *times))
    return found


def seconds(clock: str) -> float:
    hours, minutes, rest = clock.split(":")
    return 3600 * int(hours) + 60 * int(minutes) + float(rest)


def shown(archive: zipfile.ZipFile, par: Par) -> str:
    """The text that a reader marks, without what is not spoken in it."""
    root = etree.fromstring(archive.read(par.document), _XML)
    (element,) = root.xpath("//*[@id=$id]", id=par.id)
    for note in element.xpath(".//*[local-name()='a']"):
        note.text = ""
    return " ".join("".join(element.itertext()).split())


def heard(folder: Path, archive: zipfile.ZipFile, par: Par, vocabulary: Iterable[str]) -> list[str]:
    """The words that sound in a clip."""
    path = folder / "clip.m4a"
    path.write_bytes(archive.read(par.audio))
    samples = np.concatenate(list(decode(path)))
    start, end = (round(at_s * RATE) for at_s in (par.start_s, par.end_s))
    return words_in(samples[start + MARGIN : end - MARGIN], vocabulary)


def times_of(path: Path, section) -> dict:
    script = (path.parent / section.get("data-times")).read_text()
    number, content = re.fullmatch(r"readalong\.times\((\d+), (.*)\);\n", script).groups()
    assert section.get("id") == f"d{number}"
    return json.loads(content)


def marked_and_heard(path: Path, vocabulary: Iterable[str]) -> list[tuple[str, list[str]]]:
    """Each word that the page marks, and those that sound from then on until the next one."""
    found = []
    for section in html.parse(path, _HTML).xpath("//section[@data-times]"):
        times = times_of(path, section)
        sound = [np.concatenate(list(decode(path.parent / one))) for one in times["audio"]]
        for number, (audio, start_ms, end_ms, words, *_) in enumerate(times["clips"]):
            if not words:  # a picture's
                continue
            span = section.get_element_by_id(f"s{int(section.get('data-first')) + number}")
            text, at, at_ms, marks = span.text_content().encode("utf-16-le"), 0, start_ms, []
            for gap, length, after_ms in zip(words[::3], words[1::3], words[2::3], strict=True):
                at, at_ms = at + gap, at_ms + after_ms
                marks.append((text[2 * at : 2 * (at + length)].decode("utf-16-le"), at_ms))
                at += length
            ends = [*(start for _, start in marks[1:]), end_ms]
            for (word, first_ms), last_ms in zip(marks, ends, strict=True):
                first, last = (round(ms * RATE / 1000) for ms in (first_ms, last_ms))
                piece = sound[audio][first : last - MARGIN]
                found.append((word, words_in(piece, vocabulary)))
    return found


def word_starts(folder: Path) -> dict[tuple[str, str, int], int]:
    """When each word of a page sounds, in ms of its file: by that, its span and its place there."""
    found = {}
    for section in html.parse(folder / "index.html", _HTML).xpath("//section[@data-times]"):
        times = times_of(folder / "index.html", section)
        for number, (audio, start, _, words, *_) in enumerate(times["clips"]):
            span = f"s{int(section.get('data-first')) + number}"
            lengths = zip(words[::3], (0, *words[1::3]), strict=False)
            places = accumulate(gap + length for gap, length in lengths)
            url = f"{folder.as_uri()}/{times['audio'][audio]}"
            for place, at in zip(places, accumulate(words[2::3]), strict=False):
                found[url, span, place] = start + at
    return found
