"""The engines that read a podcast, and whether they have its voices and speeds.

What `auto` has become is kept for later runs. Voices are checked before anything is fetched.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from audiomill.flows.engine_settings import choose_engine
from audiomill.flows.errors import UsageError
from audiomill.flows.known_voice import known_voice
from audiomill.flows.options import AUTO
from audiomill.flows.pipeline.planning.voices import check_speed
from audiomill.flows.podcast.show_file import wrong_values
from audiomill.flows.podcast.show_problems import Problem
from audiomill.flows.podcast.show_settings import (
    ShowSettings,
    SourceChoice,
    SpeechChoice,
    speech_of,
)
from audiomill.flows.podcast.state import ShowState
from audiomill.flows.settings import Settings
from audiomill.inputs.toml_text import Key
from audiomill.renderers.engine.errors import EngineFailed, EngineMissing, RenderError, UnknownVoice
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.engine.registry import (
    check_engine,
    open_renderer,
    quick_engine_names,
)

_AUTO_ENGINE = "auto_engine"  # the name of the remembered value
_CHECKED = "checked_speech"  # the name of the remembered value


def with_engines(
    show: ShowSettings, settings: Settings, state: ShowState
) -> tuple[ShowSettings, tuple[str, ...]]:
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


def engines_of(show: ShowSettings) -> tuple[str, ...]:
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
    message = (
        f"This podcast stays with {kept}, though “{AUTO}” would be {engine} now. To change it,"
    )
    return kept, (f"{message} {change}.",)


@dataclass(frozen=True, slots=True)
class _Choice:
    """The speech of a source, and what of it stands in a table of the source's own."""

    speech: SpeechChoice
    own: SpeechChoice
    own_table: tuple[Key, ...] = ()

    def path_of(self, key: str) -> tuple[Key, ...]:
        """Where the value of a key stands."""
        return (*(self.own_table if getattr(self.own, key) else ("speech",)), key)


def check_speech(show: ShowSettings, path: Path, settings: Settings, state: ShowState) -> None:
    """Make sure that engines have the voices and speeds of the show in `path`, `with_engines`.

    What takes a process or a server to know is asked once for the same choices. A server that does
    not answer is asked again when there is something to read.

    Raises UsageError, which names the lines; UnknownEngine, EngineMissing, WeightsUnfit.
    """
    choices = list(_choices(show, settings))
    options = settings.engine_options()
    is_checked = state.value(_CHECKED) == repr(choices)
    due = [one for one in choices if not is_checked or one.speech.engine in quick_engine_names()]
    if problems := [problem for one in due for problem in _problems(one, options)]:
        raise wrong_values(path, dict.fromkeys(problems))
    if not is_checked:
        state.save_value(_CHECKED, repr(choices))


def _choices(show: ShowSettings, settings: Settings) -> Iterator[_Choice]:
    """The speech of each source, and that of digests."""
    for index, source in enumerate(show.sources):
        speech = _choose_speech(speech_of(source, show), settings)
        yield _Choice(speech, source.speech, ("sources", index, "speech"))
    if show.digest is not None:
        yield _Choice(_choose_speech(speech_of(SourceChoice(), show), settings), SpeechChoice())


def _choose_speech(speech: SpeechChoice, settings: Settings) -> SpeechChoice:
    voice = speech.voice or settings.voice
    return SpeechChoice(speech.engine, voice, speech.speed or settings.speed)


def _problems(choice: _Choice, options: EngineOptions) -> Iterator[Problem]:
    speech = choice.speech
    engine, _ = choose_engine(speech.engine or "", options)
    renderer = open_renderer(engine, options)
    try:
        check_speed(speech.speed or 1.0, renderer)
    except UsageError as error:
        yield choice.path_of("speed"), f"{error}"
    with suppress(EngineFailed):
        try:
            if speech.voice:
                known_voice(renderer, speech.voice, options)
        except UnknownVoice as error:
            yield choice.path_of("voice"), f"voice: {error}"
