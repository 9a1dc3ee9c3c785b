"""What a user does with keys and a mouse, as WebDriver and WebDriver BiDi take it alike.

Source: w3.org/TR/webdriver2, "Actions".
"""

from typing import Any

# By their names in DOM, as those of WebDriver are code points that no keyboard has.
_KEYS = {
    "Escape": "\ue00c",
    "Enter": "\ue007",
    "Tab": "\ue004",
    "Shift": "\ue008",
    "Home": "\ue011",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}


def pressing(key: str, *held: str) -> list[dict[str, Any]]:
    """A key by its name in DOM, or a character, while others are held."""
    codes = [_KEYS.get(one, one) for one in (*held, key)]
    down = [{"type": "keyDown", "value": one} for one in codes]
    up = [{"type": "keyUp", "value": one} for one in reversed(codes)]
    return [{"type": "key", "id": "keyboard", "actions": [*down, *up]}]


def clicking(x: float, y: float) -> list[dict[str, Any]]:
    """A place of what is seen of the page, in CSS pixels."""
    move = {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0}
    buttons = ({"type": f"pointer{one}", "button": 0} for one in ("Down", "Up"))
    return [{"type": "pointer", "id": "mouse", "actions": [move, *buttons]}]
