"""An engine of another package, as docs/engines.md shows one, works without a change of ours."""

import json

import numpy as np
import pytest
import soundfile as sf

from support.book_data import write_book
from support.documents import blocks, documented
from support.home import Home
from support.paths import ROOT, TESTS_PATH

pytestmark = pytest.mark.prove

PAGE = (ROOT / "docs" / "engines.md").read_text("utf-8")
(MODULE,) = (one for one in blocks("python", PAGE) if "MorseRenderer" in one)
(PROJECT, SETTINGS) = (one for one in blocks("toml", PAGE) if "morse" in one)


PAID = """
from dataclasses import dataclass
from typing import Literal
from audiomill_morse import ENGINE as MORSE
from audiomill.renderers.engine.declaration import Engine
from audiomill.renderers.engine.options import PaidOptions

@dataclass(frozen=True, slots=True, kw_only=True)
class Options(PaidOptions):
    model: Literal["small", "large"] = "small"

    def facts(self):
        return {"paid": f"{self.model}, {self.budget}"}

def unset():
    raise LookupError("no model is chosen")

ENGINE = Engine("paid", MORSE.open, options=Options)
UNSET = Engine("unset", MORSE.open, options=unset)
"""
# `audiomill …` in a fork of what has looked for engines before.
PROGRAM = """
import sys
from audiomill.flows.cli.main import main
from audiomill.renderers.engine import registry
sys.path.insert(0, {!r})
registry.external_engines.cache_clear()
sys.exit(main())
"""


@pytest.fixture
def installed(home):
    """A home whose Python has the package of the page, as pip leaves it."""
    packages = home.path / "packages"
    metadata = packages / "audiomill_morse-1.0.dist-info"
    metadata.mkdir(parents=True)
    (packages / "audiomill_morse.py").write_text(MODULE)
    (packages / "audiomill_broken.py").write_text("import no_such_module\n")
    (packages / "audiomill_paid.py").write_text(PAID)
    (metadata / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: audiomill-morse\nVersion: 1.0\n"
    )
    (entry,) = (line for line in PROJECT.splitlines() if line.startswith("morse"))
    (metadata / "entry_points.txt").write_text(
        f"[audiomill.engines]\n{entry.replace(chr(34), '')}\n"
        "tone = audiomill_morse:ENGINE\nbroken = audiomill_broken:ENGINE\n"
        "paid = audiomill_paid:ENGINE\nunset = audiomill_paid:UNSET\n"
    )
    return Home(home.path, home.variables, ("-c", PROGRAM.format(str(packages))), imports=())


def test_it_is_listed_with_its_licence_and_the_broken_one_says_why(installed, home):
    paths = f"{installed.path / 'packages'}:{TESTS_PATH}"
    run = home.with_variables(PYTHONPATH=paths).run_program("engines", "--json")
    engines = {one["name"]: one for one in json.loads(run.stdout)["engines"]}
    morse, broken = engines["morse"], engines["broken"]
    assert (morse["state"], morse["code_licence"], morse["runs"]) == ("ready", "CC0-1.0", "here")
    assert broken["state"] == "broken"
    assert "audiomill_broken:ENGINE: ModuleNotFoundError: No module named" in broken["missing"]
    assert engines["tone"]["code_licence"] == "AGPL-3.0-or-later"  # ours stays ours
    assert "1 voice at 16000 Hz" in installed.run("doctor").stdout
    assert "key" in installed.run("voices", "--engine", "morse").stdout
    assert "morse" in installed.run("completion", "bash").stdout
    refused = installed.run(
        "render", write_book(installed.path / "b.md", 1, 1), "--engine", "broken"
    )
    assert (refused.returncode, "no_such_module" in refused.stderr) == (4, True)


def test_it_speaks_a_book_and_a_setting_changes_its_sound(installed):
    write_book(installed.path / "book.md", 1, 4)
    command = documented("audiomill render book.md --engine morse")[2:]
    first = installed.render(*command, "--format", "flac")
    assert loudest_hz(first) == pytest.approx(600, abs=5)
    assert first["cached"] == 0 < first["rendered"]
    assert installed.render(*command, "--format", "flac")["rendered"] == 0
    (installed.path / "audiomill.toml").write_text(SETTINGS)
    lower = installed.render(*command, "--format", "flac")
    assert loudest_hz(lower) == pytest.approx(440, abs=5)
    (installed.path / "audiomill.toml").write_text("[engines.morse]\npitch = 440\n")
    wrong = installed.run("render", *command)
    assert "morse has no setting pitch. Did you mean pitch_hz?" in wrong.stderr


def test_its_settings_have_types_and_a_broken_one_stops_no_other(installed):
    assert "small, None" in installed.run("doctor").stdout  # without a table, too
    settings = installed.path / "audiomill.toml"
    settings.write_text("[engines.paid]\nbudget = 2.5\n[engines.unset]\nmodel = 'x'\n")
    run = installed.run("doctor")
    assert "small, 2.5" in run.stdout
    assert "its options: LookupError: no model is chosen" in installed.run("engines").stderr
    settings.write_text("[engines.paid]\nmodel = 'huge'\n")
    wrong = installed.run("doctor").stderr
    assert "paid.model is 'huge'; write one like 'small': Input should be" in wrong


def loudest_hz(summary):
    (file,) = summary["files"]
    samples, rate = sf.read(file["path"])
    spectrum = np.abs(np.fft.rfft(samples))
    return np.argmax(spectrum) * rate / samples.size
