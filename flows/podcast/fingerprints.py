"""Fingerprints: hashes of all that decides an episode's audio, by which a run knows what changed.

An episode whose fingerprint changes is made again, with the GUID that it has. So versions of
audiomill that can do more must not change it: what is not in `fingerprinted_fields.toml` is
younger, and counts only where it is used.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, cast

from audiomill.flows.job import Job
from audiomill.flows.podcast.article import Article, picture_hash
from audiomill.outputs.audio.music import music_digest
from audiomill.renderers.engine.options import NamedOptions, OwnOptions
from audiomill.renderers.engine.registry import own_options

_PAST = tomllib.loads(Path(__file__).with_name("fingerprinted_fields.toml").read_text("utf-8"))
# The names of fields, by the class that has them.
FIELDS: Mapping[str, tuple[str, ...]] = {
    name: tuple(names.split()) for name, names in _PAST["fields"].items()
}
_PACKAGE = f"{__name__.partition('.')[0]}."
# Fields of a job that make no episode again.
_IGNORED = (
    "music",  # `music_digest` has the content of its files, too
    "first_window_s",  # what is rendered first changes no audio
    "readalongs",  # the text of a page, which changes no audio
    "check_speech",  # an episode that is there stays as it is
)


def episode_fingerprint(article: Article, job: Job) -> str:
    """The fingerprint of an article's episode, without versions of programs. Raises OSError."""
    content = [
        content_hash(article),
        article.title,
        str(article.published),
        choices_of(job),
        *filter(None, [picture_hash(article.path)]),
    ]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def content_hash(article: Article) -> str:
    """The hash of the content of the article's file. Raises OSError."""
    return hashlib.sha256(article.path.read_bytes()).hexdigest()


def choices_of(job: Job) -> str:
    """All choices of a job that decide the audio, wherever its files lie. Raises OSError."""
    own = tuple(one for one in job.options.own if not _is_of_another_new_engine(one, job))
    options = replace(job.options, own=own)
    moved = replace(job, source=Path(), out=Path(), store="", warnings=(), options=options)
    choices = counted_choices(moved)
    for name in _IGNORED:
        choices.pop(name, None)
    return repr(choices) + music_digest(job.music)


def _is_of_another_new_engine(own: OwnOptions, job: Job) -> bool:
    """Whether options are those of an engine that is younger than FIELDS, and does not speak."""
    is_new = not _known_fields(own) and bool(fields(own))
    if isinstance(own, NamedOptions):
        is_new = own.engine not in _PAST["isolated_engines"]
    return _is_ours(own) and is_new and own != own_options(job.engine, job.options)


def counted_choices(value: Any) -> Any:
    """The value as `asdict` has it, without younger fields that are at their defaults."""
    if is_dataclass(value):
        return {name: counted_choices(getattr(value, name)) for name in _counted_fields(value)}
    if isinstance(value, tuple):
        return tuple(map(counted_choices, cast("tuple[Any, ...]", value)))
    if isinstance(value, dict):
        return {key: counted_choices(one) for key, one in cast("dict[Any, Any]", value).items()}
    return value


def _counted_fields(value: Any) -> Iterator[str]:
    """The names of the fields that count, those that are younger first."""
    known = _known_fields(value)
    for one in fields(value):
        if one.name not in known and getattr(value, one.name) != _default_of(one):
            yield one.name
    yield from known


def _known_fields(value: Any) -> tuple[str, ...]:
    """The names of the fields that are in FIELDS; all fields of a class of another package."""
    if not _is_ours(value):
        return tuple(one.name for one in fields(value))
    names = (one.__name__ for one in type(value).__mro__)
    return next((FIELDS[name] for name in names if name in FIELDS), ())


def _is_ours(value: object) -> bool:
    return type(value).__module__.startswith(_PACKAGE)


def _default_of(field: Field[Any]) -> Any:
    """The default of a field; MISSING, which no value is, if it has none."""
    return field.default if field.default_factory is MISSING else field.default_factory()
