"""The engines and servers that clone voices, with what each needs. Loads none of them."""

from __future__ import annotations

from audiomill.renderers.isolated.specs import isolated_specs
from audiomill.renderers.reference_voices.needs import CloneNeeds
from audiomill.renderers.servers.profiles import PROFILES

FISH = CloneNeeds("fish", "fish-speech")  # with the profile local
COSYVOICE_SERVER = CloneNeeds("cosyvoice-server", "CosyVoice's server", "helps")
COSYVOICE_RATE = 24_000  # Hz, of recordings: it takes 16,000 and more


def cloning_engines() -> tuple[CloneNeeds, ...]:
    """All of them: engines with an environment of their own, then servers."""
    needs = [one.clone_needs for one in (*isolated_specs().values(), *PROFILES.values())]
    return (*(one for one in needs if one is not None), FISH, COSYVOICE_SERVER)
