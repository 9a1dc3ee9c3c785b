"""The engines that read a podcast. What `auto` has become is kept for later runs.

A podcast whose voice changes from one day to the next is another one: only a person changes it.
"""

from __future__ import annotations

from dataclasses import replace

from audiomill.flows.engine_choice import choose_engine
from audiomill.flows.options import AUTO
from audiomill.flows.podcast.config.show import PodcastShow, SpeechChoice
from audiomill.flows.podcast.state import ShowState
from audiomill.flows.settings import Settings
from audiomill.renderers.base import EngineMissing, RenderError
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.registry import check_engine

_AUTO_ENGINE = "auto_engine"  # the name of the remembered value


def with_engines(
    show: PodcastShow, settings: Settings, state: ShowState
) -> tuple[PodcastShow, tuple[str, ...]]:
    """(the show with the name of an engine wherever one speaks, warnings).

    Raises EngineMissing if the engine that `auto` became cannot speak here now.
    """
    general = show.speech.engine or settings.engine
    names = {general, *(one.speech.engine or general for one in show.sources)}
    engine, warnings = "", ()
    if AUTO in names:
        engine, warnings = _auto_engine(settings.engine_options(), state)

    def named(speech: SpeechChoice) -> SpeechChoice:
        name = speech.engine or general
        return replace(speech, engine=engine if name == AUTO else name)

    sources = tuple(replace(one, speech=named(one.speech)) for one in show.sources)
    return replace(show, speech=named(show.speech), sources=sources), warnings


def engines_of(show: PodcastShow) -> tuple[str, ...]:
    """The engines that read the sources of a show `with_engines`, each once."""
    return tuple(dict.fromkeys(filter(None, (one.speech.engine for one in show.sources))))


def _auto_engine(options: EngineOptions, state: ShowState) -> tuple[str, tuple[str, ...]]:
    """(the engine of the show, warnings). The first one is remembered. Raises EngineMissing."""
    engine, warnings = choose_engine(AUTO, options)
    kept = state.value(_AUTO_ENGINE)
    if kept == engine:
        return engine, warnings
    if not kept:
        state.save_value(_AUTO_ENGINE, engine)
        first = f"“{AUTO}” has become {engine}, and stays so in later runs of this podcast."
        return engine, (first, *warnings)
    change = f'write engine = "{engine}" under [speech] in its file'
    try:
        check_engine(kept, options)
    except RenderError as error:
        raise EngineMissing(
            f"This podcast is read by {kept}, which cannot speak here now. Nothing is made, so that"
            f" its voice does not change. To change it, {change}. {error}"
        ) from error
    told = f"This podcast stays with {kept}, though “{AUTO}” would be {engine} now. To change it,"
    return kept, (f"{told} {change}.",)
