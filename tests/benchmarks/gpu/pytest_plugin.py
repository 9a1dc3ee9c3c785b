"""pytest's settings for the tests of exactness, in place of `tests/conftest.py`.

That imports what a machine for the card alone need not have. The tests of exactness use no fixture
of it. Upstream's model is imported without its package, which wants spaCy and misaki.
"""

from hypothesis import HealthCheck, settings

from audiomill.renderers.engine.errors import EngineMissing
from benchmarks.rivals.upstream import upstream_module

settings.register_profile(
    "gpu", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("gpu")
try:
    upstream_module("kokoro.model")
except EngineMissing as error:
    print(f"Tests beside upstream will fail: {error}")
