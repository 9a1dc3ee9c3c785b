"""Builds a complete job from options and settings."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, TypeVar, Unpack, cast
from urllib.parse import urlsplit

from audiomill.flows.articles import page_path
from audiomill.flows.engine_settings import LAST_CHOICE, choose_engine
from audiomill.flows.errors import UsageError
from audiomill.flows.job import Job
from audiomill.flows.options import (
    AUTO,
    JobOptions,
    PassedOn,
    RenderOptions,
    declared,
    require_declared,
)
from audiomill.flows.setting_sources import own_lexicons
from audiomill.flows.settings import Settings
from audiomill.inputs.articles.addresses import NetworkPolicy
from audiomill.inputs.casting.cast import Cast, CastInvalid, cast_file_of, read_cast
from audiomill.inputs.messages import did_you_mean
from audiomill.inputs.metadata.checked_values import CorrectionInvalid
from audiomill.inputs.metadata.corrections import (
    Corrections,
    checked_corrections,
    load_correction_file,
    load_cover,
)
from audiomill.inputs.metadata.credits import Credits
from audiomill.inputs.model.book import Limits, SourceError
from audiomill.inputs.readers.sources import check_format
from audiomill.outputs.checking.profiles import PROFILES, Delivery, delivery_of, mastering_of
from audiomill.outputs.formats.registry import (
    FORMATS,
    READALONG_AUDIO,
    READALONGS,
    TRANSCRIPTS,
    split_formats,
)
from audiomill.renderers.engine.options import EngineOptions, PaidOptions
from audiomill.renderers.engine.registry import open_renderer, own_options

T = TypeVar("T")


def make_job(settings: Settings, source: str | Path, **options: Unpack[JobOptions]) -> Job:
    """The job for `source`. An option that is None or missing comes from the settings.

    What neither says is as the profile has it. Raises UsageError, UnknownEngine; TypeError for a
    name that is no option.
    """
    _check_options(options)
    address = _address_in(str(source))
    path = page_path(address) if address else Path(source)
    engine, warnings = _chosen_engine(settings, options.get("engine"), address, path)
    engine_options = _engine_options(settings, engine, options.get("budget"))
    narrator, voices = _read_cast(path, options.get("cast"))
    profile = PROFILES[options.get("profile") or settings.profile]
    corrections = _corrections(path, options.get("metadata") or {}, settings.limits)
    delivery = delivery_of(profile, settings.delivery)
    formats, readalongs = _recordings_and_readalongs(
        options.get("formats") or settings.formats or profile.formats
    )
    return Job(
        source=path,
        address=address,
        network=NetworkPolicy(frozenset(settings.articles.allowed_hosts)),
        out=Path(_or_default(options.get("out"), settings.library)),
        store=options.get("store") or settings.store,
        engine=engine,
        voice=options.get("voice") or narrator or settings.voice,
        cast=voices,
        foreign=settings.foreign,
        speed=_or_default(options.get("speed"), settings.speed),
        formats=formats,
        readalongs=readalongs,
        transcripts=_known_formats(
            _or_default(options.get("transcripts"), settings.transcripts),
            TRANSCRIPTS,
            "format of a transcript",
        ),
        read=options.get("read"),
        split=_or_default(options.get("split"), profile.split),
        window_s=settings.window_s,
        check_speech=_speech_model(settings, options.get("check_speech")),
        outage_s=settings.outage_s,
        corrections=corrections,
        lexicons=(*own_lexicons(), *settings.lexicons),
        limits=settings.limits,
        reading=settings.reading,
        pauses=settings.pauses,
        credits=_chosen_credits(settings, options.get("credits"), corrections, delivery),
        mastering=mastering_of(profile, settings.mastering, settings.delivery.channels),
        delivery=delivery,
        options=engine_options,
        warnings=(*warnings, *own_options(engine, engine_options).warnings()),
        **_passed_on(options),
    )


def _or_default(chosen: T | None, default: T) -> T:
    """An option, or what it is where it is not given: 0 and "" are given."""
    return default if chosen is None else chosen


def _chosen_engine(
    settings: Settings, chosen: str | None, address: str, path: Path
) -> tuple[str, tuple[str, ...]]:
    """The engine, and warnings about the choice. Raises UnknownEngine."""
    engine = chosen or settings.engine
    if engine == AUTO and not (address or _is_readable(path, settings.limits)):
        # The job will fail for want of its source, so no hub is asked for weights.
        engine = LAST_CHOICE
    return choose_engine(engine, settings.engine_options())


def _recordings_and_readalongs(
    wanted: str | Sequence[str],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(the formats of recordings, those of books with their sound, which take it from one).

    Raises UsageError for an unknown one.
    """
    known = _known_formats(wanted, (*FORMATS, *READALONGS), "format")
    formats = tuple(name for name in known if name in FORMATS)
    readalongs = tuple(name for name in known if name in READALONGS)
    if readalongs and not set(formats) & set(READALONG_AUDIO):
        formats = (*formats, READALONG_AUDIO[0])
    return formats, readalongs


