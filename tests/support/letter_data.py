"""Letters as mail programs and newsletter services write them."""

from email.headerregistry import Address
from email.message import EmailMessage
from pathlib import Path
from string import Template

_PAGE = Template(Path(__file__).with_name("newsletter.html").read_text("utf-8").rstrip("\n"))
PROSE = (
    "The mill at the end of the quay turned all night, and nobody in the town could remember who"
    " had last oiled its gears, or why the brake had been taken off in the first place.",
    "In the morning the baker found forty sacks of flour at his door, and a bill for one night’s"
    " work, which he has framed and hung above the counter beside his grandfather’s peel.",
)
PREHEADER = "Forty sacks, one bill, and no miller"
FOOTER = (
    "You are receiving this because you signed up at the bakery.",
    "The Quay Letter, 3 Rope Walk, Harbour Town",
    "Unsubscribe | Update your preferences",
    "© 2026 The Quay Letter",
)


def newsletter() -> str:
    """The HTML of a newsletter: tables within tables, a hidden first line, a pixel, a footer."""
    prose = "".join(f'<tr><td style="padding:8px"><p>{one}</p></td></tr>' for one in PROSE)
    footer = "".join(f'<tr><td align="center"><p>{one}</p></td></tr>' for one in FOOTER)
    return _PAGE.substitute(preheader=PREHEADER, prose=prose, footer=footer)


def letter(number: int = 1, *, html: str = "", text: str = "") -> EmailMessage:
    """A letter with the given text; with both, they are alternatives."""
    message = EmailMessage()
    message["From"] = Address("Jan Mértens", "jan", "quay.example")
    message["To"] = "reader@home.example"
    message["Subject"] = f"The mill, №{number}: “a storm”"
    message["Date"] = "Mon, 23 Nov 2026 07:30:00 +0100 (CET)"
    message["Message-ID"] = f"<{number}.a+b/c@quay.example>"
    if text or not html:
        message.set_content(text or PROSE[0])
        if html:
            message.add_alternative(html, subtype="html")
    else:
        message.set_content(html, subtype="html")
    return message


def mbox(*letters: bytes) -> bytes:
    """The file of letters; lines that begin like the line between them are quoted."""
    parts = []
    for one in letters:
        lines = [b">" + line if line.lstrip(b">").startswith(b"From ") else line for line in
                 one.splitlines(keepends=True)]  # fmt: skip
        parts.append(b"From jan@quay.example Mon Nov 23 07:30:00 2026\n" + b"".join(lines) + b"\n")
    return b"".join(parts)
