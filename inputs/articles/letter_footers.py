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
# A line of such links only, wherever it stands.
_LINK = re.compile(
    r"unsubscribe(?: here| from this list| instantly| from all)?"
    r"|report (?:this )?(?:e-?mail|spam|abuse)"
    r"|(?:view|read|open) (?:this |the )?(?:(?:post|e-?mail|issue|letter|newsletter|story) )?"
    r"(?:online|in (?:your |a )?browser|on the web)"
    r"|(?:cancel|manage|update|edit|change) (?:your |my )?(?:e-?mail |notification )?"
    r"(?:subscriptions?|preferences|settings)"
    r"|privacy(?: policy| statement| notice)?|terms(?: of (?:service|use))?|contact us"
    r"|advertise(?: with us)?|forward (?:to a friend|this e-?mail)|refer a friend"
    r"|abmelden|abbestellen|datenschutz|impressum|se désabonner|se désinscrire|uitschrijven"
    r"|darse de baja|cancelar (?:la )?suscripción|disiscriviti",
    re.IGNORECASE,
)
_BETWEEN_LINKS = re.compile(r"[|·•/,\n]| [-–—] ")
# How programs begin what they forward: a line that says so, and then the letter's head.
_FORWARDED = re.compile(
    r"[-_—\s]*(?:begin forwarded message|(?:forwarded|original) message|weitergeleitete nachricht"
    r"|(?:anfang der weitergeleiteten|ursprüngliche) nachricht|message transféré|mensaje reenviado"
    r"|messaggio inoltrato)\b[-_—:\s]*",
    re.IGNORECASE,
)
_HEAD = re.compile(
    r"(?:from|sent|date|subject|to|cc|reply-to|von|gesendet|datum|betreff|an|kopie|antwort an"
    r"|de|envoyé|objet|à|enviado|fecha|asunto|para|da|data|oggetto|inviato|a)\s?:\s.{0,200}",
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
    start, heads = _footer_start(texts), _forwarded_heads(texts)
    return [
        at >= start or at in heads or _is_line(text, is_first=at < _N_FIRST)
        for at, text in enumerate(texts)
    ]


def _is_line(text: str, *, is_first: bool) -> bool:
    if _BUTTON.fullmatch(text.strip(" .!>→»|")) or _is_of_links(text):
        return True
    return is_first and len(text.split()) <= _LONGEST_LINE and bool(_BROWSER.search(text))


def _is_of_links(text: str) -> bool:
    parts = [part.strip(" .!>→»") for part in _BETWEEN_LINKS.split(text)]
    named = [part for part in parts if part]
    return bool(named) and all(_LINK.fullmatch(part) for part in named)


def _forwarded_heads(texts: Sequence[str]) -> frozenset[int]:
    """Which texts are the heads of forwarded letters: who wrote them, when, and to whom."""
    found, is_in_head = set[int](), False
    for at, text in enumerate(texts):
        lines = [line for line in text.splitlines() if line.strip()]
        begins = bool(lines) and bool(_FORWARDED.fullmatch(lines[0]))
        is_in_head = begins or is_in_head
        if is_in_head and all(_HEAD.fullmatch(line.strip()) for line in lines[begins:]):
            found.add(at)
        else:
            is_in_head = False
    return frozenset(found)


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
