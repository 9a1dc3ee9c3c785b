"""The voice of an engine by its name; of one that it has not, which engine has it.

Loads what voices are known of without a process, a model or a server.
"""

from __future__ import annotations

from audiomill.renderers.engine.errors import RenderError, UnknownVoice
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.engine.protocol import Renderer
from audiomill.renderers.engine.registry import DEFAULTS, open_renderer, quick_engine_names
from audiomill.renderers.isolated.catalogue import isolated_specs


def known_voice(renderer: Renderer, name: str, options: EngineOptions = DEFAULTS) -> str:
    """The canonical form of a voice's name.

    Raises UnknownVoice, which names the engine that has the voice, if another one has it.
    """
    try:
        return renderer.known_voice(name)
    except UnknownVoice:
        if _is_cloned(name, options):
            raise UnknownVoice(_cannot_clone(renderer.name, name)) from None
        for other in quick_engine_names():
            if other != renderer.name and _has_voice(other, name, options):
                raise UnknownVoice(
                    f"{renderer.name} has no voice {name!r}, but {other} has:"
                    f" add --engine {other}. All of {renderer.name}'s:"
                    f" audiomill voices --engine {renderer.name}"
                ) from None
        raise


def _has_voice(engine: str, name: str, options: EngineOptions) -> bool:
    try:
        open_renderer(engine, options).known_voice(name)
    except RenderError:
        return False
    return True


def _is_cloned(name: str, options: EngineOptions) -> bool:
    """Whether a folder of cloned voices has this one, whatever engine can speak with it."""
    # Imported here: most voices are known without it.
    from audiomill.renderers.reference_voices.clones import cloning_engines, read_voices

    found = read_voices(options.cloned_voices, cloning_engines())
    return any(voice.name == name.partition("@")[0] for voice in found.voices)


def _cannot_clone(engine: str, name: str) -> str:
    from audiomill.renderers.reference_voices.clones import cloning_engines

    specs = [spec for spec in isolated_specs().values() if spec.clone_needs]
    names = [spec.name for spec in specs]
    conditions = (f"; {one.title} does with {one.clones_with}" for one in specs if one.clones_with)
    servers = [one.title for one in cloning_engines() if one.engine not in names]
    return (
        f"{engine} does not clone voices, or not with its model, or not {name}, which is a cloned"
        f" one. Choose an engine that does: {', '.join(names)}{''.join(conditions)}."
        f" Of servers, these do: {', '.join(servers)}."
    )
