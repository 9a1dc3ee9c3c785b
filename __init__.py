"""Books and articles in, chaptered audio out.

render(source, …)       render a book; returns a report
inspect(source, …)      what a render would speak and skip
kokoro.Synthesizer      Kokoro by itself: texts or phonemes to samples
Report, Inspection      what these two return
Progress                the interface of an object that follows a render

Everything is loaded on first use, so importing this package is fast. `docs/python.md` has examples.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from audiomill.flows.errors import UsageError
    from audiomill.flows.execution.executor import ExecutorError
    from audiomill.flows.execution.run_context import Progress
    from audiomill.flows.pipeline.api import Inspection, inspect, render
    from audiomill.flows.pipeline.report import Report
    from audiomill.inputs.model.book import SourceError
    from audiomill.outputs.types import OutputError
    from audiomill.renderers.engine.errors import RenderError, StoreError
    from audiomill.renderers.kokoro import synthesizer as kokoro

    __version__: str

__all__ = [
    "ExecutorError",
    "Inspection",
    "OutputError",
    "Progress",
    "RenderError",
    "Report",
    "SourceError",
    "StoreError",
    "UsageError",
    "__version__",
    "inspect",
    "kokoro",
    "render",
]

_MODULES = {
    "ExecutorError": "audiomill.flows.execution.executor",
    "Inspection": "audiomill.flows.pipeline.api",
    "OutputError": "audiomill.outputs.types",
    "Progress": "audiomill.flows.execution.run_context",
    "RenderError": "audiomill.renderers.engine.errors",
    "Report": "audiomill.flows.pipeline.report",
    "SourceError": "audiomill.inputs.model.book",
    "StoreError": "audiomill.renderers.engine.errors",
    "UsageError": "audiomill.flows.errors",
    "inspect": "audiomill.flows.pipeline.api",
    "render": "audiomill.flows.pipeline.api",
}


def __getattr__(name: str) -> Any:
    """Import what is public when it is first used (PEP 562)."""
    if name == "kokoro":
        return import_module("audiomill.renderers.kokoro.synthesizer")
    if name == "__version__":
        # Half the time of importing this package would be this module's.
        return import_module("importlib.metadata").version("audiomill")
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module 'audiomill' has no attribute {name!r}")
