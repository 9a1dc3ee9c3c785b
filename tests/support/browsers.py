"""The browsers of this machine, each with a tab that opens pages and evaluates expressions."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from e2e.firefox import FIREFOX, browsing_with_firefox

from support.chromium import BROWSER, browsing
from support.webkit import WEBKIT, browsing_with_webkit


class AnyTab(Protocol):
    def open(self, url: str) -> None: ...

    def value(self, expression: str) -> Any: ...


class UserTab(AnyTab, Protocol):
    """A tab with the keys and the mouse of a user."""

    def reload(self) -> None: ...

    def press(self, key: str, *held: str) -> None: ...

    def click(self, x: float, y: float) -> None: ...


def _chromium(folder: Path) -> AbstractContextManager[AnyTab]:
    return browsing(folder / "chromium")


# Of those that are installed: a new browser with a profile in that folder.
USER_BROWSERS: dict[str, Callable[[Path], AbstractContextManager[UserTab]]] = {
    **({"firefox": browsing_with_firefox} if FIREFOX else {}),
    **({"webkit": browsing_with_webkit} if WEBKIT else {}),
}
BROWSERS: dict[str, Callable[[Path], AbstractContextManager[AnyTab]]] = {
    **({"chromium": _chromium} if BROWSER else {}),
    **USER_BROWSERS,
}
