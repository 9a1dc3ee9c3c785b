"""Makes an engine's environment, step by step. A step that was stopped is done again.

    venv ─▶ packages of the lock ─▶ the engine's own code ─▶ imports ─▶ models ─▶ state.json

Packages come from where the user's pip or uv takes them: nothing here names an index. Each file is
one whose hash the lock has; a model is the one of the first installation (`models.py`).
"""

from __future__ import annotations

import shutil
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from audiomill.renderers.engine.errors import EngineMissing
from audiomill.renderers.host.foreign_process import run_program
from audiomill.renderers.isolated.catalogue import CodeSource, EngineSpec
from audiomill.renderers.isolated.engine_process import WorkerFault, fetch_model
from audiomill.renderers.isolated.environment import (
    STATE,
    Environment,
    Installed,
    pinned_packages,
)
from audiomill.renderers.isolated.models import (
    check_model,
    lock_model,
    locked_models,
    model_lock_path,
    named_model,
)
from audiomill.renderers.isolated.options import IsolatedOptions
from audiomill.renderers.isolated.package_indexes import uv_variables

KEPT_LINES = 6  # of a program that failed, in the message
GIB = 1 << 30
PATH_FILE = "audiomill-source.pth"
VERSION = "import sys; print('.'.join(map(str, sys.version_info[:3])))"
SITE_PACKAGES = "import sysconfig; print(sysconfig.get_path('purelib'))"

OTHER_BUILDS = (
    "\nOnly files whose hashes audiomill knows are installed. An index with builds of its own, for"
    " example PyTorch's for CPUs, has others: install without it, or make an environment yourself"
    " and name its interpreter in the settings (python)."
)

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class EnvironmentSetup:
    """One installation: where, and who is told of it."""

    environment: Environment
    tell: Tell
    uv: Path | None  # None: pip

    @property
    def spec(self) -> EngineSpec:
        """The engine."""
        return self.environment.spec

    def run(self, *words: str | Path, variables: Mapping[str, str] | None = None) -> str:
        """Run a program; its last line. Raises EngineMissing, with its last lines."""
        printed: deque[str] = deque(maxlen=KEPT_LINES)

        def keep(line: str) -> None:
            if line.strip():
                printed.append(line)

        try:
            code = run_program(words, keep, variables)
        except OSError as error:
            code, printed = -1, deque([str(error)])
        if code:
            lines = "".join(f"\n    {line}" for line in printed)
            raise EngineMissing(
                f"{self.spec.title} could not be installed: {Path(words[0]).name} failed."
                f" The same command goes on from there.{lines}"
            )
        return printed[-1] if printed else ""


def install(
    environment: Environment,
    options: IsolatedOptions,
    tell: Tell,
    *,
    accept_models: bool = False,
) -> Installed:
    """Make the environment, or finish or repair one. Raises RenderError, and what `tell` raises.

    `accept_models`: take the models as the hub has them now, whatever they were before. The caller
    holds the engine's lock.
    """
    environment.check_own()
    setup = EnvironmentSetup(environment, tell, find_uv())
    _check_room(environment)
    python = _make_venv(setup)
    _install_packages(setup)
    if source := environment.spec.source:
        _install_source(setup, source)
    tell("checking that it can be imported")
    imports = "; ".join(f"import {module}" for module in environment.spec.imports)
    setup.run(environment.python, "-I", "-c", imports)
    done = environment.installed() or Installed("", "")
    done = replace(done, lock=environment.wanted, python=python)
    environment.keep(done)
    if accept_models:
        model_lock_path(environment).unlink(missing_ok=True)
    return _fetch_models(setup, options, done)


def remove(environment: Environment) -> bool:
    """Delete the environment; whether there was one.

    Raises OSError; EngineMissing if its folder is a person's.
    """
    if not environment.folder.exists():
        return False
    environment.check_own()
    (environment.folder / STATE).unlink(missing_ok=True)  # what is half deleted is not installed
    shutil.rmtree(environment.folder)
    return True


def import_lack(environment: Environment) -> str:
    """Why the installed engine cannot be imported; "" if it can. Imports nothing of it."""
    modules = [module.partition(".")[0] for module in environment.spec.imports]
    code = (
        "import sys\nfrom importlib.util import find_spec\n"
        "print(','.join(name for name in sys.argv[1:] if find_spec(name) is None))"
    )
    try:
        lacking = EnvironmentSetup(environment, print, None).run(
            environment.python, "-I", "-c", code, *modules
        )
    except EngineMissing as error:
        return str(error)
    return f"it has no {lacking}" if lacking else ""


def find_uv() -> Path | None:
    """uv, beside this interpreter or on the path."""
    beside = Path(sys.executable).with_name("uv")
    found = str(beside) if beside.exists() else shutil.which("uv")
    return Path(found) if found else None


def _check_room(environment: Environment) -> None:
    """Raise EngineMissing if the disk has no room for it."""
    folder = environment.folder
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    free_gib = shutil.disk_usage(existing).free / GIB
    needed_gib = environment.spec.disk_gib
    if environment.installed() is None and free_gib < needed_gib:
        raise EngineMissing(
            f"{environment.spec.title} needs {needed_gib:.0f} GiB, and {existing} has"
            f" {free_gib:.1f} GiB left. Make room, or name another folder in the settings:"
            " environments"
        )


