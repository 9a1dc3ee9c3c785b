"""Where things lie, for what a test starts: importing this takes no time."""

import os
from pathlib import Path

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "inputs" / "samples"
# What a test starts can import `support`, and the same audiomill as the test.
TESTS_PATH = os.pathsep.join(filter(None, (str(ROOT / "tests"), os.environ.get("PYTHONPATH"))))
