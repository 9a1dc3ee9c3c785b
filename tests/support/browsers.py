"""The browsers of this machine, each with a tab that has the keys and the mouse of a user."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from e2e.firefox import FIREFOX, browsing_with_firefox

from support.chromium import BROWSER, browsing
from support.webkit import WEBKIT, browsing_with_webkit


class UserTab(Protocol):
    """A tab that opens pages and evaluates expressions."""

    def open(self, url: str) -> None: ...

    def reload(self) -> None: ...

    def value(self, expression: str) -> Any: ...

    def press(self, key: str, *held: str) -> None: ...

    def click(self, x: float, y: float) -> None: ...


def _chromium(folder: Path) -> AbstractContextManager[UserTab]:
    return browsing(folder / "chromium")


# Of those that are installed: a new browser with a profile in that folder.
BROWSERS: dict[str, Callable[[Path], AbstractContextManager[UserTab]]] = {
    **({"chromium": _chromium} if BROWSER else {}),
    **({"firefox": browsing_with_firefox} if FIREFOX else {}),
    **({"webkit": browsing_with_webkit} if WEBKIT else {}),
}
