"""Tells which texts of a letter are around it: its footer, and lines such as “View in browser”.

Newsletters end in the law's and the sender's own words: why it was sent, how to unsubscribe, an
address. Only texts at the end count, and only if some of them say so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_LONGEST_LINE = 14  # words of a line such as “View in browser”
_N_FIRST = 6  # texts at the beginning that may be such lines
_LONGEST_BETWEEN = 25  # words of an address or a line of links within a footer
_MOST_BETWEEN = 6  # such texts one after another
_BROWSER = re.compile(
    r"(?:view|read|open|see|display)\b.{0,40}\b(?:browser|online|on the web)|web ?version"
    r"|(?:im browser|online) (?:ansehen|anzeigen|öffnen|lesen)"
    r"|(?:voir|lire|afficher|ouvrir)\b.{0,30}\b(?:navigateur|en ligne)"
    r"|(?:ver|leer|abrir)\b.{0,30}\b(?:navegador|en línea)"
    r"|(?:visualizza|leggi|apri)\b.{0,30}\bbrowser|bekijk\b.{0,30}\bbrowser"
    r"|forwarded (?:this|to you)\b|(?:problems|trouble) (?:viewing|reading|seeing)",
    re.IGNORECASE,
)
_BUTTON = re.compile(
    r"(?:share|like|comment|restack|tweet|forward|reply|subscribe(?: now| here)?|read (?:in|on) app"
    r"|open in app|upgrade to paid|teilen|weiterleiten|partager|compartir|condividi)",
    re.IGNORECASE,
)
_FOOTER = re.compile(
    r"\bunsubscrib|\bopt[- ]out\b|\b(?:e-?mail|notification|subscription|your|update) preferences"
    r"|\bmanage .{0,30}(?:subscription|preferences|settings|e-?mails)"
    r"|\b(?:you(?:’|'| a)re|you) (?:receiv|getting|subscribed|currently subscribed)"
    r"|\breceived this (?:e-?mail|newsletter|message)"
    r"|\bthis (?:e-?mail|message|newsletter) (?:was|has been|is) (?:sent|intended)"
    r"|\bno longer (?:wish|want) to receive|\bstop receiving|\bour mailing address"
    r"|\badd (?:us|this address|.{0,60}@\S+) to your (?:address book|contacts)"
    r"|\ball rights reserved|©|\bcopyright (?:\(c\) )?(?:19|20)\d\d"
    r"|\babbestell|\babmeld|\baustragen\b|\berhalten diese[ns]? (?:e-?mail|newsletter|nachricht)"
    r"|\bse désabonner|\bdésinscri|\bdésabonn|\bvous recevez ce"
    r"|\bdarse de baja|\bdate de baja|\bcancelar (?:la|tu|su|a) (?:suscripción|inscrição)"
    r"|\brecibes? este|\bannulla l[’']iscrizione|\bdisiscri|\bricevi questa|\bdeixar de receber"
    r"|\buitschrijven|\bafmelden|配信停止|購読解除|退订|取消订阅",
    re.IGNORECASE,
)


def are_around(texts: Sequence[str]) -> list[bool]:
    """For each text of a letter, in order, whether it is around the letter and not part of it."""
    start = _footer_start(texts)
    return [at >= start or _is_line(text, is_first=at < _N_FIRST) for at, text in enumerate(texts)]


def _is_line(text: str, *, is_first: bool) -> bool:
    if _BUTTON.fullmatch(text.strip(" .!>→»|")):
        return True
    return is_first and len(text.split()) <= _LONGEST_LINE and bool(_BROWSER.search(text))


def _footer_start(texts: Sequence[str]) -> int:
    """Where the footer begins; the number of texts if there is none."""
    start, n_between = len(texts), 0
    for at in range(len(texts) - 1, -1, -1):
        if _FOOTER.search(texts[at]):
            start, n_between = at, 0
        elif texts[at].strip():
            n_between += 1
            if n_between > _MOST_BETWEEN or len(texts[at].split()) > _LONGEST_BETWEEN:
                break
    return start