def job_options(options: RenderOptions) -> JobOptions:
    """The options that decide the job; the others decide who renders it."""
    names = declared(RenderOptions).keys() - declared(JobOptions).keys()
    return cast("JobOptions", {name: options[name] for name in options if name not in names})


def _check_options(options: JobOptions) -> None:
    """Raise TypeError for a name that is no option, UsageError for a value that none can have."""
    require_declared(options, JobOptions)
    for name, value in options.items():
        option = declared(JobOptions)[name].option
        choices = tuple(option.choices()) if option.is_closed else ()
        if choices and value is not None and value not in choices:
            hint = did_you_mean(str(value), choices)
            flag = option.flag_of(name)
            raise UsageError(f"{flag} {value}: choose one of {', '.join(choices)}.{hint}")


def _passed_on(options: JobOptions) -> dict[str, Any]:
    """The options that the job has by the same name, as they are; one left out has its default."""
    names = {field.name for field in fields(PassedOn)}
    return {name: value for name, value in options.items() if name in names and value is not None}


def _engine_options(settings: Settings, engine: str, budget: float | None) -> EngineOptions:
    """The settings of all engines, with the budget of this one. Raises UsageError."""
    options = settings.engine_options()
    return options if budget is None else _with_budget(options, engine, budget)


def _speech_model(settings: Settings, chosen: bool | None) -> str:  # noqa: FBT001
    """The model that checks speech; "" for none."""
    is_checked = settings.check_speech if chosen is None else chosen
    return settings.speech_model if is_checked else ""


def _is_readable(path: Path, limits: Limits) -> bool:
    try:
        check_format(path, limits)
    except SourceError:
        return False
    return True


def _address_in(source: str) -> str:
    """The web address that a source is; "" for a path. Raises UsageError for a broken one."""
    found = re.match(r"([a-z][a-z0-9+.-]+):/+", source, re.IGNORECASE)
    # A path has one slash fewer than the address had.
    address = f"{found[1]}://{source[found.end() :]}" if found else ""
    try:
        urlsplit(address)
    except ValueError as error:
        raise UsageError(f"{address} is no address of a web page: {error}.") from error
    return address


def _chosen_credits(
    settings: Settings,
    chosen: bool | None,  # noqa: FBT001
    corrections: Corrections,
    delivery: Delivery,
) -> Credits:
    """The settings' credits. A narrator that is named for this one book wins over theirs.

    They are always said where they have files of their own, unless the user does not want them.
    """
    narrator = "" if "narrator" in corrections.values else settings.credits.narrator
    enabled = settings.credits.enabled if chosen is None else chosen
    if enabled is None and delivery.credits_apart:
        enabled = True
    return replace(settings.credits, enabled=enabled, narrator=narrator)


def _corrections(
    source: Path, named: Mapping[str, str | Sequence[str]], limits: Limits
) -> Corrections:
    """The options that are named, over those of the file beside the book. Raises UsageError."""
    try:
        beside = load_correction_file(source)
        values = {key: [one] if isinstance(one, str) else one for key, one in named.items()}
        corrections = checked_corrections(values, Path.cwd()).over(beside)
        load_cover(corrections, limits)  # a wrong one fails before anything slow begins
    except CorrectionInvalid as error:
        raise UsageError(str(error)) from error
    return corrections


def _read_cast(source: Path, named: str | Path | None) -> tuple[str | None, Cast]:
    """The narrator's voice, if a casting file names one, and the cast. Raises UsageError."""
    path = cast_file_of(source) if named is None else Path(named)
    if path is None:
        return None, Cast()
    try:
        return read_cast(path)
    except CastInvalid as error:
        raise UsageError(str(error)) from error


def _with_budget(options: EngineOptions, engine: str, budget: float) -> EngineOptions:
    """The options with a budget. Raises UsageError if the engine is not one that is paid for."""
    own = own_options(engine, options)
    if not isinstance(own, PaidOptions):
        raise UsageError(f"--budget: {engine} costs nothing. Leave it out.")
    if not open_renderer(engine, options).limits.price_per_million:
        raise UsageError(
            "--budget: the price of this server's model is not known. Set price_per_million under"
            f" [{engine}] in the settings."
        )
    return options.having(replace(own, budget=budget))


def _known_formats(
    formats: str | Sequence[str], known: Collection[str], kind: str
) -> tuple[str, ...]:
    """The formats in order, each once, also of a text. Raises UsageError for an unknown one."""
    formats = split_formats(formats) if isinstance(formats, str) else formats
    for name in formats:
        if name not in known:
            hint = did_you_mean(name, known)
            raise UsageError(
                f"Unknown {kind} {name or 'without a name'}. Known: {', '.join(known)}.{hint}"
            )
    return tuple(dict.fromkeys(formats))
