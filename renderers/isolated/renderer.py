"""An engine with an environment of its own: requests in, audio out. Knows no store.

    request ─▶ rows: cleaned text, voice, language, seed of the key ─▶ workers ─▶ samples

Nothing is started before it is needed. What the model says about itself is kept in the engine's
folder, so a run that finds every shard in the store starts no worker.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from audiomill.inputs.languages.codes import primary_subtag
from audiomill.renderers.engine.errors import EngineFailed, PartlyRendered, UnknownVoice
from audiomill.renderers.engine.protocol import Batch, EngineLimits, Rendered, Request, Voice
from audiomill.renderers.engine.text_renderer import (
    TextRenderer,
    speakable,
    unknown_voice,
    with_silence,
)
from audiomill.renderers.host.hardware import nvidia
from audiomill.renderers.host.waiting import UNATTENDED, Waiter
from audiomill.renderers.isolated.catalogue import EngineSpec, Settings
from audiomill.renderers.isolated.engine_process import Launch
from audiomill.renderers.isolated.environment import environment_of, python_of, write_whole
from audiomill.renderers.isolated.models import Model, find_model
from audiomill.renderers.isolated.options import IsolatedOptions
from audiomill.renderers.isolated.protocol import (
    Hello,
    Message,
    Reference,
    SpokenRow,
    hello_of,
)
from audiomill.renderers.isolated.workers import RowsFailed, Workers
from audiomill.renderers.reference_voices.clones import Clone, ClonedVoices, clone_warnings
from audiomill.renderers.speech.wav import SUFFIX
from audiomill.renderers.takes.retaking import Retaker
from audiomill.renderers.takes.seeds import seed_of

CALLS_PER_BATCH = 4  # of the engine; what is lost if the run is killed
MIXED = "mul"  # the language of a voice that has none of its own


class IsolatedRenderer(TextRenderer):
    """Renders in processes of another Python, one for each device."""

    def __init__(
        self,
        spec: EngineSpec,
        options: IsolatedOptions,
        environments: Path | None = None,
        cloned_voices: Path | None = None,
        n_retakes: int = 0,
    ) -> None:
        """Starts nothing. `cloned_voices` is the folder of voices, if any.

        `n_retakes`: of a segment whose audio is faulty, at most.

        Raises EngineMissing if the engine is not installed.
        """
        self.name = spec.name
        self.title = spec.title
        self._spec = spec
        self._options = options
        self._clones = ClonedVoices(cloned_voices, spec.clone_needs)
        self._environment = environment_of(spec, environments)
        self._python = python_of(spec, options, self._environment)
        self._devices = devices_of(options.device)
        self._settings = all_settings(spec, options)
        rows_per_call = min(spec.rows_per_call, options.batch or _batch_on(self._devices, spec))
        self._rows_per_call = rows_per_call
        self.limits = EngineLimits(
            max_length=spec.max_length,
            max_rows=CALLS_PER_BATCH * rows_per_call * len(self._devices),
            chars_per_s=spec.chars_per_s,
            exact_bits=16,
            speeds=spec.speeds,
            best_length=spec.best_length,
            n_retakes=n_retakes if spec.varies else 0,
        )
        self._retaker = Retaker(self.limits)

    @property
    def sample_rate(self) -> int:
        """That of the model. Raises RenderError."""
        return self._hello.sample_rate

    def voices(self) -> Sequence[Voice]:
        """The model's voices and the cloned ones. Raises RenderError."""
        both = (*self._hello.voices, *self._cloned)
        return tuple(sorted(both, key=lambda voice: voice.name))

    def default_voice(self, language: str) -> str:
        """The first voice of the model that speaks `language`, else of the cloned ones.

        Raises UnknownVoice.
        """
        if not (*self._hello.voices, *self._cloned):
            raise UnknownVoice(
                f"{self._spec.title} has no voice of its own; it needs a recording to clone:"
                ' audiomill voices --add NAME --audio FILE --text "…" --consent "…"'
            )
        for voices in (self._hello.voices, self._cloned):
            for voice in sorted(voices, key=lambda voice: not _is_of(voice, language)):
                try:
                    return self.in_language(voice.name, language)
                except UnknownVoice:
                    continue
        raise UnknownVoice(f"{self._spec.title} does not speak “{language}”.")

    def known_voice(self, name: str) -> str:
        """The name, with the language that it asks for. Raises UnknownVoice, VoiceUnfit."""
        voice, language = self._parts(name)
        self._clone(voice)
        return _named(voice, language)

    def in_language(self, voice: str, language: str) -> str:
        """The voice, told to speak `language`: "Vivian@de". Raises UnknownVoice."""
        base, own_language = self._parts(voice)
        speaks = own_language or base.language
        if primary_subtag(speaks) == primary_subtag(language):
            return voice
        for known in self._hello.languages:
            if primary_subtag(known) == primary_subtag(language):
                return _named(base, known)
        if speaks == MIXED and not self._hello.languages:
            return voice
        raise UnknownVoice(f"{voice} of {self._spec.title} does not speak “{language}”.")

    def warnings(self, voices: Sequence[str]) -> Sequence[str]:
        """The licence, if it forbids something; and what is wrong with recordings."""
        clones = (self._clone(self._parts(name)[0]) for name in voices)
        return (*self._licence_warnings(), *clone_warnings([one for one in clones if one]))

    def _licence_warnings(self) -> tuple[str, ...]:
        """What the licence forbids; or that it is not known, of weights that are not its own."""
        if not self._model.is_official:
            return (
                f"{self._spec.title} speaks with the model {self._options.model}; its licence is"
                " not known.",
            )
        warning = self._spec.licence_warning
        return (warning,) if warning else ()

    def fingerprint(self, voice: str) -> str:
        """Script, packages, model and settings; of a clone, its recording too.

        Raises UnknownVoice, EngineMissing, WeightsUnfit.
        """
        base, language = self._parts(voice)
        clone = self._clone(base)
        spoken_by = f" clone {clone.digest}" if clone else ""
        return f"{self._identity}{spoken_by}{f' in {language}' if language else ''}"

    def render(self, batch: Batch, waiter: Waiter = UNATTENDED) -> list[Rendered]:
        """Render the requests, several at a time where the engine can.

        Raises UnknownVoice, EngineMissing, WeightsUnfit, EngineFailed, PartlyRendered, and what
        stops the run.
        """

        def speak(requests: Sequence[Request], take: int) -> list[Rendered]:
            return with_silence(
                requests, self.sample_rate, lambda said: self._spoken(said, take, waiter)
            )

        return self._retaker.rendered(batch.requests, self.sample_rate, speak, batch.first_take)

    def _spoken(self, requests: Sequence[Request], take: int, waiter: Waiter) -> list[Rendered]:
        """One take of each request. Raises RenderError; PartlyRendered if some are done."""
        rows = [self._row(request, take) for request in requests]
        try:
            return [Rendered(samples) for samples in self._workers.speak(rows, waiter)]
        except RowsFailed as failed:
            done = {requests[at].key: Rendered(samples) for at, samples in failed.samples.items()}
            raise PartlyRendered(str(failed), done) from failed

    def stop(self) -> None:
        """End the workers; the next request starts others."""
        self._workers.stop()

    def _row(self, request: Request, take: int = 0) -> SpokenRow:
        slowest, fastest = self.limits.speeds
        if not slowest <= request.speed <= fastest:
            raise EngineFailed(_unfit_speed(self._spec, request.speed))
        base, language = self._parts(request.voice)
        clone = self._clone(base)
        return SpokenRow(
            text=speakable(request.spoken),
            voice="" if clone else base.name,
            language=language or ("" if base.language == MIXED else base.language),
            speed=request.speed,
            seed=seed_of(request.key, take),
            reference=self._reference(clone) if clone else None,
        )

    def _reference(self, clone: Clone) -> Reference:
        """The voice as a worker gets it, its recording at the model's rate."""
        name = f"{clone.digest}-{self.sample_rate}{SUFFIX}"
        path = self._environment.folder / "references" / name
        try:
            if not path.is_file():
                write_whole(path, clone.cleaned_wav(self.sample_rate))
        except OSError as error:
            raise EngineFailed(f"{path} cannot be written ({error.strerror}).") from error
        return Reference(path, clone.text, clone.settings)

    def _parts(self, name: str) -> tuple[Voice, str]:
        """The voice, and the language that it is told to speak, or "". Raises UnknownVoice."""
        by_name = {voice.name: voice for voice in self.voices()}
        if name in by_name:
            return by_name[name], ""
        base, _, language = name.rpartition("@")
        if base not in by_name:
            self._clones.check(base or name)
            raise UnknownVoice(unknown_voice(self.name, name, list(by_name)))
        known = {primary_subtag(one): one for one in self._hello.languages}
        if primary_subtag(language) not in known:
            raise UnknownVoice(
                f"{self._spec.title} cannot be told to speak “{language}”."
                + (f" Known languages: {', '.join(known.values())}" if known else "")
            )
        return by_name[base], known[primary_subtag(language)]

    def _clone(self, voice: Voice) -> Clone | None:
        """The recording of a cloned voice; None of any other. Raises VoiceUnfit."""
        return self._clones.clone(voice.name) if voice in self._cloned else None

    @cached_property
    def _cloned(self) -> tuple[Voice, ...]:
        """The cloned voices, if the model takes any, without those that it has a voice for."""
        own = {voice.name for voice in self._hello.voices}
        found = self._clones.listed() if self._hello.clones else ()
        return tuple(voice for voice in found if voice.name not in own)

    @cached_property
    def _model(self) -> Model:
        return find_model(self._spec, self._options, self._environment)

    @cached_property
    def _workers(self) -> Workers:
        launch = Launch(
            python=self._python,
            script=self._spec.script,
            model=str(self._model.folder),
            device=self._devices[0],
            settings=self._settings,
            rows_per_call=self._rows_per_call,
            row_timeout_s=self._options.row_timeout_s,
        )
        return Workers(self.name, launch, self._devices)

    @cached_property
    def _identity(self) -> str:
        """What decides the sound of any voice."""
        packages = "own packages" if self._options.python else " ".join(self._spec.packages)
        commit = f" {self._spec.source.commit}" if self._spec.source else ""
        settings = json.dumps(dict(self._settings), sort_keys=True)
        return (
            f"{self.name} sound {self._spec.version} {packages}{commit} {self._model.identity}"
            f" {settings}"
        )

    @cached_property
    def _hello(self) -> Hello:
        """What the model can do, as it was said before, else from a worker. Raises RenderError."""
        digest = hashlib.sha256(self._identity.encode()).hexdigest()[:16]
        kept = self._environment.folder / f"hello-{digest}.json"
        try:
            content = cast("dict[str, Any]", json.loads(kept.read_text("utf-8")))
            return hello_of(Message(content))
        except (OSError, ValueError):
            hello = self._workers.hello(UNATTENDED)
        write_whole(kept, json.dumps({"op": "hello", "protocol": 1, **asdict(hello)}))
        return hello


