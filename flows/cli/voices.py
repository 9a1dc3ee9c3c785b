"""`audiomill voices`: lists an engine's voices."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from audiomill.flows.console import put, put_json, say
from audiomill.flows.make_job import choose_engine
from audiomill.flows.settings import load_settings
from audiomill.renderers.options import EngineOptions
from audiomill.renderers.registry import open_renderer


def run(arguments: argparse.Namespace) -> int:
    """Print all voices, or those of one language."""
    settings = load_settings()
    options = EngineOptions(kokoro=settings.kokoro)
    engine, warnings = choose_engine(arguments.engine or settings.engine, options)
    for warning in warnings:
        say(f"Warning: {warning}")
    renderer = open_renderer(engine, options)
    language = arguments.language.lower()
    voices = [voice for voice in renderer.voices() if voice.language.lower().startswith(language)]
    if arguments.json:
        put_json({"engine": renderer.name, "voices": [asdict(voice) for voice in voices]})
        return 0
    if not voices:
        say(f"{renderer.name} has no voice for “{arguments.language}”.")
    for voice in voices:
        put(f"{voice.name:20} {voice.language:12} {voice.gender:8} {voice.description}".rstrip())
    return 0