def _make_venv(setup: EnvironmentSetup) -> str:
    """Make the virtual environment unless it works; the version of its Python."""
    environment = setup.environment
    try:
        found = setup.run(environment.python, "-I", "-c", VERSION)
    except EngineMissing:
        found = ""
    if found and _fits(environment.spec, found):
        return found
    shutil.rmtree(environment.venv, ignore_errors=True)
    environment.folder.mkdir(parents=True, exist_ok=True)
    python = find_python(setup)
    setup.tell(f"making {environment.venv} with Python {python}")
    if setup.uv:
        setup.run(setup.uv, "venv", "--python", python, environment.venv)
    else:
        setup.run(python, "-m", "venv", environment.venv)
    return setup.run(environment.python, "-I", "-c", VERSION)


def find_python(setup: EnvironmentSetup) -> str:
    """A Python that the engine runs on: a path, or for uv a version. Raises EngineMissing."""
    lowest, highest = setup.spec.pythons
    names = [sys.executable, *(f"python3.{minor}" for minor in range(highest, lowest - 1, -1))]
    for name in names:
        try:
            version = setup.run(name, "-I", "-c", VERSION)
        except EngineMissing:  # there is none, or it is a version manager's that does not run
            continue
        if _fits(setup.spec, version):
            return name
    if setup.uv:
        return f"3.{highest}"  # which uv downloads
    wanted = f"3.{lowest}" if lowest == highest else f"3.{lowest} to 3.{highest}"
    raise EngineMissing(
        f"{setup.spec.title} needs Python {wanted}, and there is none here. Install it, or"
        " uv, which brings it."
    )


def _fits(spec: EngineSpec, version: str) -> bool:
    major, minor = (int(part) for part in version.split(".")[:2])
    return major == 3 and spec.pythons[0] <= minor <= spec.pythons[1]


def _install_packages(setup: EnvironmentSetup) -> None:
    """Install the packages of the lock: a file whose hash is not in it is refused."""
    environment, lock = setup.environment, setup.spec.lock
    packages = pinned_packages(lock)
    n_packages = sum(1 for line in packages.splitlines() if line[:1].isalnum())
    setup.tell(f"installing {n_packages} packages")
    if setup.uv:
        words: Sequence[str | Path] = (
            setup.uv, "pip", "install", "--quiet", "--python", environment.python,
        )  # fmt: skip
        variables = uv_variables()
    else:
        pip = (environment.python, "-m", "pip", "--disable-pip-version-check")
        words, variables = (*pip, "install", "--quiet"), None
    try:
        setup.run(*words, "--require-hashes", "-r", lock, variables=variables)
    except EngineMissing as error:
        raise EngineMissing(
            f"{error}{OTHER_BUILDS if 'hash' in str(error).lower() else ''}"
        ) from error


def _install_source(setup: EnvironmentSetup, source: CodeSource) -> None:
    """Check out the engine's own code, and have Python find it."""
    environment = setup.environment
    folder = environment.source
    git = ("git", "-C", folder)
    setup.tell(f"fetching {source.url}")
    folder.mkdir(parents=True, exist_ok=True)
    setup.run("git", "init", "--quiet", folder)
    setup.run(*git, "fetch", "--quiet", "--depth", "1", source.url, source.commit)
    setup.run(*git, "checkout", "--quiet", "--force", source.commit)
    setup.run(*git, "submodule", "update", "--quiet", "--init", "--depth", "1")
    packages = Path(setup.run(environment.python, "-I", "-c", SITE_PACKAGES))
    lines = (str((folder / name).resolve()) for name in source.folders)
    (packages / PATH_FILE).write_text("\n".join(lines) + "\n", "utf-8")


def _fetch_models(setup: EnvironmentSetup, options: IsolatedOptions, done: Installed) -> Installed:
    """Download the models that are not in a folder of the user's, as they were the first time.

    Raises EngineMissing; WeightsUnfit if the hub has other files for the same commit.
    """
    environment = setup.environment
    repository, _ = named_model(environment.spec, options)
    models = dict(done.models)
    names = [*filter(None, (repository, *environment.spec.more_models))]
    if names and environment.spec.loads_code:
        setup.tell(
            f"Warning: its PyTorch runs code that is in a model's files, if there is any. You trust"
            f" those who publish {' and '.join(names)}."
        )
    for name in names:
        models[name] = str(_fetch_model(setup, name))
        done = replace(done, models=dict(models))
        environment.keep(done)
    return done


def _fetch_model(setup: EnvironmentSetup, name: str) -> Path:
    """The folder of a model of the hub. The first time its files are noted, then compared."""
    environment = setup.environment
    locked = locked_models(environment).get(name)
    revision = locked.revision if locked else ""
    setup.tell(f"downloading the model {name}, unless it is here")
    try:
        folder = fetch_model(environment.python, environment.spec.script, name, revision)
    except WorkerFault as fault:
        raise EngineMissing(
            f"The packages of {environment.spec.title} are installed, but its model {name}"
            f"{f' ({revision[:16]})' if revision else ''} could not be downloaded: {fault.shown()}"
        ) from fault
    if locked:
        check_model(environment, name, folder)
    else:
        lock_model(environment, name, folder)
    return folder
