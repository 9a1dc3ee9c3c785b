"""The engines and servers that clone voices, with what each needs. Loads none of them."""

from __future__ import annotations

from audiomill.renderers.isolated.specs import isolated_specs
from audiomill.renderers.openai.options import ServerOptions
from audiomill.renderers.openai.profiles import PROFILES, profile_named
from audiomill.renderers.reference_voices.needs import CloneNeeds

FISH = CloneNeeds("fish", "fish-speech")  # with the profile local
COSYVOICE_SERVER = CloneNeeds("cosyvoice-server", "CosyVoice's server", "helps")
COSYVOICE_RATE = 24_000  # Hz, of recordings: it takes 16,000 and more


def cloning_engines() -> tuple[CloneNeeds, ...]:
    """All of them: engines with an environment of their own, then servers with usual models."""
    servers = [one.of_model(one.model) for one in PROFILES.values()]
    needs = [one.clone_needs for one in (*isolated_specs().values(), *servers)]
    return (*(one for one in needs if one is not None), FISH, COSYVOICE_SERVER)


def needs_of_server(options: ServerOptions) -> CloneNeeds | None:
    """What the server of the engine `openai` needs, with its model; None if it takes no recording.

    Raises UnknownEngine.
    """
    profile = profile_named(options.profile)
    return profile.clone_needs_with(options.model or profile.model)
