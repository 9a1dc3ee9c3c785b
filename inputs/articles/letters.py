"""Reads a saved letter into a `Book`: HTML or plain text, as `mail.py` saved it.

Letters are laid out by tables, and have no article that could be told from a page around it: all of
their text is the letter, but for lines such as “View in browser” and the footer, which are listed
as navigation. Newsletters end in the law's and the sender's own words: why it was sent, how to
unsubscribe, an address. Only texts at the end count, and only if some of them say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from audiomill.inputs.articles.boilerplate import are_around
from audiomill.inputs.articles.fields import words_of_html
from audiomill.inputs.articles.html import PageBytes, book_of_page
from audiomill.inputs.articles.page import Fetched
from audiomill.inputs.languages.detection import language_of_text
from audiomill.inputs.markup.blocks import DocumentBlocks, to_blocks
from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.model.book import (
    Block,
    Book,
    Chapter,
    LanguageSource,
    Limits,
    Skipped,
    SkipReason,
)
from audiomill.inputs.reading.rules import ReadingRules
from audiomill.inputs.text.reader import book_of_text

SCHEME = "mid:"  # RFC 2392
_NAME = "letter"  # how its places are called
_TITLE = "A letter"  # without a subject
_TABLE_PARTS = frozenset(("center", "table", "tbody", "td", "tfoot", "th", "thead", "tr"))
_DATA_PARTS = frozenset(("caption", "th"))
# The line that a list of letters shows after the subject. Letters hide it in many ways.
_HIDING_STYLE = re.compile(r"(?:^|;)\s*(?:max-height|opacity)\s*:\s*0(?:px|em|%)?\s*(?:!|;|$)")
_PIXEL = frozenset(("0", "1", "0px", "1px"))
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


def book_of_letter(page: Fetched, limits: Limits, rules: ReadingRules) -> Book:
    """The book in a letter. Raises SourceError."""
    data = page.content or b""
    text = data.decode("utf-8", "replace")  # as `mail.py` saved it
    if page.media_type == "text/plain":
        book = _without_footer(book_of_text(data, _NAME, _TITLE, limits, rules))
        shown = language_of_text(text)
        if not shown:
            return book
        return replace(book, language=shown, language_source=LanguageSource.DETECTED)
    shown = language_of_text(words_of_html(text))
    return book_of_page(
        PageBytes(data, _NAME, _TITLE, page.charset, shown), limits, rules, split_letter
    )


def split_letter(
    body: Element, name: str, language: str, rules: ReadingRules
) -> tuple[DocumentBlocks, list[Skipped]]:
    """(the blocks of the letter, the text around it) of the body of a page."""
    prepare_letter(body)
    page = to_blocks(body, where=name, language=language, rules=rules)
    blocks = [anchored.block for anchored in page.blocks]
    footer = are_around_letter([block.text for block in blocks])
    around = [one or other for one, other in zip(footer, are_around(blocks), strict=True)]
    kept = tuple(one for one, is_around in zip(page.blocks, around, strict=True) if not is_around)
    listed = [
        _listed(one.block) for one, is_around in zip(page.blocks, around, strict=True) if is_around
    ]
    return replace(page, blocks=kept), [one for one in listed if one.text]


def prepare_letter(body: Element) -> None:
    """Mark what a letter hides, and make plain blocks of its layout."""
    _mark_hidden(body)
    _remove_layout(body)


def _without_footer(book: Book) -> Book:
    around = iter(
        are_around_letter([one.text for chapter in book.chapters for one in chapter.blocks])
    )
    listed = list[Skipped]()

    def without(chapter: Chapter) -> Chapter:
        pairs = [(block, next(around)) for block in chapter.blocks]
        listed.extend(_listed(block) for block, is_around in pairs if is_around)
        kept = tuple(block for block, is_around in pairs if not is_around)
        return replace(chapter, blocks=kept)

    chapters = tuple(map(without, book.chapters))
    return replace(book, chapters=chapters, skipped=(*book.skipped, *listed))


def _listed(block: Block) -> Skipped:
    return Skipped(SkipReason.NAVIGATION, block.text, block.where)


def _mark_hidden(body: Element) -> None:
    """Mark what a letter hides, and pictures of one pixel, by which senders count readers."""
    for node in body.iter():
        name = local_name(node)
        style = (node.get("style") or "").lower() if name else ""
        is_pixel = name == "img" and {node.get("width"), node.get("height")} <= _PIXEL
        if is_pixel or (style and _HIDING_STYLE.search(style)):
            node.set("hidden", "")


def _remove_layout(body: Element) -> None:
    """Make plain blocks of tables that are no tables of data: these name their columns."""
    tables = [node for node in body.iter() if local_name(node) == "table"]
    for table in tables:
        if not any(local_name(node) in _DATA_PARTS for node in _own_parts(table)):
            for node in [table, *_own_parts(table)]:
                if local_name(node) in _TABLE_PARTS:
                    node.tag = "div"


def _own_parts(table: Element) -> Iterator[Element]:
    """The elements of a table that are not within another table in it."""
    waiting = [*table]
    while waiting:
        node = waiting.pop()
        if local_name(node) != "table":
            yield node
            waiting.extend(node)


def are_around_letter(texts: Sequence[str]) -> list[bool]:
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
