"""`audiomill completion`: a script with which a shell completes our command line.

The script is static. So pressing Tab starts no Python, and new voices need a new script.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from audiomill.flows.bench.options import listed_values
from audiomill.flows.cli.parser import COMMANDS, build_parser
from audiomill.flows.console import put
from audiomill.flows.options import Names, RenderOptions, declared
from audiomill.flows.settings import load_settings
from audiomill.renderers.engine.errors import RenderError
from audiomill.renderers.engine.registry import (
    engine_named,
    engine_names,
    open_renderer,
    quick_engine_names,
)

# The values of options, by argparse's names of them.
VALUES: Mapping[str, Sequence[str]] = {
    **{name: tuple(one.option.choices()) for name, one in declared(RenderOptions).items()},
}
VOICES = ("voice", "play")  # options whose value is a voice
# Options whose values may be several, with commas; so may be those of `listed_values`.
LISTS = tuple(name for name, one in declared(RenderOptions).items() if one.type == Names)

BASH = """\
_audiomill() {{
    local command=${{COMP_WORDS[1]}} current=${{COMP_WORDS[COMP_CWORD]}}
    local previous=${{COMP_WORDS[COMP_CWORD-1]}} words= head=
    # Bash makes three words of --engine=es, zsh one.
    [[ $current == = ]] && current=
    [[ $previous == = ]] && previous=${{COMP_WORDS[COMP_CWORD-2]}}
    [[ $current == --*=* ]] && previous=${{current%%=*}} head=$previous= current=${{current#*=}}
    if ((COMP_CWORD == 1)); then
        words={commands}
    else
        case "$command $previous" in
{values}
            {voices}) case " ${{COMP_WORDS[*]}} " in
{voices_by_engine}
                esac ;;
            *) [[ $current == -* ]] && case $command in
{options}
                esac ;;
        esac
    fi
    [[ $current == *,* ]] && head=$head${{current%,*}},
    COMPREPLY=($(compgen -P "$head" -W "$words" -- "${{current##*,}}"))
}}
complete -o bashdefault -o default -F _audiomill audiomill
"""
# Zsh runs the functions of bash.
ZSH = """\
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
autoload -Uz bashcompinit && bashcompinit
"""


@dataclass(frozen=True, slots=True)
class CompletedOption:
    """An option of a command, or the value that a command takes."""

    command: str
    names: tuple[str, ...]  # "--engine"; none for the value of a command
    purpose: str
    takes_value: bool
    values: tuple[str, ...]  # none: any, or a file
    is_voice: bool
    is_list: bool


def run(arguments: argparse.Namespace) -> int:
    """Print the script for a shell."""
    options = tuple(_options())
    voices = dict(_voices())
    if arguments.shell == "fish":
        script = "\n".join(_fish_lines(options, voices))
    else:
        script = ("" if arguments.shell == "bash" else ZSH) + _bash_script(options, voices)
    for line in script.splitlines():
        put(line)
    return 0


def _options() -> Iterator[CompletedOption]:
    listed = listed_values()
    for command, parser in build_parser().commands.items():
        for action in parser.actions:
            values = tuple(action.choices or {**VALUES, **listed}.get(action.dest, ()))
            if command == "bench" and action.dest == "engines":
                values = engine_names()
            yield CompletedOption(
                command,
                tuple(action.option_strings),
                action.help or "",
                action.nargs != 0,
                values,
                is_voice=action.dest in VOICES,
                is_list=action.dest in LISTS or action.dest in listed,
            )


def _voices() -> Iterator[tuple[str, tuple[str, ...]]]:
    """The voices of each engine that is here, and need not load a model to know them."""
    options = load_settings().engine_options()
    for engine in quick_engine_names():
        try:
            voices = open_renderer(engine, options).voices()
        except RenderError:
            continue
        yield engine, tuple(voice.name for voice in voices)


def _bash_script(options: Sequence[CompletedOption], voices: Mapping[str, tuple[str, ...]]) -> str:
    values = {_places(one): one.values for one in options if one.values}
    by_engine = {
        "|".join(f'*" --engine{sign}{engine} "*' for sign in (" ", " = ", "=")): names
        for engine, names in voices.items()
    }
    names = {
        command: [name for one in options if one.command == command for name in one.names]
        for command in COMMANDS
    }
    return BASH.format(
        commands=_quoted((*COMMANDS, "--help", "--version")),
        values=_cases(values, 12),
        voices="|".join(_places(one) for one in options if one.is_voice),
        voices_by_engine=_cases(by_engine | {"*": _every_voice(voices)}, 16),
        options=_cases(names, 16),
    )


def _places(option: CompletedOption) -> str:
    """A pattern of bash for the command and the word before the option's value."""
    return "|".join(f'"{option.command} {name}"' for name in option.names or (option.command,))


def _cases(words: Mapping[str, Iterable[str]], n_spaces: int) -> str:
    """Branches of bash's `case`, from a pattern to the words that are offered."""
    return "\n".join(
        f"{' ' * n_spaces}{pattern}) words={_quoted(some)} ;;" for pattern, some in words.items()
    )


def _every_voice(voices: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The voices of all engines that speak, each name once."""
    speaking = [engine for engine in voices if engine_named(engine).speaks]
    names = (name for engine in speaking for name in voices[engine])
    return tuple(dict.fromkeys(names))


def _fish_lines(
    options: Sequence[CompletedOption], voices: Mapping[str, tuple[str, ...]]
) -> Iterator[str]:
    for command, purpose in COMMANDS.items():
        yield f"complete -c audiomill -n __fish_use_subcommand -xa {command} -d {_fish(purpose)}"
    for option in options:
        values = _every_voice(voices) if option.is_voice else option.values
        if not option.names and not values:
            continue  # a file, which fish completes by itself
        here = f"complete -c audiomill -n '__fish_seen_subcommand_from {option.command}'"
        names = "".join(map(_fish_option, option.names))
        offered = f"(__fish_append , {' '.join(values)})" if option.is_list else " ".join(values)
        takes = f" -xa {_fish(offered)}" if values else " -r" if option.takes_value else ""
        yield f"{here}{names} -d {_fish(option.purpose)}{takes}"


def _fish_option(name: str) -> str:
    return f" -l {name[2:]}" if name.startswith("--") else f" -s {name[1:]}"


def _quoted(words: Iterable[str]) -> str:
    return f"'{' '.join(words)}'"


def _fish(text: str) -> str:
    """The text as one word of fish."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