def all_settings(spec: EngineSpec, options: IsolatedOptions) -> Settings:
    """The engine's settings: its defaults, and what the user has chosen."""
    return tuple({**dict(spec.settings), **dict(options.settings)}.items())


def devices_of(setting: str) -> tuple[str, ...]:
    """The devices that a setting names; "auto" is every NVIDIA GPU, else the CPU."""
    if setting != "auto":
        return tuple(name.strip() for name in setting.split(","))
    return tuple(f"cuda:{number}" for number in range(len(nvidia().gpus))) or ("cpu",)


def _batch_on(devices: Sequence[str], spec: EngineSpec) -> int:
    """Rows for one call: on a CPU each by itself, so that nothing decides its sound but itself."""
    return spec.rows_per_call if devices[0].startswith("cuda") else 1


def _is_of(voice: Voice, language: str) -> bool:
    return primary_subtag(voice.language) == primary_subtag(language)


def _named(voice: Voice, language: str) -> str:
    return f"{voice.name}@{language}" if language else voice.name


def _unfit_speed(spec: EngineSpec, speed: float) -> str:
    slowest, fastest = spec.speeds
    if slowest == fastest:
        return f"{spec.title} has one pace only: leave out --speed {speed:g}."
    return f"{spec.title} speaks at speeds from {slowest:g} to {fastest:g}, not {speed:g}."
