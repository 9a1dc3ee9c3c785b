"""What the reference tells, taken from the code while the site is built.

A page has a comment such as `<!-- generated: commands -->`. `with_generated` puts Markdown in its
place. A comment that names nothing here ends the build.
"""

import argparse
import inspect
import re
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass

import audiomill
from audiomill.flows.cli.exit_codes import EXIT_CODES
from audiomill.flows.cli.parser import COMMANDS, build_parser
from audiomill.flows.options import RenderOptions, declared
from audiomill.outputs.formats.format import Format, kbps_of
from audiomill.outputs.formats.registry import FORMATS
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.engine.registry import ENGINES

OPTION_HEAD = ("option", "meaning")
MARK = re.compile(r"^<!-- generated: (\w+) -->$", re.MULTILINE)


def with_generated(_app: object, page: str, source: list[str]) -> None:
    """Replace the comments of a page, as Sphinx's event `source-read` asks for."""
    if page in GENERATED:
        source[0] = MARK.sub(lambda mark: GENERATED[page][mark[1]](), source[0])


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = (head, ["---"] * len(head), *rows)
    return "\n".join(f"| {' | '.join(map(_cell, row))} |" for row in lines)


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def code(text: str) -> str:
    """A span of code, or nothing."""
    return f"`{text}`" if text else ""


def commands() -> str:
    """A section for each command: its usage, and what it takes."""
    parsers = build_parser().commands
    return "\n\n".join(_command(name, parsers[name]) for name in COMMANDS)


def _command(name: str, parser: argparse.ArgumentParser) -> str:
    shown = [action for action in parser.actions if "--help" not in action.option_strings]
    values = [_positional(action) for action in shown if not action.option_strings]
    usage = " ".join((f"audiomill {name} [OPTIONS]", *values))
    rows = [(_taken(action), _meaning(action)) for action in shown]
    parts = (f"## {name}", parser.description, f"```\n{usage}\n```", table(OPTION_HEAD, rows))
    return "\n\n".join(parts)


def _positional(action: argparse.Action) -> str:
    """A value as the usage has it: once or more, at most once, or once."""
    value = _value(action)
    return {"+": f"{value}…", "?": f"[{value}]"}.get(str(action.nargs), value)


def _taken(action: argparse.Action) -> str:
    """An option with its value, or the name of a value."""
    if not action.option_strings:
        return code(_value(action))
    value = "" if action.nargs == 0 else f" {_value(action)}"
    return ", ".join(code(f"{name}{value}") for name in action.option_strings)


def _value(action: argparse.Action) -> str:
    if isinstance(action.metavar, tuple):
        return " ".join(action.metavar)
    return action.metavar or action.dest.upper()


def _meaning(action: argparse.Action) -> str:
    told = (action.help or "").replace("%%", "%").replace("*", r"\*").replace("<", r"\<")
    choices = ", ".join(map(code, action.choices or ())) if action.metavar is None else ""
    return "; ".join(filter(None, (told, choices)))


def options() -> str:
    """The options of a render: their names in Python and on the command line, and their meaning."""
    rows = [
        (code(name), code(one.option.flag_of(name)), one.option.meaning, one.option.default)
        for name, one in declared(RenderOptions).items()
    ]
    return table(("argument", "on the command line", "meaning", "default"), rows)


def formats() -> str:
    """The output formats, as they are declared."""
    head = ("`--format`", "encoder", "bit rate", "sample rates", "media type")
    return table(head, map(_format, FORMATS.values()))


def _format(entry: Format) -> Sequence[str]:
    kbps = kbps_of(entry.encoding)
    most = f", at most {entry.most_kbps} a channel" if entry.most_kbps else ""
    rates = ", ".join(f"{rate:,}" for rate in entry.sample_rates) or "any"
    bit_rate = f"{kbps} kbps{most}" if kbps else "lossless"
    return (code(entry.name), code(entry.encoder), bit_rate, rates, code(entry.media_type))


def engines() -> str:
    """The engines that come with audiomill, with their licences."""
    head = ("`--engine`", "runs", "licence of the code", "licence of the weights", "commercial use")
    return table(head, (_engine(name) for name in ENGINES))


def _engine(name: str) -> Sequence[str]:
    licences = ENGINES[name].licences(EngineOptions())
    may_sell = "yes" if licences.is_commercial else "**no**"
    return (code(name), ENGINES[name].runs.value, licences.code, licences.weights, may_sell)


def errors() -> str:
    """The exit code of each error that is expected."""
    rows = (
        (code(kind.__name__), inspect.getdoc(kind).splitlines()[0], str(exit_code))
        for kind, exit_code in EXIT_CODES
    )
    return table(("error", "meaning", "exit code"), rows)


def names() -> str:
    """What `audiomill` has for Python, with signatures."""
    public = [name for name in audiomill.__all__ if name not in ("kokoro", "__version__")]
    return "\n\n".join(_name(f"audiomill.{name}", getattr(audiomill, name)) for name in public)


def kokoro_names() -> str:
    """What `audiomill.kokoro` has."""
    module = audiomill.kokoro
    return "\n\n".join(
        _name(f"audiomill.kokoro.{name}", getattr(module, name)) for name in module.__all__
    )


def _name(name: str, value: object) -> str:
    methods = [
        f"#### {method}\n\n{_signature(method, one)}\n\n{_doc(one)}"
        for method, one in vars(value).items()
        if inspect.isclass(value) and inspect.isfunction(one) and _is_own(value, method)
    ]
    return "\n\n".join(filter(None, (f"### {name}", _shape(name, value), _doc(value), *methods)))


def _is_own(kind: type, method: str) -> bool:
    """Whether a public method is no other form of one of its bases."""
    return not method.startswith("_") and not any(hasattr(base, method) for base in kind.__bases__)


def _shape(name: str, value: object) -> str:
    """The fields of a dataclass, or the signature; of an error or a protocol nothing."""
    if is_dataclass(value):
        return _python("\n".join(f"{one.name}: {_plain(one.type)}" for one in fields(value)))
    if inspect.isclass(value) and (issubclass(value, Exception) or _is_protocol(value)):
        return ""
    return _signature(name.rpartition(".")[2], value)


def _is_protocol(kind: type) -> bool:
    return getattr(kind, "_is_protocol", False)


def _signature(name: str, value: object) -> str:
    return _python(name + _plain(inspect.signature(value)))


def _plain(written: object) -> str:
    """Annotations without quotation marks."""
    return str(written).replace("'", "")


def _python(text: str) -> str:
    return f"```python\n{text}\n```"


def _doc(value: object) -> str:
    """The docstring. Lines that draw a tree stay as they are."""
    told, branch, tree = (inspect.getdoc(value) or "").partition("\n├")
    if not branch:
        return told
    told, _, root = told.rpartition("\n")
    return f"{told}\n\n```\n{root}{branch}{tree}\n```"


GENERATED = {
    "python": {"options": options},
    "reference/command-line": {"commands": commands},
    "reference/formats": {"formats": formats},
    "reference/exit-codes": {"errors": errors},
    "reference/engines": {"engines": engines},
    "reference/python-names": {"names": names, "kokoro": kokoro_names},
}
