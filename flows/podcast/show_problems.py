"""What is wrong with a podcast's settings, where their types cannot show it.

A place that there cannot be is refused too, be it an address or a path.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from audiomill.flows.podcast.secrets import secret_problems, without_placeholders
from audiomill.flows.podcast.show_settings import (
    DIGEST_FIELDS,
    KINDS,
    WEB_KINDS,
    DigestChoice,
    ShowSettings,
    SpeechChoice,
)
from audiomill.flows.web_address import is_web_address
from audiomill.inputs.articles.filters import WrongFilter, check_filters
from audiomill.inputs.messages import did_you_mean
from audiomill.inputs.metadata.credit_templates import FIELDS, TemplateInvalid, parse_template
from audiomill.inputs.toml_text import Key
from audiomill.outputs.audio.music import Music, wrong_settings
from audiomill.outputs.audio.music_pieces import MusicInvalid, load_piece
from audiomill.outputs.podcast.feed_rules import is_language
from audiomill.outputs.text import line
from audiomill.renderers.host.folders import expanded

MAX_WAIT_S = 3600
_ANY_RATE = 24_000  # samples a second; whether a piece can be played is the same at all
Problem = tuple[tuple[Key, ...], str]  # the path of a value, and what is wrong with it
_ADDRESS = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+:/")  # a path has kept one of the two slashes


def problems_of(show: ShowSettings) -> Iterator[Problem]:
    """Problems that the types cannot show."""
    if not show.title.strip():
        yield ("title",), "title: give the podcast a name."
    if not is_language(show.language):
        yield ("language",), 'language: write a code, like "en-GB".'
    if show.description and not line(show.description):
        yield ("description",), "description: say in a sentence what it is about."
    yield from _place_problems(show)
    yield from _speech_problems(("speech",), show.speech)
    if not show.sources:
        yield ("sources",), 'there are no sources: write [[sources]] and feed = "https://…".'
    for index, source in enumerate(show.sources):
        for where, message in _source_problems(source):
            yield ("sources", index, *where), message
    yield from _number_problems("episodes", show.episodes, {"keep": 1, "attempts": 1})
    yield from _number_problems("fetching", show.fetching, {"wait_s": 0, "at_once": 1})
    if show.fetching.wait_s > MAX_WAIT_S:
        wait_s = f"wait_s is {show.fetching.wait_s:g}"
        yield ("fetching", "wait_s"), f"{wait_s}; choose {MAX_WAIT_S} seconds at most."
    for name, message in wrong_settings(show.music):
        yield ("music", name), f"{message}."
    yield from _template_problems("episodes", show.episodes, ("intro", "outro"), FIELDS)
    if show.digest is not None:
        yield from _digest_problems(show.digest)


def _digest_problems(choice: DigestChoice) -> Iterator[Problem]:
    lowest = {"max_words": 1, "min_articles": 1, "max_articles": choice.min_articles}
    yield from _number_problems("digest", choice, lowest)
    yield from _template_problems("digest", choice, ("title", "intro", "outro"), DIGEST_FIELDS)
    if not choice.title.strip():
        yield ("digest", "title"), 'title: write how a digest is called, like "{show}, {date}".'


def _template_problems(
    table: str, values: object, names: Iterable[str], known: Sequence[str]
) -> Iterator[Problem]:
    for name in names:
        try:
            parse_template(getattr(values, name), known)
        except TemplateInvalid as error:
            yield (table, name), f"{name}: {error}."


def _speech_problems(table: tuple[Key, ...], speech: SpeechChoice) -> Iterator[Problem]:
    if speech.speed is not None and not speech.speed > 0:
        yield (*table, "speed"), f"speed is {speech.speed:g}; choose more than 0, like 1.2."


def _source_problems(source: Any) -> Iterator[Problem]:
    kinds = [kind for kind in KINDS if getattr(source, kind)]
    if len(kinds) != 1:
        known = ", ".join(KINDS[:-1])
        yield (), f"a source has one of {known} or {KINDS[-1]}; this one has {len(kinds)}."
    elif source.kind in WEB_KINDS and not is_web_address(without_placeholders(source.place)):
        yield (source.kind,), f'{source.kind}: write an address, like "https://example.org/feed".'
    else:
        for key, problem in secret_problems(source):
            yield (key,) if key else (), problem
    if source.newest < 1:
        yield ("newest",), f"newest is {source.newest}; choose 1 or more."
    yield from _speech_problems(("speech",), source.speech)
    try:
        check_filters(source.filters)
    except WrongFilter as error:
        yield ("filters",), str(error)


def music_problems(music: Music) -> Iterator[Problem]:
    """Problems of the pieces, which would fail every episode. Raises EncoderMissing."""
    for use in music.files:
        try:
            load_piece(music, use, _ANY_RATE)
        except MusicInvalid as error:
            yield ("music", use), f"{use}: {error}"


def _number_problems(table: str, values: object, lowest: Mapping[str, int]) -> Iterator[Problem]:
    for name, least in lowest.items():
        if getattr(values, name) < least:
            yield (table, name), f"{name} is {getattr(values, name):g}; choose {least} or more."


def _place_problems(show: ShowSettings) -> Iterator[Problem]:
    """(path of the value, what is wrong) of each address and path. Addresses of sources: not here.

    Whether there is anything at a path may change until the show is made, and is not looked at.
    """
    if not _is_base(show.address):
        yield ("address",), 'address: write where it is served, like "https://pod.example.org/".'
    elif "@" in urlsplit(show.address).netloc:
        yield (
            ("address",),
            "address: leave the name and the password out: they would be in every URL of the feed."
            " With {token} in it, only those know the address to whom you give it.",
        )
    if "://" in show.folder:
        yield from _folder_url_problems(show.folder)
    for where, path in _paths(show):
        yield from ((where, f"{where[-1]}: {problem}.") for problem in _path_problems(path))


def _is_base(address: str) -> bool:
    """Whether URLs can begin with an address: it is a folder's, and nothing follows its path."""
    if not (is_web_address(address) and address.isprintable() and " " not in address):
        return False
    return not any(mark in address for mark in "?#")


