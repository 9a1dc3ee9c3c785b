"""The faults of each engine, or of what stands behind it: how each begins, and what is then told.

    fault            what is wrong
    voice            the voice that the user names is not there
    key, quota       the key is missing or refused; what was paid for is used up
    down             nothing answers, or the engine's process dies
    page             a web page comes instead of audio
    truncated        less comes than should
    wrong rate       audio of another rate than the engine's
    default voice    another voice speaks than the one that was asked for

Where a fault cannot be, its place has the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from support.engine_stands import LISTED

FAULTS = (*("voice", "key", "quota", "down", "page", "truncated", "wrong rate", "default voice"),)


@dataclass(frozen=True)
class Fault:
    """A fault, and what the last line of stderr then says."""

    words: str
    # How what stands behind the engine then behaves. {}: the fault is the user's own.
    behaviour: Mapping[str, Any] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)


def _no_voice(words: str, voice: str = "nobody") -> Fault:
    return Fault(words, arguments=("--voice", voice))


def _no_key(words: str, variable: str) -> Fault:
    return Fault(words, variables={variable: ""})


def _lasting(words: str, **behaviour: Any) -> Fault:
    """One that the run waits to end, but not for five minutes."""
    return Fault(words, behaviour, variables={"AUDIOMILL_OUTAGE_S": "0.5"})


NO_CREDIT = "no credit left"
SILENT_S = "has not answered for "
A_PAGE = "a web page instead of audio"
THREE_TIMES = "answers one text 3 times with audio that was cut off"
FREE = "it costs nothing"
AT_HOME = "a server at home that is started without a key asks for none"
NOT_HEARD = "no audio tells whose voice it is, and a voice that is not listed is never asked for"
NO_SERVER = "it runs in this process"
CUT_IN_BODY = {"faults": {"cut in body": 1.0}}

MATRIX: Mapping[str, Mapping[str, Fault | str]] = {
    "openai": {
        "voice": _no_voice("openai has no voice 'nobody'"),
        "key": _no_key("Put a valid one into OPENAI_API_KEY", "OPENAI_API_KEY"),
        "quota": Fault(NO_CREDIT, {"quota": 0}),
        "down": _lasting(SILENT_S, is_down=True),
        "page": Fault(A_PAGE, {"lie": "page"}),
        "truncated": _lasting(SILENT_S, **CUT_IN_BODY),
        "wrong rate": Fault("sends audio of 44100 Hz, not of 24000", {"lie": "wrong rate"}),
        "default voice": NOT_HEARD,
    },
    "kokoro-fastapi": {
        "voice": _no_voice("openai has no voice 'nobody'"),
        "key": AT_HOME,
        "quota": FREE,
        "down": _lasting(SILENT_S, is_down=True),
        "page": Fault("a web page instead of", {"lie": "page"}),
        "truncated": _lasting(SILENT_S, **CUT_IN_BODY),
        "wrong rate": Fault("sends audio of 44100 Hz, not of 24000", {"lie": "wrong rate"}),
        "default voice": NOT_HEARD,
    },
    "vllm-omni": {
        "voice": _no_voice("openai has no voice 'nobody'"),
        "key": AT_HOME,
        "quota": FREE,
        "down": _lasting(SILENT_S, is_down=True),
        "page": Fault(A_PAGE, {"lie": "page"}),
        "truncated": Fault(THREE_TIMES, {"lie": "cut off"}),
        "wrong rate": Fault("sends audio of 44100 Hz, not of 24000", {"lie": "wrong rate"}),
        "default voice": NOT_HEARD,
    },
    "fish cloud": {
        "voice": _no_voice("no such voice", "e" * 32),
        "key": _no_key("into FISH_API_KEY", "FISH_API_KEY"),
        "quota": Fault(NO_CREDIT, {"quota": 0}),
        "down": _lasting(SILENT_S, fault="down"),
        "page": Fault(A_PAGE, {"lie": "page"}),
        "truncated": _lasting(SILENT_S, lie="cut off"),
        "wrong rate": Fault("set sample_rate = 24000", {"lie": "wrong rate"}),
        "default voice": "the service refuses a voice that it lacks",
    },
    "fish local": {
        "voice": _no_voice("fish has no voice 'nobody'"),
        "key": AT_HOME,
        "quota": FREE,
        "down": _lasting(SILENT_S, fault="down"),
        "page": Fault(A_PAGE, {"lie": "page"}),
        "truncated": Fault(THREE_TIMES, {"lie": "cut off"}),
        "wrong rate": Fault("set sample_rate = 24000", {"lie": "wrong rate"}),
        "default voice": NOT_HEARD,
    },
    "cosyvoice-server": {
        "voice": _no_voice("cosyvoice-server has no voice 'nobody'"),
        "key": AT_HOME,
        "quota": FREE,
        "down": _lasting(SILENT_S, fault="down"),
        "page": Fault(A_PAGE, {"lie": "page"}),
        "truncated": Fault(THREE_TIMES, {"lie": "cut off"}),
        # Its audio has no header: another version is known by its frames.
        "wrong rate": Fault("has 24000 Hz and not 22050", {"version": 2}),
        "default voice": "it ends its reply to a voice that it lacks",
    },
    "piper-server": {
        "voice": _no_voice("piper-server has no voice 'nobody'"),
        "key": AT_HOME,
        "quota": FREE,
        "down": _lasting(SILENT_S, fault="down"),
        "page": Fault(A_PAGE, {"fault": "page"}),
        "truncated": Fault(THREE_TIMES, {"fault": "cut off"}),
        "wrong rate": Fault("sends audio of 16000 Hz, not of 22050", {"fault": "wrong rate"}),
        "default voice": _no_voice(f"lists the voice {LISTED}, but speaks it with", LISTED),
    },
    "orpheus": {
        "voice": _no_voice("Did you mean tara", "tarra"),
        "key": Fault("Put a valid one into LLAMA_API_KEY", {"api_key": "another"}),
        "quota": FREE,
        "down": _lasting(SILENT_S, is_down=True),
        "page": Fault("a web page instead of tokens", {"lie": "page"}),
        "truncated": Fault("does not come to an end", {"lie": "full"}),
        "wrong rate": "it sends tokens, which are decoded here",
        "default voice": "a voice is a word of the text, and checked here",
    },
    "elevenlabs": {
        "voice": _no_voice("elevenlabs has no voice 'nobody'"),
        "key": _no_key("ElevenLabs needs a key", "ELEVENLABS_API_KEY"),
        "quota": Fault(NO_CREDIT, {"quota": 0}),
        "down": _lasting(SILENT_S, is_down=True),
        "page": Fault(A_PAGE, {"lie": "page"}),
        "truncated": Fault(THREE_TIMES, {"lie": "cut off"}),
        "wrong rate": Fault("sends audio of 44100 Hz, not of 24000", {"lie": "wrong rate"}),
        "default voice": "the service refuses a voice that it lacks",
    },
    "piper": {
        "voice": _no_voice("There is no Piper voice 'nobody'"),
        "key": NO_SERVER,
        "quota": FREE,
        "down": NO_SERVER,
        "page": Fault("is cut short, or is no ONNX file", {"content": "page"}),
        "truncated": Fault("is cut short, or is no ONNX file", {"content": "half"}),
        "wrong rate": "only the voice's own file tells its rate",
        "default voice": "a voice is a file",
    },
    "kokoro-onnx": {
        "voice": _no_voice("af_nobody", "af_nobody"),
        "key": NO_SERVER,
        "quota": FREE,
        "down": NO_SERVER,
        "page": Fault("kokoro-v1.0.onnx", {"content": "page"}),
        "truncated": Fault("kokoro-v1.0.onnx", {"content": "half"}),
        "wrong rate": "its model has one rate, which no file tells",
        "default voice": "a voice is an entry of a file",
    },
    "isolated": {
        "voice": _no_voice("tones has no voice 'nobody'"),
        "key": "it is a process of this machine",
        "quota": FREE,
        "down": Fault("its process was ended by signal 9", {"word": "KILLED"}),
        "page": Fault("tones cannot speak", {"word": "RUBBISH"}),
        "truncated": Fault("tones cannot speak", {"word": "FEW"}),
        "wrong rate": Fault("tones cannot speak", {"word": "RATE"}),
        "default voice": "its script is told the voice, and fails if it lacks it",
    },
}
CELLS = tuple(
    chain.from_iterable(
        ((engine, name) for name, fault in faults.items() if isinstance(fault, Fault))
        for engine, faults in MATRIX.items()
    )
)
SLOW_STARTS = ("piper-server", "kokoro-onnx")  # a process that imports much, an export of a model
# One engine with all of its faults, and one fault of each other engine: enough for `make prove`.
QUICK = frozenset(
    cell
    for cell in CELLS
    if cell[0] == "openai" or (cell[1] == "page" and cell[0] not in SLOW_STARTS)
)
