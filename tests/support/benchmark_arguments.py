"""The command line of a benchmark: places in a fixed order, each with a default, and `--help`."""

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path


def arguments(description: str | None, **defaults: float | str | list[Path]) -> list:
    """The values of the arguments, in the order of their `defaults`; a list takes the rest."""
    parser = ArgumentParser(description=description, formatter_class=RawDescriptionHelpFormatter)
    for name, default in defaults.items():
        if isinstance(default, list):
            parser.add_argument(name, nargs="*", type=Path, default=default)
        else:
            shown = {"default": default, "help": f"default: {default}"}
            parser.add_argument(name, nargs="?", type=type(default), **shown)
    return [*vars(parser.parse_args()).values()]