def _folder_url_problems(folder: str) -> Iterator[Problem]:
    from fsspec import available_protocols  # which takes a while to import

    parts = urlsplit(folder)
    if parts.scheme.lower() in ("http", "https"):
        yield (
            ("folder",),
            "folder: nothing can be written to a web address. Write a path, or a place such as"
            " s3://bucket/folder; the address that it is served at is “address”.",
        )
    elif parts.password is not None:
        yield ("folder",), "folder: leave the password out; its service's own settings have it."
    elif parts.scheme not in (known := available_protocols()):
        hint = did_you_mean(parts.scheme, known, n=1)
        yield ("folder",), f"folder: there is no place “{parts.scheme}:”.{hint}"


def _paths(show: ShowSettings) -> Iterator[Problem]:
    """Each path of a file or a folder, with where it stands."""
    if "://" not in show.folder:
        yield ("folder",), show.folder
    if show.image is not None:
        yield ("image",), str(show.image)
    yield from ((("music", use), str(path)) for use, path in show.music.files.items())
    for index, source in enumerate(show.sources):
        if source.kind and source.kind not in WEB_KINDS:
            yield ("sources", index, source.kind), source.place


def _path_problems(path: str) -> Iterator[str]:
    if _ADDRESS.match(path):
        yield (
            "write a path on this machine; addresses of articles are under"
            f" {', '.join(key for key in KINDS if key in WEB_KINDS)}"
        )
        return
    if not path.isprintable():  # a NUL, which no system takes, or what no person writes
        yield "write a path without control characters"
        return
    try:
        expanded(Path(path))
    except ValueError as error:
        yield str(error)
