"""What must be there before anything is measured: weights, and the devices that are meant."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from flows.bench.making import Maker
from flows.bench.options import Order, WrongOrder
from flows.bench.telling import Teller
from flows.bench.variants import Device
from flows.bench.worker import Worker, WorkFailed
from renderers.kokoro.official import FIRST_CHOICES
from renderers.options import PRECISIONS, EngineOptions, KokoroOptions
from renderers.registry import check_kokoro
from renderers.shard import EngineFailed, EngineMissing, RenderError


def prepared(
    order: Order, folder: Path, teller: Teller
) -> tuple[KokoroOptions, tuple[Device, ...]]:
    """Which weights are spoken with, and which devices are meant.

    Raises EngineMissing, EngineFailed, WrongOrder.
    """
    options = KokoroOptions(weights=order.weights, release=order.release)
    if order.engine != "kokoro":
        lacks = {one: f"{order.engine} does not have it" for one in PRECISIONS if one != "float32"}
        return options, (Device("cpu", lacks),)
    if not order.random_weights:
        _refuse_missing(options)
    try:
        with Worker(Maker, folder) as maker:
            devices = _devices(order, maker)
            if order.random_weights:
                teller.say("making random weights")
                options = replace(options, weights=maker.ask("random_model", FIRST_CHOICES))
    except WorkFailed as error:
        raise EngineFailed(str(error)) from error
    return options, devices


def with_ceilings(devices: tuple[Device, ...], folder: Path, teller: Teller) -> tuple[Device, ...]:
    """With what each could do at most, measured now. Raises EngineFailed."""
    try:
        with Worker(Maker, folder) as maker:
            return tuple(_measured(device, maker, teller) for device in devices)
    except WorkFailed as error:
        raise EngineFailed(str(error)) from error


def _measured(device: Device, maker: Worker, teller: Teller) -> Device:
    """Raises WorkFailed."""
    teller.say(f"measuring what {device.name} can do at most")
    return replace(device, ceilings=maker.ask("ceilings", device.name))


def _devices(order: Order, maker: Worker) -> tuple[Device, ...]:
    """Each once. Raises WorkFailed, WrongOrder if none has a precision that is asked for."""
    found: list[Device] = [maker.ask("device", name) for name in order.devices]
    devices = tuple({one.name: one for one in found}.values())
    lacks = [one.lacks.get(precision, "") for one in devices for precision in order.precisions]
    if lacks and all(lacks):
        raise WrongOrder(f"--precision {','.join(order.precisions)}: {lacks[0]}.")
    return devices


def _refuse_missing(options: KokoroOptions) -> None:
    """Raise EngineMissing, which says what can be done without them, if there are no weights."""
    try:
        check_kokoro(EngineOptions(options))
    except RenderError as error:
        raise EngineMissing(f"{error} To measure speed without them: --random-weights") from error
